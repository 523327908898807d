/** The longest part of a name whose documents are counted beforehand. */
export const MOST_LETTERS = 2;

/** How many characters of a name count as its initial. */
export const INITIAL_LENGTH = 3;

/** Every character of a name and every two in a row, each once. */
export function toLetters(name: string): ReadonlySet<string> {
  const letters = new Set<string>();
  let before = '';
  for (const letter of name) {
    letters.add(letter);
    if (before !== '') letters.add(before + letter);
    before = letter;
  }
  return letters;
}

/** Whether a part is one of those that `toLetters` gives. */
export function isOfLetters(part: string): boolean {
  const { length } = Array.from(part);
  return length > 0 && length <= MOST_LETTERS;
}

/** The first characters of a name, as SQL's `substr` cuts them. */
export function toInitial(name: string): string {
  return Array.from(name).slice(0, INITIAL_LENGTH).join('');
}
