/** What the words of a search field can mean. A document matches when one of the meanings fits. */
export interface SearchText {
  /** A whole access key; then the words have no other meaning. */
  readonly accessKey: string | null;
  /** Part of the counterparty's name, as `foldCase` folds it. */
  readonly namePart: string;
  /** The beginning of the counterparty's identification, in lower case as `toLowerAscii` writes it. */
  readonly idStart: string;
  /** The number of the document. */
  readonly sequential: number | null;
  /** Branch and issue point next to the number, six digits: `001002`. */
  readonly series: string | null;
}

/**
 * Reads the words of a search field. 49 digits are an access key. Other words are part of the counterparty's name or the
 * beginning of its identification. Up to nine digits are also the number of the document, with or without its zeros;
 * `001-002-000000123` also names branch and issue point.
 */
export function readSearchText(words: string): SearchText {
  const text = words.trim();
  const numbered = /^(?:([0-9]{3})-([0-9]{3})-)?([0-9]{1,9})$/.exec(text);
  const [, branch, point, digits] = numbered ?? [];
  return {
    accessKey: /^[0-9]{49}$/.test(text) ? text : null,
    namePart: foldCase(text),
    idStart: toLowerAscii(text),
    sequential: digits === undefined ? null : Number(digits),
    series: branch !== undefined && point !== undefined ? branch + point : null,
  };
}

/** Lower case for the letters of ASCII alone, as every database does it. */
export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Folds text to search and sort names. It ignores case in every alphabet (`Ñ` = `ñ`), and whether letters are composed
 * or decomposed. Accents count.
 */
export function foldCase(text: string): string {
  // Lower-casing gives a final sigma another form, but part of a word must still match.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
