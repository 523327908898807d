import { countCase } from './tally.js';

/** The expected refusal of a request. */
export interface Expected {
  readonly status: number;
  readonly code: string;
  readonly reason?: string;
  /** With VALIDATION_FAILED: the field that every error names. */
  readonly field?: string;
}

/** An answer whose body was read. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Waits for an answer, reads and counts it. */
export async function see(answer: Response | Promise<Response>): Promise<Seen> {
  const startedAt = performance.now();
  const response = await answer;
  const text = await response.text();
  const ms = performance.now() - startedAt;
  const { status, headers } = response;
  // Served content may contain any text; only problems must not.
  const isProblem = status >= 400;
  countCase({ status, ms, showsInside: isProblem && INSIDE.test(text.replace(/"instance":"[^"]*"/, '')) });
  return { status, headers, text };
}

/** Refused because a field is not valid. */
export function invalidField(field: string): Expected {
  return { status: 400, code: 'VALIDATION_FAILED', field };
}

/**
 * The fault of a refusal; null without one. A refusal must be the expected one, name only the field, be complete, and
 * show neither sent values nor internals.
 */
export function faultOfRefusal(seen: Seen, expected: Expected, sent?: unknown): string | null {
  const { status, headers, text } = seen;
  const got = `got ${status} ${text.slice(0, 300)}`;
  if (status !== expected.status) return `expected ${expected.status}, ${got}`;
  const problem = parseObject(text);
  if (!problem) return `no JSON object, ${got}`;
  const { code, reason, errors } = problem;
  if (code !== expected.code) return `expected ${expected.code}, ${got}`;
  if (expected.reason !== undefined && reason !== expected.reason) return `expected ${expected.reason}, ${got}`;
  for (const member of ['type', 'title', 'detail', 'instance', 'requestId']) {
    if (typeof problem[member] !== 'string' || problem[member] === '') return `no ${member}, ${got}`;
  }
  if (!/^application\/(problem\+)?json; charset=utf-8$/.test(headers.get('content-type') ?? '')) return `type, ${got}`;
  if (code === 'VALIDATION_FAILED') {
    const fault = faultOfErrors(errors, expected.field);
    if (fault) return `${fault}, ${got}`;
  } else if (errors !== undefined) return `errors beside ${String(code)}, ${got}`;
  return faultOfText(text, sent);
}

/** The fault of a text that shows internals or a sent value; null without one. */
export function faultOfText(text: string, sent?: unknown): string | null {
  // An answer repeats the path as sent.
  const said = text.replace(/"instance":"[^"]*"/, '');
  const inside = INSIDE.exec(said);
  if (inside) return `shows «${inside[0]}» in ${text.slice(0, 300)}`;
  // Short texts and days may occur for another reason.
  if (typeof sent !== 'string' || sent.length < 6 || /^\d\d\/\d\d\/\d{4}$/.test(sent)) return null;
  const written = JSON.stringify(sent).slice(1, -1);
  return said.includes(sent) || said.includes(written) ? `shows what was sent: ${text.slice(0, 300)}` : null;
}

// --- internal ---

/** Stacks, SQL, modules, file paths, and JavaScript's words for values. */
const INSIDE =
  /\bat .+:\d+:\d+|SQLITE|sqlite|postgres|select .+ from|insert into|constraint|node_modules|\/src\/|\/tmp\/|\/home\/|file:\/\/|\[object |TypeError|undefined/i;

function faultOfErrors(errors: unknown, field: string | undefined): string | null {
  if (!Array.isArray(errors) || errors.length === 0) return 'no errors';
  if (errors.length > 50) return `${errors.length} errors`;
  for (const error of errors as readonly Record<string, unknown>[]) {
    const { field: named, rule, message, code } = error;
    if (typeof named !== 'string' || typeof rule !== 'string' || typeof message !== 'string') return 'a half error';
    if (code !== named.replace(/\[\d+\]/g, '')) return `code ${String(code)} of ${named}`;
    if (message === '' || /\{[a-z]+\}/i.test(message)) return `the message of ${named}`;
    if (field !== undefined && !isAbout(named, field)) return `names ${named} instead of ${field}`;
  }
  return null;
}

/** Whether an error names the field, a part of it, or its parent. */
function isAbout(named: string, field: string): boolean {
  return named === field || isWithin(named, field) || isWithin(field, named);
}

function isWithin(inner: string, outer: string): boolean {
  return inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
