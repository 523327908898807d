/**
 * Folds text for search and sorting of names: case is ignored in every alphabet (`Ñ` = `ñ`), and so is the difference
 * between composed and decomposed letters. Accents count.
 */
export function foldCase(text: string): string {
  // Lower-casing writes a final sigma differently; part of a word must match all the same.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
