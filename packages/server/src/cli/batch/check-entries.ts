import {
  describeFailure,
  describeWarning,
  ecuadorDate,
  type PreparedDocument,
  translate,
  ValidationError,
} from 'sri-core';
import { prepareWithoutIssuer } from '../../documents/prepare-without-issuer.js';
import { type BatchEntry, nameField } from './batch-entry.js';

/** The findings in an entry before the request to the server. */
export interface Judgement {
  /** The error that stops it, in one line; null without one. */
  readonly fault: string | null;
  /** Warnings that do not stop it. Empty if an error stops it. */
  readonly warnings: readonly string[];
}

/** Validates an entry as the server would: reports the errors of its file and of the rules together. */
export function judgeEntry(entry: BatchEntry, language: 'es' | 'en'): Judgement {
  const { errors, body, columnOf } = entry;
  const faults = errors.map(({ field, message }) => `${field}: ${translate(message, language)}`);
  // An error in a column is reported once, not again as a missing field.
  const reported = new Set(errors.map(({ field }) => field));
  try {
    if (errors.length > 0 && 'text' in body) return { fault: faults.join(' '), warnings: [] };
    const prepared = prepareWithoutIssuer(body, { today: ecuadorDate(new Date()), strict: false });
    if (faults.length > 0) return { fault: faults.join(' '), warnings: [] };
    return {
      fault: null,
      warnings: [...warningsOf(entry, prepared, language), ...zeroSums(entry, prepared, language)],
    };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const more = error.failures
      .filter(({ field }) => !reported.has(columnOf(field) ?? ''))
      .map((failure) => `${nameField(entry, failure.field)}: ${describeFailure(failure, language)}`);
    return { fault: [...faults, ...more].join(' '), warnings: [] };
  }
}

// --- internal ---

function warningsOf(entry: BatchEntry, { warnings }: PreparedDocument, language: 'es' | 'en'): readonly string[] {
  return warnings.map((warning) => `${nameField(entry, warning.field)}: ${describeWarning(warning, language)}`);
}

/** Sums of zero are allowed, but seldom intended. */
function zeroSums(entry: BatchEntry, prepared: PreparedDocument, language: 'es' | 'en'): readonly string[] {
  if ('total' in prepared && Number(prepared.total) === 0) return [translate(ZERO_TOTAL, language)];
  const items = 'items' in prepared ? prepared.items : [];
  return items.flatMap(({ subtotal }, index) =>
    subtotal === 0n ? [`${nameField(entry, `items[${index}].quantity`)}: ${translate(ZERO_LINE, language)}`] : [],
  );
}

const ZERO_TOTAL = { es: 'El total es 0.00.', en: 'The total is 0.00.' };
const ZERO_LINE = { es: 'la línea suma 0.00.', en: 'the line adds up to 0.00.' };
