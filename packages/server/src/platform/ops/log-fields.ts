/**
 * The allowed fields of a log line. Other fields are dropped, so that logging a whole object leaks nothing.
 * Identifiers, outcomes, measures; never names, addresses, documents or secrets.
 */
export const LOG_FIELDS: ReadonlySet<string> = new Set([
  // Requests.
  'requestId',
  'method',
  'route',
  'status',
  'ms',
  'code',
  'reason',
  'operator',
  // The subject.
  'tenantId',
  'issuerId',
  'documentId',
  'accessKey',
  'mailId',
  'deliveryId',
  'jobId',
  'endpointId',
  // Attempts and rounds.
  'attemptId',
  'attempt',
  'operation',
  'outcome',
  'statusCode',
  'isOurs',
  'kind',
  'task',
  'work',
  'event',
  // Failures.
  'error',
  'message',
  'place',
  'check',
  'stuck',
  // The server itself.
  'url',
  'path',
  'sandboxDocuments',
  'productionDocuments',
  'mail',
  'data',
  'sqliteVersion',
  'needed',
  'delayMs',
  'environment',
  'since',
  'graceMs',
  'offsetMs',
]);

/**
 * The logged part of some fields: known ones, as plain values, with anything like a secret or an address redacted.
 * `dropped` names the others.
 */
export function toLogFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const plain = LOG_FIELDS.has(name) ? toPlain(value) : undefined;
    if (plain !== undefined) written[name] = plain;
    else if (value !== undefined) dropped.push(name.slice(0, MOST_OF_A_NAME));
  }
  if (dropped.length > 0) written['dropped'] = dropped.slice(0, MOST_NAMES);
  return written;
}

/** A text with anything like a secret or a person's address redacted, truncated to the length of a line. */
export function blotOut(text: string): string {
  if (HARMLESS.test(text)) return text;
  // More is searched than is shown: a secret at the cut is found by its whole form.
  const searched = text.slice(0, 2 * MOST_OF_A_TEXT);
  const shown = searched.length > SHORTEST_SECRET ? searched.replace(SECRETS, '[secret]') : searched;
  return (shown.includes('@') ? shown.replace(ADDRESSES, '[address]') : shown).slice(0, MOST_OF_A_TEXT);
}

// --- internal ---

const MOST_OF_A_NAME = 40;
const MOST_NAMES = 10;
const MOST_OF_A_TEXT = 1000;
const SHORTEST_SECRET = 12;

/** Words, ids, access keys and templates of routes: what nearly every field is, too short for any token. */
const HARMLESS = /^(?:[\w.:-]{0,36}|\d{49}|\/[\w.:/-]{0,44})$/;

/**
 * API keys, secrets of webhooks, tokens and digests in hex, keys of 32 bytes in base64, keys in PEM, tokens in a
 * header, and passwords within addresses.
 */
const SECRETS =
  /\b[a-z]{2,8}_(?:test|live)_[0-9A-Za-z]{20,}|\bwhsec_[\w+/=-]+|\b[0-9a-fA-F]{64}\b|[A-Za-z0-9+/]{43}=|-----BEGIN[^-]*-----[\s\S]*|\b(?:Bearer|Basic) +\S+|(?<=:\/\/)[^\s/@]*:[^\s/@]*(?=@)/g;

const ADDRESSES = /[^\s<>"'(),;:@/[\]]+@[^\s<>"'(),;:/[\]]+\.[^\s<>"'(),;:/[\]]+/g;

function toPlain(value: unknown): unknown {
  if (typeof value === 'string') return blotOut(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? value.slice(0, 20).map((text: string) => blotOut(text)) : undefined;
}
