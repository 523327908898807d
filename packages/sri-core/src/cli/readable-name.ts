/**
 * Formats a distinguished name for people. Java writes an unknown attribute as its OID and the hex of its value. Attributes
 * that certificates in Ecuador use get a name; others are left out.
 *
 * @param name the `issuerName` of a certificate.
 */
export function readableName(name: string): string {
  const parts = name.match(/(?:\\.|[^,\\])+/gs) ?? [];
  return parts.flatMap(readablePart).join(', ');
}

// --- internal ---

const NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.5', 'serialNumber'],
  ['2.5.4.97', 'organizationIdentifier'],
  ['1.2.840.113549.1.9.1', 'emailAddress'],
]);
/** UTF8String, PrintableString, IA5String: one octet of type, one of length below 128, and the text. */
const SHORT_TEXT = /^(?:0c|13|16)([0-7][0-9a-f])((?:[0-9a-f]{2})*)$/;

function readablePart(part: string): readonly string[] {
  const [, oid = '', hex = ''] = /^([\d.]+)=#([0-9a-f]+)$/.exec(part) ?? [];
  if (oid === '') return [part];
  const [, length = '', text = ''] = SHORT_TEXT.exec(hex) ?? [];
  const label = NAMES.get(oid);
  if (label === undefined || text === '' || Number.parseInt(length, 16) !== text.length / 2) return [];
  return [`${label}=${Buffer.from(text, 'hex').toString('utf8')}`];
}
