import type { TextName } from '../frame/language.js';

/** The text of the total of each type that has a form; null for a type without a total. */
const TOTALS = {
  '01': 'total',
  '03': 'total',
  '04': 'total',
  '05': 'total',
  '06': null,
  '07': 'withheldTotal',
} as const satisfies Readonly<Record<string, TextName | null>>;

/** A type that has a form. */
export type FormType = keyof typeof TOTALS;

/** The types that have a form. Another type is issued over the interface alone. */
export const FORM_TYPES = Object.keys(TOTALS).sort() as readonly FormType[];

/** The text of the total of a type; null for a type without one. */
export function totalNameOf(documentType: string): TextName | null {
  const totals: Readonly<Record<string, TextName | null>> = TOTALS;
  return documentType in totals ? (totals[documentType] ?? null) : 'total';
}
