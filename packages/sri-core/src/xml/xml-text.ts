/** Rejects bytes, or nothing, where a text has to be. @throws TypeError */
export function requireXmlText(xml: unknown): void {
  if (typeof xml !== 'string') throw new TypeError('The XML has to be a text: decode its bytes as UTF-8 first.');
}
