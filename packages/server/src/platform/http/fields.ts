import { type TSchema, Type } from '@sinclair/typebox';
import { type IsoDate, isWritableText, normalizeText, toIsoDate } from 'sri-core';
import type { ProblemCode, ProblemReason } from '../errors/error-catalogue.js';
import { Refusal } from '../errors/refusal.js';
import * as schemas from '../schema-words.js';
import { type Fail, type Field, optional, required, textAs } from './field.js';
import type { UploadedFile } from './multipart.js';
import { toUuid } from './uuid.js';

type Nulls = Pick<Field<unknown>, 'nulls'>;

/** The description of a text. */
export interface FieldWords {
  readonly max: number;
  readonly about: string;
  readonly example: string;
}

/** One of a few words. @param rule the rule that another word breaks, with the list `allowed`. */
export function choice<const Word extends string>(
  words: readonly Word[],
  about: string,
  { rule = 'choice', ...rest }: Nulls & { readonly rule?: 'choice' | 'documentType' } = {},
): Field<Word | null> {
  return optional(schemas.oneOf(words, about), (sent, fail) => findWord(words, sent, fail, rule), rest);
}

/** Some of a few words. */
export function choices<const Word extends string>(
  words: readonly Word[],
  about: string,
  { min = 0, ...rest }: Nulls & { readonly min?: 0 | 1 } = {},
): Field<readonly Word[] | null> {
  const list = schemas.listOf(schemas.oneOf(words, 'One of them.'), about);
  const parse = (sent: unknown, fail: Fail) => {
    if (!Array.isArray(sent)) return wrongType(fail, 'array');
    if (sent.length < min) fail('minItems', { min });
    return sent.flatMap((entry, index) => findWord(words, entry, fail, 'choice', `[${index}]`) ?? []);
  };
  return optional({ ...list, ...(min > 0 ? { minItems: min } : {}) }, parse, rest);
}

/** True or false in JSON. */
export function boolean(about: string): Field<boolean | null> {
  const parse = (sent: unknown, fail: Fail) => (typeof sent === 'boolean' ? sent : wrongType(fail, 'boolean'));
  return optional(schemas.flag(about), parse, { nulls: 'refused' });
}

/** `true` or `false` in a form, also `1` or `0`. @param fallback the default; without it, the field is required. */
export function formFlag(about: string, fallback?: boolean): Field<boolean> {
  const inJson = schemas.flag(about);
  return {
    schema: schemas.oneOf(['true', 'false', '1', '0'], about),
    jsonSchema: fallback === undefined ? inJson : schemas.orNull(inJson),
    required: fallback === undefined,
    kind: 'flag',
    absent: fallback ?? false,
    parse(sent, fail) {
      const text = String(sent).trim();
      if (!/^(true|false|1|0)$/.test(text)) fail('choice', { allowed: 'true, false' });
      return text === 'true' || text === '1';
    },
  };
}

/** A whole number within bounds: a JSON number, or plain digits in a query. */
export function integer(
  bounds: { readonly min: number; readonly max: number },
  about: string,
  rest: Nulls = {},
): Field<number | null> {
  const { min, max } = bounds;
  const parse = (sent: unknown, fail: Fail) => {
    const number = typeof sent === 'number' ? sent : Number.NaN;
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    fail('integer', { min, max });
    return null;
  };
  return optional(schemas.whole(about, min, { minimum: min, maximum: max }), parse, rest);
}

/** A whole number within bounds, as digits; null if it is absent. */
export function queryCount(max: number, about: string): Field<number | null> {
  return digitsWithin({ min: 1, max }, schemas.whole(about, max, { minimum: 1, maximum: max }), null);
}

/** A whole number within bounds, as digits, with a default. */
export function queryInteger(
  { fallback, ...bounds }: { readonly min: number; readonly max: number; readonly fallback: number },
  about: string,
): Field<number> {
  const schema = schemas.whole(about, fallback, { minimum: bounds.min, maximum: bounds.max });
  return digitsWithin(bounds, { ...schema, default: fallback }, fallback);
}

