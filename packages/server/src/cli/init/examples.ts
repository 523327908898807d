import { DEFAULT_DOCUMENT_TYPE, DOCUMENT_TYPES, type IsoDate } from 'sri-core';
import { templateCsv } from '../batch/csv/write-template.js';
import { fileNameOf, shortExample } from '../batch/example-bodies.js';
import { findTable } from '../batch/tables/index.js';

/** A sample batch for `batch issue`. */
export function exampleRows(today: IsoDate): string {
  return templateCsv(findTable(DEFAULT_DOCUMENT_TYPE), today);
}

/** A body of each type for `invoice create`, by the name of its file. They are valid on that day. */
export function exampleBodies(today: IsoDate): ReadonlyMap<string, string> {
  return new Map(
    DOCUMENT_TYPES.map((code) => [
      `${fileNameOf(code)}.json`,
      `${JSON.stringify(shortExample(code, today), null, 2)}\n`,
    ]),
  );
}
