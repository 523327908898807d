// Runs the simulated SRI on this machine: npm run simulator [-- port] [-- --delay=ms]
import { createServer } from 'node:http';
import { createSimulator, MAGIC_BUYERS, MAGIC_ISSUER_RUC, MAGIC_KEYS, toNodeListener } from '../dist/simulator.js';

const USAGE = `Usage: npm run simulator [-- <port>] [-- --delay=<ms>]
  <port>         port on 127.0.0.1; also PORT; default 8089; 0 picks a free port
  --delay=<ms>   from RECIBIDA to the verdict; default 1000`;

const options = readArguments(process.argv.slice(2));
const simulator = createSimulator({
  authorizationDelayMs: options.delayMs,
  onSettled: ({ at, operation, accessKey, outcome }) => {
    console.log(`${at.toISOString()} ${operation} ${accessKey} ${outcome}`);
  },
});
const server = createServer(toNodeListener(simulator.handle));

server.on('error', (error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${options.port} is in use; name another one.` : error.message);
  process.exitCode = 1;
});
server.listen(options.port, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${server.address().port}/comprobantes-electronicos-ws`;
  const width = Math.max(...MAGIC_BUYERS.map(({ id }) => id.length));
  console.log(`The simulated SRI listens, for sandbox and production alike, at

  ${base}/RecepcionComprobantesOffline?wsdl
  ${base}/AutorizacionComprobantesOffline?wsdl
  ${base}/ConsultaComprobante?wsdl

Point a client at it with SRI_MODE=live SRI_SANDBOX_URL=${base}
It checks structure, key, dates, signature and sums. It keeps documents in memory only.
A buyer with one of these identifications (type 06) forces an outcome:

${MAGIC_BUYERS.map(({ id, effect }) => `  ${id.padEnd(width)}  ${effect.en}`).join('\n')}

A key of the RUC ${MAGIC_ISSUER_RUC} with one of these códigos numéricos is a document of another:

${MAGIC_KEYS.map(({ numericCode, effect }) => `  ${numericCode.padEnd(width)}  ${effect.en}`).join('\n')}

Ctrl-C ends it.
`);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    // Idle connections, and those a magic buyer delays, must not keep the process alive.
    server.close();
    server.closeAllConnections();
  });
}

function readArguments(args) {
  const found = { port: process.env.PORT ?? '8089', delay: '1000' };
  for (const argument of args) {
    if (argument.startsWith('--delay=')) found.delay = argument.slice('--delay='.length);
    else if (/^\d+$/.test(argument)) found.port = argument;
    else fail(argument === '--help' ? null : `Unknown argument: ${argument}`);
  }
  const port = Number(found.port);
  const delayMs = Number(found.delay);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`Not a port: ${found.port}`);
  if (!Number.isFinite(delayMs) || delayMs < 0) fail(`Not a time in milliseconds: ${found.delay}`);
  return { port, delayMs };
}

function fail(reason) {
  console.error(reason === null ? USAGE : `${reason}\n${USAGE}`);
  process.exit(reason === null ? 0 : 1);
}
