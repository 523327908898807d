import { rm } from 'node:fs/promises';
import { CommandFailure, toLines, type Words, writeOutputFile } from 'sri-core/cli';
import { outcomeOf } from '../client/documents.js';
import type { BatchEntry, BatchFile } from './batch-entry.js';
import type { BatchCall } from './batch-options.js';
import type { EntryResult } from './issue-entries.js';

/** What became of an entry, in one line. */
export function describeResult(result: EntryResult): string {
  const name = nameOf(result.entry);
  if (result.kind === 'rejected') return `${name}: ${result.why}`;
  const { accessKey, status, total } = result.document;
  return `${name}: ${status} ${accessKey} $${total}${result.why ? ` — ${result.why}` : ''}`;
}

/** What `--check` has found. @param faults of each entry; null where there is none */
export function tellCheck(file: BatchFile, faults: ReadonlyMap<BatchEntry, string | null>, { language }: BatchCall) {
  const wrong = file.entries.filter((entry) => faults.get(entry));
  const errors = wrong.map((entry) => ({ lines: entry.lines, reference: entry.reference, error: faults.get(entry) }));
  const counts = { documents: file.entries.length, right: file.entries.length - wrong.length, wrong: wrong.length };
  const labels = language === 'es' ? ['comprobantes', 'bien', 'con error'] : ['documents', 'right', 'wrong'];
  const list = errors.map(({ lines, error }) => `${lines.join(', ')}: ${error}`);
  return {
    json: { ok: wrong.length === 0, ...counts, errors },
    text: [
      toLines(Object.fromEntries(Object.values(counts).map((count, index) => [labels[index], count]))),
      ...list,
    ].join('\n'),
    passed: wrong.length === 0,
  };
}

/** A failure that stopped a batch, with what to run to go on. */
export function interrupted(
  error: CommandFailure,
  { path, results, file }: Omit<Ending, 'call' | 'stopped'>,
): CommandFailure {
  const total = file.entries.length;
  const issued = results.filter(({ kind }) => kind === 'issued').length;
  const english = error.message;
  const spanish = typeof error.words === 'string' ? error.words : error.words.es;
  const go = `batch issue ${path} --resume`;
  return new CommandFailure(
    error.code,
    {
      es: `${spanish}\nEl lote quedó en ${issued} de ${total}. Para seguir, sin emitir nada dos veces: ${go}`,
      en: `${english}\nThe batch stands at ${issued} of ${total}. To go on, issuing nothing twice: ${go}`,
    },
    error.members,
  );
}

/** A batch that has come to its end, or was stopped by a person. */
export interface Ending {
  readonly call: BatchCall;
  readonly path: string;
  readonly file: BatchFile;
  readonly results: readonly EntryResult[];
  readonly stopped: boolean;
}

/** Writes the rows with errors into their file, and tells what became of all. */
export async function conclude({ call, path, file, results, stopped }: Ending) {
  const issued = results.filter((result) => result.kind === 'issued');
  const rejected = results.filter((result) => result.kind === 'rejected');
  const withOutcome = (...wanted: readonly string[]) =>
    issued.filter(({ document }) => wanted.includes(outcomeOf(document)));
  const refused = withOutcome('refused', 'failed');
  const counts = {
    documents: file.entries.length,
    authorized: withOutcome('authorized').length,
    refused: refused.length,
    pending: file.entries.length - rejected.length - withOutcome('authorized', 'refused', 'failed').length,
    wrong: rejected.length,
  };
  const earlier = issued.filter((result) => result.earlier).length;
  const errorsPath = path.replace(/(\.\w+)$/, '.errors$1');
  if (rejected.length > 0) {
    const failed = rejected.map(({ entry, why }) => ({ entry, error: why }));
    await writeOutputFile(errorsPath, file.writeErrors(failed), { force: true });
  } else await rm(errorsPath, { force: true });
  const labels = LABELS[call.language];
  const shown = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [labels[name as keyof typeof counts], count]),
  );
  const notices: Words[] = [];
  if (earlier > 0) {
    notices.push({
      es: `${earlier} ya estaban emitidos de antes y no se emitieron otra vez.`,
      en: `${earlier} had been issued before and were not issued again.`,
    });
  }
  if (rejected.length > 0) {
    notices.push({
      es: `Las filas con error están en ${errorsPath}. Corríjalas en ${path} y ejecute otra vez con --resume.`,
      en: `The rows with errors are in ${errorsPath}. Mend them in ${path} and run again with --resume.`,
    });
  }
  if (stopped || counts.pending > 0) {
    notices.push({
      es: 'Para terminar: el mismo comando con --resume.',
      en: 'To finish: the same command with --resume.',
    });
  }
  const passed = counts.authorized === counts.documents;
  const lines = [...refused, ...rejected].map(describeResult);
  return {
    json: {
      ok: passed,
      ...counts,
      earlier,
      issued: issued.map(({ entry, document, why }) => ({
        reference: entry.reference,
        lines: entry.lines,
        accessKey: document.accessKey,
        sequential: document.sequential,
        status: document.status,
        total: document.total,
        ...(why ? { why } : {}),
      })),
      errors: rejected.map(({ entry, why }) => ({ reference: entry.reference, lines: entry.lines, error: why })),
    },
    text: [toLines(shown), ...lines].join('\n'),
    notices,
    passed,
  };
}

// --- internal ---

const LABELS = {
  es: {
    documents: 'comprobantes',
    authorized: 'autorizados',
    refused: 'rechazados',
    pending: 'pendientes',
    wrong: 'con error',
  },
  en: { documents: 'documents', authorized: 'authorized', refused: 'refused', pending: 'pending', wrong: 'wrong' },
} as const;

function nameOf({ reference, lines }: BatchEntry): string {
  return reference ?? `#${lines[0]}`;
}