/** The requested page of a list, and its length. */
export function queryPage({ limit = 20, lastPage = 1_000_000 } = {}) {
  return {
    page: queryInteger({ min: 1, max: lastPage, fallback: 1 }, 'Which page, from 1.'),
    limit: queryInteger({ min: 1, max: 100, fallback: limit }, 'How many a page has.'),
  };
}

/** A text of 1 to `max` code points, to search for. */
export function queryWords(max: number, about: string, example: string): Field<string | null> {
  return optional(schemas.text(about, example, { maxLength: max }), (sent, fail) =>
    textWithin(sent, max, fail, () => fail('minLength', { min: 1 })),
  );
}

/** A day in the form of documents. */
export function queryDate(about: string): Field<IsoDate | null> {
  return textAs(schemas.issueDate(about), toIsoDate, ['date']);
}

/** An id. */
export function idField(about: string): Field<string | null> {
  return textAs(schemas.uuid(about), toUuid, ['uuid']);
}

/** An id in a path. A text that is not a UUID is malformed. */
export function pathId(of: string): Field<string> {
  return required(idField(`Id of the ${of}.`));
}

/** An id in a path. A text that is not a UUID is rejected with `absent`, like an unknown one. */
export function pathIdOrNone(
  of: string,
  absent: { readonly code?: ProblemCode; readonly reason?: ProblemReason } = {},
): Field<string> {
  const parse = (sent: unknown) => {
    const found = toUuid(String(sent));
    if (found) return found;
    throw new Refusal(absent.code ?? 'NOT_FOUND', absent.reason ? { reason: absent.reason } : {});
  };
  return required(optional(schemas.uuid(`Id of the ${of}.`), parse));
}

/** An access key. Only its form is validated: a key with a wrong check digit does not exist. */
export function accessKeyField(about: string): Field<string | null> {
  return textAs(schemas.accessKeyText(about), (sent) => (/^[0-9]{49}$/.test(sent) ? sent : null), ['accessKey']);
}

/** The access key of a document in a path. */
export const pathAccessKey: Field<string> = required(accessKeyField('Access key of the document.'));

/** An amount with at most thirteen whole digits and two decimals. */
export function amount(about: string, example: string): Field<string | null> {
  const form = '^[0-9]{1,13}(\\.[0-9]{1,2})?$';
  const pattern = new RegExp(form);
  return textAs(schemas.textOfForm(form, about, example), (sent) => (pattern.test(sent) ? sent : null), ['amount']);
}

/** One of a few words of a path, in any case. */
export function pathChoice<const Word extends string>(words: readonly Word[], about: string): Field<Word> {
  return required(
    optional(schemas.oneOf(words, about), (sent, fail) => findWord(words, String(sent).toUpperCase(), fail)),
  );
}

/** A text taken as it is sent. */
export function plainText(schema: TSchema, rest: Nulls = {}): Field<string | null> {
  return optional(schema, (sent, fail) => (typeof sent === 'string' ? sent : wrongType(fail, 'string')), rest);
}

/** Text taken unchanged, of 1 to `max` code points. */
export function jsonText(max: number, about: string, example: string): Field<string | null> {
  return optional(schemas.text(`${about} At most ${max} characters.`, example), (sent, fail) =>
    textWithin(sent, max, fail, () => fail('required')),
  );
}

/** A line of printable text, of 1 to `max` code points. */
export function line(words: FieldWords): Field<string | null> {
  return lineOf(words, (text) => [...text].length);
}

/** A line of text for documents, of 1 to `max` UTF-16 units. */
export function documentLine(words: FieldWords): Field<string | null> {
  return lineOf(words, (text) => text.length);
}

/** A name in a path, which is looked up unchanged. */
export function pathName(about: string, example: string): Field<string> {
  return required(plainText(schemas.text(about, example)));
}

