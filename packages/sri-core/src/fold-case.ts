/**
 * Folds text to search and sort names. It ignores case in every alphabet (`Ñ` = `ñ`), and whether letters are composed
 * or decomposed. Accents count.
 */
export function foldCase(text: string): string {
  // Lower-casing gives a final sigma another form, but part of a word must still match.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
