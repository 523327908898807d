import { once } from 'node:events';
import { createServer } from 'node:http';
import { MAGIC_BUYERS } from '../sri/simulator/magic-buyers.js';
import { MAGIC_ISSUER_RUC, MAGIC_KEYS } from '../sri/simulator/magic-keys.js';
import { toNodeListener } from '../sri/simulator/node-listener.js';
import { createSimulator } from '../sri/simulator/simulator.js';
import { type CommandOptions, defineCommand, textOption } from './command.js';
import { listenHere } from './listen-here.js';
import { toTable } from './table.js';
import { readWhole } from './whole-number.js';

const SIMULATE_OPTIONS = {
  port: textOption('n', {
    es: 'Puerto en 127.0.0.1; si no, 8089; 0 uno libre',
    en: 'Port on 127.0.0.1; default 8089; 0 any free one',
  }),
  delay: textOption('ms', {
    es: 'De RECIBIDA al veredicto; si no, 1000',
    en: 'From RECIBIDA to the verdict; default 1000',
  }),
} as const satisfies CommandOptions;

/** `simulate` */
export const simulateCommand = defineCommand({
  about: {
    es: 'Un SRI en esta máquina, para los dos ambientes, que revisa estructura, clave, fechas, firma y sumas y guarda los\ncomprobantes en memoria. Escribe una línea por pedido y termina con Ctrl-C.',
    en: 'An SRI on this machine, for both environments, which checks structure, key, dates, signature and sums and keeps\ndocuments in memory. Writes a line for each request and ends with Ctrl-C.',
  },
  options: SIMULATE_OPTIONS,
  async run(call) {
    const port = readWhole('--port', call.options.port ?? '8089', 0, 65_535);
    const authorizationDelayMs = readWhole('--delay', call.options.delay ?? '1000', 0, 3_600_000);
    const print = (line: Readonly<Record<string, unknown>>, text: string) =>
      call.terminal.write(`${call.json ? JSON.stringify(line) : text}\n`);
    const simulator = createSimulator({
      authorizationDelayMs,
      onSettled: ({ at, operation, accessKey, outcome }) =>
        print({ at, operation, accessKey, outcome }, `${at.toISOString()} ${operation} ${accessKey} ${outcome}`),
    });
    const server = createServer(toNodeListener(simulator.handle));
    const url = `http://127.0.0.1:${await listenHere(server, port)}/comprobantes-electronicos-ws`;
    print({ ok: true, url }, welcome(url, call.language));
    const stop = call.terminal.stopSignal();
    if (!stop.aborted) await once(stop, 'abort');
    // Neither an idle connection nor a delay of a magic receiver keeps the process alive.
    server.close();
    server.closeAllConnections();
    return { json: null, text: '' };
  },
});

// --- internal ---

function welcome(url: string, language: 'es' | 'en'): string {
  const receivers = toTable(
    language === 'es' ? ['receptor (06)', 'qué pasa'] : ['receiver (06)', 'what happens'],
    MAGIC_BUYERS.map(({ id, effect }) => [id, effect[language]]),
  );
  const strangers = toTable(
    language === 'es'
      ? [`clave de ${MAGIC_ISSUER_RUC}`, 'qué hay en el SRI']
      : [`key of ${MAGIC_ISSUER_RUC}`, 'what the SRI has'],
    MAGIC_KEYS.map(({ numericCode, effect }) => [`--numeric-code ${numericCode}`, effect[language]]),
  );
  return [
    language === 'es' ? 'El SRI simulado escucha en' : 'The simulated SRI listens at',
    `  ${url}/RecepcionComprobantesOffline?wsdl`,
    `  ${url}/AutorizacionComprobantesOffline?wsdl`,
    `  ${url}/ConsultaComprobante?wsdl`,
    '',
    `SRI_MODE=live SRI_SANDBOX_URL=${url}`,
    '',
    receivers,
    '',
    strangers,
  ].join('\n');
}
