import { hash } from 'node:crypto';

/**
 * SHA-256 (hex) of a JSON value in canonical form: object keys sorted, no spacing. Equal bodies have equal hashes, whatever
 * their formatting.
 *
 * @throws RangeError for a value of more than 500 levels, which not every storage can copy.
 */
export function payloadHash(payload: unknown): string {
  return hash('sha256', canonicalJson(payload));
}

// --- internal ---

const DEEPEST = 500;

function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth >= DEEPEST) throw new RangeError('The value is too deep.');
  let text = '';
  if (Array.isArray(value)) {
    for (const inner of value) text += `${text === '' ? '' : ','}${canonicalJson(inner, depth + 1)}`;
    return `[${text}]`;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(fields).sort()) {
    const inner = fields[name];
    if (inner !== undefined) text += `${text === '' ? '' : ','}${nameJson(name)}:${canonicalJson(inner, depth + 1)}`;
  }
  return `{${text}}`;
}

/** Most names are plain words, which need no escaping. */
function nameJson(name: string): string {
  return /^\w+$/.test(name) ? `"${name}"` : JSON.stringify(name);
}
