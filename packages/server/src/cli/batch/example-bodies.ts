import { DOCUMENTS, type DocumentType, type IsoDate, toIsoDate, toIssueDate } from 'sri-core';
import { readCsvFile } from './csv-file.js';
import { findTable } from './tables/index.js';
import { templateCsv } from './write-template.js';

/** A short creation body of a type: that of the first example in its template. Sums that follow are left out. */
export function shortExample(code: DocumentType, today: IsoDate): unknown {
  return readCsvFile(templateCsv(findTable(code), today), { today }).entries[0]?.body;
}

/** A JSONL of the registry's examples, each with a reference. They are valid on that day. */
export function templateJsonl(code: DocumentType, today: IsoDate): string {
  return fullExamples(code, today)
    .map((body, index) => `${JSON.stringify({ reference: `EJEMPLO-${index + 1}`, ...(body as object) })}\n`)
    .join('');
}

/** The name of a type's files, `nota-credito`. */
export function fileNameOf(code: DocumentType): string {
  return DOCUMENTS[code].root.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

// --- internal ---

/** The registry's examples of a type, moved to that day. They are valid on one day, which the first of them names. */
function fullExamples(code: DocumentType, today: IsoDate): readonly unknown[] {
  const { examples }: { readonly examples: readonly { readonly issueDate?: string | null }[] } = DOCUMENTS[code];
  const day = examples.map(({ issueDate }) => toIsoDate(issueDate ?? '')).find((date) => date !== null);
  return day === undefined ? examples : examples.map((body) => moved(body, day, today));
}

/**
 * The same body on another day: its dates move by the same number of days. Older ones stay, since a tax has its rate of that
 * day.
 */
function moved(body: object, from: IsoDate, to: IsoDate): unknown {
  const byMs = Date.parse(to) - Date.parse(from);
  const later = (day: string) => toIssueDate(new Date(Date.parse(day) + byMs).toISOString().slice(0, 10));
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value !== 'string') return value;
      const day = toIsoDate(value);
      if (day !== null) return Math.abs(Date.parse(day) - Date.parse(from)) < RECENT_MS ? later(day) : value;
      // A month moves with the day of issue.
      const [, month, year] = /^(\d\d)\/(\d{4})$/.exec(value) ?? [];
      return month && year ? later(`${year}-${month}-${from.slice(8)}`).slice(3) : value;
    }),
  );
}

const RECENT_MS = 60 * 86_400_000;
