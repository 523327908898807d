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