/** A text of a fixed form, blanks around it apart. @param shown the form, for people. */
export function matching(
  pattern: string,
  shown: string,
  { about, example }: Omit<FieldWords, 'max'>,
): Field<string | null> {
  const form = new RegExp(pattern);
  return optional(schemas.textOfForm(pattern, about, example), (sent, fail) => {
    if (typeof sent !== 'string') return wrongType(fail, 'string');
    const trimmed = sent.trim();
    if (!form.test(trimmed)) fail('pattern', { form: shown });
    return trimmed;
  });
}

/** A text with an exact number of digits. */
export function digits(count: number, words: Omit<FieldWords, 'max'>): Field<string> {
  return required(matching(`^[0-9]{${count}}$`, '0123456789012'.slice(0, count), words));
}

/** A field whose parser gets its text without the blanks around it. */
export function trimmed<Value>(field: Field<Value>): Field<Value> {
  return { ...field, parse: (sent, fail) => field.parse(typeof sent === 'string' ? sent.trim() : sent, fail) };
}

/** A file; null if it is absent. */
export function file(about: string): Field<Uint8Array | null> {
  const inJson = Type.String({ contentEncoding: 'base64', description: `${about} As base64.`, examples: ['AAAA'] });
  return optional(
    fileSchema(about),
    (sent, fail) => {
      const [first, ...others] = sent as readonly UploadedFile[];
      if (others.length > 0) fail('single');
      return first?.bytes ?? null;
    },
    { kind: 'file', jsonSchema: schemas.orNull(inJson) },
  );
}

/** A part of a form that holds a file. */
export function fileSchema(about: string): TSchema {
  return Type.String({ contentMediaType: 'application/octet-stream', description: about });
}

/** The password of a container: taken unchanged, blanks included. */
export const certPassword: Field<string | null> = optional(
  schemas.text('Password of the certificate, taken as it is. Left out, it has none.', 'secreta', { maxLength: 512 }),
  (sent, fail) => {
    if (String(sent).length > 512) fail('maxLength', { max: 512 });
    return String(sent);
  },
  { inForm: 'blank' },
);

/** Reports a value of another type. */
export function wrongType(fail: Fail, expected: string): null {
  fail('type', { expected });
  return null;
}

/** A text of 1 to `max` code points, taken unchanged. @param reportBlank reports one without any. */
export function textWithin(sent: unknown, max: number, fail: Fail, reportBlank: () => void): string | null {
  if (typeof sent !== 'string') return wrongType(fail, 'string');
  if (sent.trim() === '') reportBlank();
  else if ([...sent].length > max) fail('maxLength', { max });
  else return sent;
  return null;
}

// --- internal ---

function findWord<Word extends string>(
  words: readonly Word[],
  sent: unknown,
  fail: Fail,
  rule = 'choice',
  at = '',
): Word | null {
  const word = words.find((each) => each === sent);
  if (word === undefined) fail(rule, { allowed: words.join(', ') }, at);
  return word ?? null;
}

function digitsWithin<Absent extends number | null>(
  { min, max }: { readonly min: number; readonly max: number },
  schema: TSchema,
  absent: Absent,
): Field<number | Absent> {
  return {
    schema,
    required: false,
    absent,
    parse(sent, fail) {
      const number = Number(sent);
      if (/^\d{1,15}$/.test(String(sent)) && number >= min && number <= max) return number;
      fail('integer', { min, max });
      return null;
    },
  };
}

function lineOf({ max, about, example }: FieldWords, measure: (text: string) => number): Field<string | null> {
  return optional(schemas.text(`${about} At most ${max} characters.`, example), (sent, fail) => {
    if (typeof sent !== 'string') return wrongType(fail, 'string');
    const text = normalizeText(sent);
    if (text === '') fail('minLength', { min: 1 });
    else if (!isWritableText(text)) fail('text');
    else if (measure(text) > max) fail('maxLength', { max });
    return text;
  });
}
