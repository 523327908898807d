import fs from 'node:fs';
import { Writable } from 'node:stream';
import { type DestinationStream, pino } from 'pino';
import type { Logger } from 'sri-core';
import { toLogFields } from './log-fields.js';

/** Options of the log. */
export interface LogSettings {
  readonly logLevel: string;
  readonly logFormat: 'json' | 'text';
}

/** The server's log: one line per event, on standard output, with the fields that `log-fields.ts` knows. */
export function createLogger(config: LogSettings, output?: DestinationStream): Logger {
  const stream = output ?? standardOutput();
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: toLogFields },
    },
    config.logFormat === 'text' ? textStream(stream) : stream,
  );
}

// --- internal ---

/**
 * Lines are written in batches when the event loop has time, the last ones as the process ends. If the reader stalls,
 * they take at most this much memory; then lines are dropped.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, maxLength: 16 * 1024 * 1024 });
  // A full disk or a lost reader must not end the server; the failed write is retried.
  output.on('error', () => {});
  // As the process ends, the destination repeats a failed write for ever. A line that cannot be written is lost.
  process.prependListener('exit', () => {
    const { writeSync } = fs;
    fs.writeSync = (file: number, content: string | NodeJS.ArrayBufferView) => {
      try {
        return typeof content === 'string' ? writeSync(file, content) : writeSync(file, content);
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') throw error;
        return Buffer.byteLength(content);
      }
    };
  });
  return output;
}

/** The same events for users: time, level, message, and the rest as `name=value`. */
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
