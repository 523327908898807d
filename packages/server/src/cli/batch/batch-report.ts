import { rm } from 'node:fs/promises';
import { type Language, translate } from 'sri-core';
import { type CliText, CommandFailure, toLines, writeOutputFile } from 'sri-core/cli';
import { formatAmount } from '../../platform/formats.js';
import { outcomeOf } from '../client/documents.js';
import type { BatchEntry, BatchFile } from './batch-entry.js';
import { type BatchCall, typedCommand } from './batch-options.js';
import type { Judgement } from './check-entries.js';
import type { EntryResult } from './issue-entries.js';
import type { Journal } from './journal.js';

/** The outcome of an entry, in one line. @param warnings of the entry, printed with it */
export function describeResult(
  result: EntryResult,
  { language, warnings = [] }: { readonly language: Language; readonly warnings?: readonly string[] },
): string {
  const name = nameOf(result.entry, language);
  if (result.kind === 'rejected') return `${name}: ${result.why}`;
  const { accessKey, status, total } = result.document;
  const more = [...(result.why ? [result.why] : []), ...warnings.map((warning) => `! ${warning}`)];
  return [`${name}: ${status} ${accessKey} ${formatAmount(total)}`, ...more].join(' — ');
}

/** The result of `--check`. */
export function reportCheck(file: BatchFile, judged: ReadonlyMap<BatchEntry, Judgement>, { language }: BatchCall) {
  const wrong = file.entries.filter((entry) => judged.get(entry)?.fault);
  const errors = wrong.map((entry) => ({
    lines: entry.lines,
    reference: entry.reference,
    error: judged.get(entry)?.fault,
  }));
  const warnings = listWarnings(file.entries, (entry) => judged.get(entry)?.warnings ?? []);
  const counts = {
    documents: file.entries.length,
    right: file.entries.length - wrong.length,
    wrong: wrong.length,
    warned: warnings.length,
  };
  const list = [
    ...errors.map((wrongOne) => `${nameOf(wrongOne, language)}: ${wrongOne.error}`),
    ...warnings.map((warned) => `${nameOf(warned, language)}: ! ${warned.warnings.join(' ! ')}`),
  ];
  return {
    json: { ok: wrong.length === 0, ...counts, errors, warnings },
    text: [reportCounts(counts, language), ...list].join('\n'),
    passed: wrong.length === 0,
  };
}

/** A failure that stopped a batch, with the command that resumes. */
export function interrupted(
  error: CommandFailure,
  { call, file, journal }: Pick<Ending, 'call' | 'file'> & { readonly journal: Journal },
): CommandFailure {
  const total = file.entries.length;
  const issued = file.entries.filter(({ identity }) => journal.entries.has(identity)).length;
  const go = typedCommand(call);
  return new CommandFailure(
    error.code,
    {
      es: `${translate(error.words, 'es')}\nEl lote quedó en ${issued} de ${total}. Para seguir, sin emitir nada dos veces: ${go}`,
      en: `${translate(error.words, 'en')}\nThe batch stands at ${issued} of ${total}. To go on, issuing nothing twice: ${go}`,
    },
    error.members,
  );
}

/** A batch that is complete, or was stopped by the user. */
export interface Ending {
  readonly call: BatchCall;
  readonly path: string;
  readonly file: BatchFile;
  readonly results: readonly EntryResult[];
  readonly warningsOf: (entry: BatchEntry) => readonly string[];
  readonly stopped: boolean;
}

/** Writes the rows with errors into their file, and reports the outcome of all. */
export async function conclude({ call, path, file, results, warningsOf, stopped }: Ending) {
  const issued = results.filter((result) => result.kind === 'issued');
  const rejected = results.filter((result) => result.kind === 'rejected');
  const withOutcome = (...wanted: readonly string[]) =>
    issued.filter(({ document }) => wanted.includes(outcomeOf(document)));
  const refused = withOutcome('refused', 'failed');
  const warned = listWarnings(
    issued.map(({ entry }) => entry),
    warningsOf,
  );
  const counts = {
    documents: file.entries.length,
    authorized: withOutcome('authorized').length,
    refused: refused.length,
    pending: file.entries.length - rejected.length - withOutcome('authorized', 'refused', 'failed').length,
    wrong: rejected.length,
    warned: warned.length,
  };
  const earlier = issued.filter((result) => result.earlier).length;
  const errorsPath = path.replace(/(\.\w+)$/, '.errors$1');
  if (rejected.length > 0) {
    const failed = rejected.map(({ entry, why }) => ({ entry, error: why }));
    await writeOutputFile(errorsPath, file.writeErrors(failed), { force: true });
  } else if (!stopped) await rm(errorsPath, { force: true });
  const notices: CliText[] = [];
  if (earlier > 0) {
    notices.push({
      es: `${earlier} ya estaban emitidos de antes y no se emitieron otra vez.`,
      en: `${earlier} had been issued before and were not issued again.`,
    });
  }
  if (rejected.length > 0) {
    notices.push({
      es: [
        `Las filas con error están en ${errorsPath}. Corríjalas de una de estas dos maneras, no de ambas:`,
        `  en ${path}, y luego: ${typedCommand(call)}`,
        `  en ${errorsPath}, y luego: ${typedCommand(call, { path: errorsPath, resume: false })}`,
      ].join('\n'),
      en: [
        `The rows with errors are in ${errorsPath}. Mend them in one of these two ways, not in both:`,
        `  in ${path}, and then: ${typedCommand(call)}`,
        `  in ${errorsPath}, and then: ${typedCommand(call, { path: errorsPath, resume: false })}`,
      ].join('\n'),
    });
  }
  if (stopped || counts.pending > 0) {
    notices.push({ es: `Para terminar: ${typedCommand(call)}`, en: `To finish: ${typedCommand(call)}` });
  }
  const passed = counts.authorized === counts.documents;
  const lines = [
    ...[...refused, ...rejected].map((result) => describeResult(result, call)),
    ...warned.map((entry) => `${nameOf(entry, call.language)}: ! ${entry.warnings.join(' ! ')}`),
  ];
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
      warnings: warned,
    },
    text: [reportCounts(counts, call.language), ...lines].join('\n'),
    notices,
    passed,
  };
}

// --- internal ---

const LABELS = {
  documents: { es: 'comprobantes', en: 'documents' },
  right: { es: 'bien', en: 'right' },
  authorized: { es: 'autorizados', en: 'authorized' },
  refused: { es: 'rechazados', en: 'refused' },
  pending: { es: 'pendientes', en: 'pending' },
  wrong: { es: 'con error', en: 'wrong' },
  warned: { es: 'con avisos', en: 'with warnings' },
} as const;

function reportCounts(counts: Partial<Readonly<Record<keyof typeof LABELS, number>>>, language: Language): string {
  const named = Object.entries(counts).map(([name, count]) => [LABELS[name as keyof typeof LABELS][language], count]);
  return toLines(Object.fromEntries(named));
}

function listWarnings(entries: readonly BatchEntry[], warningsOf: Ending['warningsOf']) {
  return entries.flatMap((entry) => {
    const warnings = warningsOf(entry);
    const { reference, lines } = entry;
    return warnings.length > 0 ? [{ reference, lines, warnings }] : [];
  });
}

/** An entry as users find it in their file: its reference, if it has one, and its lines. */
function nameOf({ reference, lines }: Pick<BatchEntry, 'reference' | 'lines'>, language: Language): string {
  const one = language === 'es' ? 'línea' : 'line';
  const place = `${one}${lines.length > 1 ? 's' : ''} ${lines.join(', ')}`;
  return reference === null ? place : `${reference} (${place})`;
}
