import type { TSchema } from '@sinclair/typebox';
import { type IsoDate, toIsoDate } from 'sri-core';
import * as schemas from '../schema-words.js';
import type { Field } from './field.js';
import type { QueryReader } from './parse-query.js';
import { toUuid } from './uuid.js';

/** A field of a query. */
export type QueryField<Value> = Field<QueryReader, Value>;

/** One of a few words; null if it is absent. */
export function queryChoice<const Word extends string>(words: readonly Word[], about: string): QueryField<Word | null> {
  return optional(schemas.oneOf(words, about), (query, name) => query.choice(name, words));
}

/** A text of 1 to `max` code points; null if it is absent. */
export function queryWords(max: number, about: string, example: string): QueryField<string | null> {
  return optional(schemas.text(about, example, { maxLength: max }), (query, name) => query.words(name, max));
}

/** Any text; null if it is absent. */
export function queryText(schema: TSchema): QueryField<string | null> {
  return optional(schema, (query, name) => query.text(name));
}

/** A whole access key; null if it is absent. */
export function queryAccessKey(about: string): QueryField<string | null> {
  return optional(schemas.accessKeyText(about), (query, name) => {
    const sent = query.text(name);
    if (sent === null || /^[0-9]{49}$/.test(sent)) return sent;
    query.fail(name, 'accessKey');
    return null;
  });
}

/** An amount with at most thirteen whole digits and two decimals; null if it is absent. */
export function queryAmount(about: string, example: string): QueryField<string | null> {
  const schema = schemas.textOfForm('^[0-9]{1,13}(\\.[0-9]{1,2})?$', about, example);
  return optional(schema, (query, name) => {
    const sent = query.text(name);
    if (sent === null || /^[0-9]{1,13}(?:\.[0-9]{1,2})?$/.test(sent)) return sent;
    query.fail(name, 'amount');
    return null;
  });
}

/** A whole number within bounds. */
export function queryInteger(
  bounds: { readonly min: number; readonly max: number; readonly fallback: number },
  about: string,
): QueryField<number> {
  const { min, max, fallback } = bounds;
  const schema = schemas.whole(about, fallback, { minimum: min, maximum: max });
  return optional({ ...schema, default: fallback }, (query, name) => query.integer(name, bounds));
}

/** A whole number from 1 to `max`; null if it is absent. */
export function queryCount(max: number, about: string): QueryField<number | null> {
  const schema = schemas.whole(about, max, { minimum: 1, maximum: max });
  return optional(schema, (query, name) => query.count(name, max));
}

/** A day in the form of documents; null if it is absent. */
export function queryDate(about: string): QueryField<IsoDate | null> {
  return optional(schemas.issueDate(about), (query, name) => {
    const sent = query.text(name);
    const date = sent === null ? null : toIsoDate(sent);
    if (sent !== null && date === null) query.fail(name, 'date');
    return date;
  });
}

/** An id; null if it is absent. */
export function queryId(about: string): QueryField<string | null> {
  return optional(schemas.uuid(about), (query, name) => {
    const sent = query.text(name);
    const id = sent === null ? null : toUuid(sent);
    if (sent !== null && id === null) query.fail(name, 'uuid');
    return id;
  });
}

/** The requested page of a list, and its length. */
export function queryPage({ limit = 20, lastPage = 1_000_000 } = {}) {
  return {
    page: queryInteger({ min: 1, max: lastPage, fallback: 1 }, 'Which page, from 1.'),
    limit: queryInteger({ min: 1, max: 100, fallback: limit }, 'How many a page has.'),
  };
}

// --- internal ---

function optional<Value>(schema: TSchema, read: (query: QueryReader, name: string) => Value): QueryField<Value> {
  return { schema, required: false, read };
}
