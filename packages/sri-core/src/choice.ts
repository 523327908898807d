/**
 * Rejects any other word than the known ones, so that a typo never selects another meaning.
 *
 * @param what names the field in the message.
 * @throws TypeError
 */
export function requireChoice(known: readonly string[], given: unknown, what: string): void {
  if (known.some((word) => word === given)) return;
  throw new TypeError(`${what} has to be one of these: ${known.join(', ')}.`);
}

/**
 * Rejects options that are no object, and a misspelt one: it would be ignored, and its default would hold.
 *
 * @param what names the call in the message.
 * @throws TypeError
 */
export function requireOptions(known: readonly string[], given: unknown, what: string): void {
  if (typeof given !== 'object' || given === null) throw new TypeError(`The options of ${what} have to be an object.`);
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new TypeError(`An option of ${what} has to be one of these: ${known.join(', ')}. There is no "${other}".`);
}

/**
 * Rejects a flag that is neither true nor false. The text `'false'` would hold as true, and the 0 of a database not as false.
 *
 * @param what names the field in the message.
 * @throws TypeError
 */
export function requireFlag(given: unknown, what: string): void {
  if (typeof (given ?? false) !== 'boolean') throw new TypeError(`${what} has to be true or false.`);
}

/**
 * Rejects what is no valid date: a comparison with a text is always false. A date of another realm, as Jest has, is one.
 *
 * @param what names the field in the message.
 * @throws TypeError
 */
export function requireDate(given: unknown, what: string): void {
  if (!Number.isFinite((given as Partial<Date> | null | undefined)?.getTime?.()))
    throw new TypeError(`${what} has to be a Date.`);
}
