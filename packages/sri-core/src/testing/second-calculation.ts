// The expected values of random documents, computed apart from the product.

/** A text as the XML holds it: line breaks and tabs are blanks. */
export function written(value: string): string {
  return value.replaceAll(/[\r\n\t]+/g, ' ').trim();
}

/** As `written`; null for a blank or absent text. */
export function optional(value: string | null | undefined): string | null {
  return (value && written(value)) || null;
}

/** A text as it is read: on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** An amount with up to two decimals, in cents. */
export function toCents(decimal: string): bigint {
  const [whole = '', decimals = ''] = decimal.split('.');
  return BigInt(whole + decimals.padEnd(2, '0'));
}

/** Cents as an amount with two decimals. */
export function fromCents(value: bigint): string {
  return String(value)
    .padStart(3, '0')
    .replace(/(\d\d)$/, '.$1');
}
