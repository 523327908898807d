/** The UUID in lower case; null if the text is not a UUID. */
export function toUuid(text: string): string | null {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  return form.test(text) ? text.toLowerCase() : null;
}
