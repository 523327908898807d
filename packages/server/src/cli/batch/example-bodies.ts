import { DOCUMENTS, type DocumentType, type IsoDate, toIsoDate, toIssueDate } from 'sri-core';
import { readCsvFile } from './csv/csv-file.js';
import { templateCsv } from './csv/write-template.js';
import { findTable } from './tables/index.js';

/** The registry's examples of a type, moved to that day. */
export function fullExamples(code: DocumentType, today: IsoDate): readonly unknown[] {
  return DOCUMENTS[code].examples.map((body) => movedTo(today, body));
}

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

/** The same body on another day: all of its dates move by the same number of days. */
function movedTo(today: IsoDate, body: { readonly issueDate?: string | null }): unknown {
  const from = toIsoDate(body.issueDate ?? '');
  if (from === null) return body;
  const byMs = Date.parse(today) - Date.parse(from);
  const moved = (day: string) => new Date(Date.parse(day) + byMs).toISOString().slice(0, 10);
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) => {
      const day = typeof value === 'string' ? toIsoDate(value) : null;
      if (day !== null) return toIssueDate(moved(day));
      // A month moves with the day of issue.
      const month = typeof value === 'string' ? /^(\d\d)\/(\d{4})$/.exec(value) : null;
      return month ? toIssueDate(moved(`${month[2]}-${month[1]}-${from.slice(8)}`)).slice(3) : value;
    }),
  );
}
