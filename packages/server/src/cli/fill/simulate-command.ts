import { DOCUMENT_TYPES, documentTypeOf } from 'sri-core';
import { CORE_COMMANDS, CommandFailure, type CommandOptions, readWhole, textOption, toTable } from 'sri-core/cli';
import type { Config } from '../../config/config.js';
import { defineServerCommand } from '../frame/command.js';
import { requireId } from '../frame/read-options.js';
import { type FilledAccount, fillAccount } from './fill-account.js';

const FILL_OPTIONS = {
  fill: textOption('n', {
    es: 'Sin poner en marcha nada, llena la cuenta de esta carpeta con un mes de n comprobantes de todos los tipos',
    en: 'Runs nothing, and fills the account of this folder with a month of n documents of all types',
  }),
  seed: textOption('n', {
    es: 'Con --fill: la misma semilla da el mismo mes; si no, 1',
    en: 'With --fill: the same seed gives the same month; default 1',
  }),
  issuer: textOption('id', {
    es: 'Con --fill: el emisor; si no, SRI_ISSUER_ID, o el único',
    en: 'With --fill: the issuer; otherwise SRI_ISSUER_ID, or the only one',
  }),
} as const satisfies CommandOptions;

/** `simulate` of `sri-core`, and `--fill`. */
export async function loadSimulateCommand() {
  const core = CORE_COMMANDS.find(({ name }) => name === 'simulate');
  if (!core) throw new Error('sri-core has no command simulate.');
  const simulate = await core.load();
  const about = { es: '', en: '', ...(typeof simulate.about === 'object' ? simulate.about : {}) };
  return defineServerCommand({
    ...simulate,
    about: {
      es: `${about.es}\nCon --fill no escucha: emite comprobantes reales con fechas del último mes, que el SRI simulado autoriza. Solo para\ncuentas en pruebas con el simulador, y con el servidor detenido.`,
      en: `${about.en}\nWith --fill it does not listen: it issues real documents dated over the past month, which the simulated SRI\nauthorizes. Only for sandbox accounts with the simulator, and while the server is stopped.`,
    },
    options: { ...simulate.options, ...FILL_OPTIONS },
    async run(call) {
      const { fill, seed, issuer } = call.options as Readonly<Record<keyof typeof FILL_OPTIONS, string | null>>;
      if (fill === null) return simulate.run(call);
      const request = {
        count: readWhole('--fill', fill, 1, 5_000),
        seed: readWhole('--seed', seed ?? '1', 0, 4_294_967_295),
        issuerId: readIssuerId(issuer ?? call.env['SRI_ISSUER_ID'] ?? ''),
        stop: call.terminal.stopSignal(),
      };
      const config = call.config();
      await requireSimulator(config);
      const { documents, ...span } = await fillAccount(config, request);
      const counts = countByType(documents);
      return {
        json: { ok: true, ...span, seed: request.seed, documents: documents.length, counts },
        text: toTable(
          ['type', 'documents', ...Object.keys(counts[0]?.statuses ?? {})],
          counts.map(({ documentType, total, statuses }) => [
            documentTypeOf(documentType).texts.name[call.language],
            total,
            ...Object.values(statuses),
          ]),
          call.language,
        ),
        passed: documents.length === request.count,
      };
    },
  });
}

// --- internal ---

const SHOWN = ['AUTHORIZED', 'RETURNED', 'NOT_AUTHORIZED', 'VOIDED', 'RECEIVED', 'SIGNED'] as const;

/** A running server would send the documents of other days as its own. */
async function requireSimulator({ production, sriMode, host, port }: Config): Promise<void> {
  if (production || sriMode === 'live')
    throw new CommandFailure('NOT_SIMULATED', {
      es: 'Este servidor habla con el SRI: --fill es solo para el simulador (SRI_MODE=simulator).',
      en: 'This server talks to the SRI: --fill is for the simulator only (SRI_MODE=simulator).',
    });
  const own = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const address = `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
  const isRunning =
    port !== 0 &&
    (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    ));
  if (isRunning)
    throw new CommandFailure('SERVER_RUNNING', {
      es: `Un servidor responde en ${address}. Deténgalo, y vuelva a iniciarlo después.`,
      en: `A server answers at ${address}. Stop it, and start it again afterwards.`,
    });
}

function readIssuerId(text: string): string | null {
  return text.trim() === '' ? null : requireId({ es: 'Un emisor', en: 'An issuer' }, text.trim());
}

function countByType(documents: FilledAccount['documents']) {
  return DOCUMENT_TYPES.flatMap((code) => {
    const own = documents.filter(({ documentType }) => documentType === code);
    const statuses = Object.fromEntries(
      SHOWN.map((status) => [status, own.filter((document) => document.status === status).length]),
    );
    return own.length === 0 ? [] : [{ documentType: code, total: own.length, statuses }];
  });
}
