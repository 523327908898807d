import { Writable } from 'node:stream';
import { type DestinationStream, pino } from 'pino';
import type { Logger } from 'sri-core';
import type { Config } from './config.js';

/**
 * The server's log: one line an event, on standard output. Names that carry secrets are blotted out wherever they
 * stand, in case one is ever passed along.
 */
export function createLogger(config: Pick<Config, 'logLevel' | 'logFormat'>, output?: DestinationStream): Logger {
  const stream = output ?? process.stdout;
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    config.logFormat === 'text' ? textStream(stream) : stream,
  );
}

// --- internal ---

const SECRET_NAMES = [
  'password',
  'certPassword',
  'p12Password',
  'token',
  'apiKey',
  'authorization',
  'secret',
  'privateKey',
  'masterKeys',
  'smtpUrl',
  'databaseUrl',
];

/** The same events for people: time, level, message, and the rest as `name=value`. */
function textStream(output: DestinationStream): DestinationStream {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const { time, level, msg, ...fields } = JSON.parse(String(chunk)) as Record<string, unknown>;
      const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${toWord(value)}`);
      output.write(`${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${String(msg)}${rest.join('')}\n`);
      done();
    },
  });
}

function toWord(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}
