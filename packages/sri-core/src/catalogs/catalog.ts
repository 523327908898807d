import { type IsoDate, requireIsoDay } from '../calendar.js';

/** The languages of texts; codes are never translated. */
export type Language = 'es' | 'en';

/** Both languages. */
export const LANGUAGES = ['es', 'en'] as const satisfies readonly Language[];

/** A text in both languages. */
export interface LocalizedText {
  readonly es: string;
  readonly en: string;
}

/** A row of an official table. */
export interface CatalogEntry {
  /** Official code, with its zeros. */
  readonly code: string;
  readonly description: LocalizedText;
  /** First day it may be used; absent when the table names none. */
  readonly validFrom?: IsoDate;
  /** Last day it may be used; absent while it is in force. */
  readonly validTo?: IsoDate;
  /** Document and edition that the row comes from. */
  readonly source: string;
}

/** Whether a row is in force on a day, YYYY-MM-DD. Rows without dates always are. @throws TypeError for another form */
export function isInForce(entry: { readonly validFrom?: IsoDate; readonly validTo?: IsoDate }, date: IsoDate): boolean {
  requireIsoDay(date, 'date');
  return (entry.validFrom ?? '') <= date && date <= (entry.validTo ?? '9999-12-31');
}
