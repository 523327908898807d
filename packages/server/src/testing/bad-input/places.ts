/** A copy of a body with another value at a path in the form of errors, `items[0].taxes[0].rate`. */
export function withValue(body: unknown, place: string, value: unknown): unknown {
  const path = place.split(/[.[\]]+/).filter((key) => key !== '');
  return changed(body, path, value);
}

// --- internal ---

function changed(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((entry, index) => (String(index) === key ? changed(entry, rest, value) : entry));
  }
  const entries = new Map(typeof target === 'object' && target !== null ? Object.entries(target) : []);
  entries.set(key, changed(entries.get(key), rest, value));
  return Object.fromEntries(entries);
}
