import { buffer } from 'node:stream/consumers';
import { translate } from '../translate.js';
import { languageOf } from './cli-text.js';
import type { Terminal } from './command.js';

/** The terminal of this process. */
export function nodeTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    write: (content) => stdout.write(content),
    complain: (text) => stderr.write(text),
    isInteractive: stderr.isTTY === true,
    isOutputWatched: stdout.isTTY === true,
    readInput: () => buffer(stdin),
    askSecret: stdin.isTTY && stderr.isTTY ? askSecret : null,
    askLine: stdin.isTTY && stderr.isTTY ? askLine : null,
    stopSignal,
  };
}

/**
 * Ends the program quietly when the reader closes the pipe (`| head`), with the exit code that the command has found so far,
 * and with a sentence when the output cannot be written. A message that cannot be written ends nothing.
 */
export function endWithReader(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    const { code } = error;
    const failure = {
      es: 'La salida no se puede escribir ({code}).\n',
      en: 'The output cannot be written ({code}).\n',
    };
    process.stderr.write(translate(failure, languageOf(process.env), { code: String(code) }));
    process.exit(1);
  });
}

/** Lets a server outlive the reader of its output: what cannot be written is lost. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

// --- internal ---

/** Aborted by the first SIGINT or SIGTERM; the second exits at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  }
  return stop.signal;
}

async function askLine(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-C and Ctrl-D end the question without an answer.
    return await lines.question(question).catch(() => '');
  } finally {
    lines.close();
  }
}

async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  let typed = '';
  try {
    for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
      for (const letter of String(chunk)) {
        if (letter === '\r' || letter === '\n') return typed;
        if (letter === '\u0003') process.exit(130);
        typed = letter === '\u007f' || letter === '\b' ? typed.slice(0, -1) : typed + letter;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}
