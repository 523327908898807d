import {
  DEFAULT_DOCUMENT_TYPE,
  DOCUMENT_TYPES,
  DOCUMENTS,
  type DocumentType,
  ecuadorDate,
  toIsoDate,
  toIssueDate,
} from 'sri-core';
import type { SeededRandom } from './chaos/seeded-random.js';

/** The day in the examples of the registry. */
const DAY_OF_EXAMPLES = '2026-11-21';

/** A creation body of any type, in JSON. */
export type AnyBody = { readonly documentType: DocumentType } & Readonly<Record<string, unknown>>;

/** Every type in one registration form. */
export const ALL_TYPES = DOCUMENT_TYPES.join(',');

/**
 * A body of a type: a registry example with its days moved.
 *
 * @param today the day of issue, `YYYY-MM-DD`.
 * @param index which example; the first has every field.
 */
export function bodyOf(code: DocumentType, { today = DAY_OF_EXAMPLES, index = 0 } = {}): AnyBody {
  const example = DOCUMENTS[code].examples[index];
  if (!example) throw new RangeError(`${code} has no example ${index}.`);
  return moved(example, Date.parse(today) - Date.parse(DAY_OF_EXAMPLES), today) as AnyBody;
}

/**
 * The same body for another counterparty, such as one of the simulator's special ones.
 *
 * @param email its address, which becomes the only one in the body.
 */
export function toCounterparty(
  body: AnyBody,
  { id, email }: { readonly id?: string; readonly email?: string },
): AnyBody {
  const changed = email === undefined ? body : (withoutAddresses(body) as AnyBody);
  const address = email === undefined ? {} : { email };
  const { recipients } = changed;
  if (Array.isArray(recipients)) {
    const [first, ...others] = recipients;
    return { ...changed, recipients: [{ ...first, ...(id ? { id } : {}), ...address }, ...others] };
  }
  const name = ['buyer', 'supplier', 'subject'].find((party) => Object.hasOwn(changed, party));
  if (name === undefined) throw new Error(`A body of ${body.documentType} names no counterparty.`);
  const party = { ...(changed[name] as object), ...(id ? { idType: '06', id } : {}), ...address };
  return { ...changed, [name]: party };
}

/** Bodies of these types in turn. Without an issue date, each is of the day on which it is first requested. */
export function bodiesByOrder(types: readonly DocumentType[]): (order: number, name: string) => AnyBody {
  const made = new Map<string, AnyBody>();
  return (order, name) => {
    const code = types[order % types.length] ?? DEFAULT_DOCUMENT_TYPE;
    const known = made.get(name);
    if (known) return known;
    const { issueDate: _today, ...body } = bodyOf(code, { today: ecuadorDate(new Date()) });
    made.set(name, body as AnyBody);
    return body as AnyBody;
  };
}

/** A random type other than the default. Tests of bodies try it in addition to an invoice. */
export function secondType(random: SeededRandom): DocumentType {
  return random.pick(OTHER_TYPES);
}

const OTHER_TYPES = DOCUMENT_TYPES.filter((code) => code !== DEFAULT_DOCUMENT_TYPE);

/** The second type of a test run, as in the library's tests. `DOCUMENT_SEED` repeats it; test names contain `name`. */
export const BY_SEED = pickBySeed(Number(process.env['DOCUMENT_SEED'] ?? Math.floor(Math.random() * 1_000_000)));

// --- internal ---

function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'email');
  return Object.fromEntries(kept.map(([name, entry]) => [name, withoutAddresses(entry)]));
}

function pickBySeed(seed: number) {
  const type = OTHER_TYPES[seed % OTHER_TYPES.length] ?? DEFAULT_DOCUMENT_TYPE;
  return { type, name: `${type} (DOCUMENT_SEED=${seed})` };
}

/** Moves days by that many milliseconds; a month becomes the month of issue. */
function moved(value: unknown, by: number, today: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => moved(entry, by, today));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, moved(entry, by, today)]));
  }
  if (typeof value !== 'string') return value;
  const day = toIsoDate(value);
  if (day) return toIssueDate(new Date(Date.parse(day) + by).toISOString().slice(0, 10));
  return /^\d{2}\/\d{4}$/.test(value) ? `${today.slice(5, 7)}/${today.slice(0, 4)}` : value;
}
