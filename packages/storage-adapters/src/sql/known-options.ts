/**
 * Rejects an option that a storage does not have: it would be ignored, and its default would hold.
 *
 * @throws TypeError
 */
export function requireKnown(known: readonly string[], options: object, what: string): void {
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new TypeError(`An option of ${what} has to be one of these: ${known.join(', ')}. There is no "${other}".`);
}
