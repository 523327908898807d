/**
 * Brings text to the form in which names are searched and sorted: no difference of case in any alphabet (`Ñ` = `ñ`), none
 * between composed and decomposed letters; accents count.
 */
export function foldCase(text: string): string {
  // Lower-casing writes a sigma at the end of a word differently; a part of a word must match all the same.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
