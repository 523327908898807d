/**
 * The closest allowed word to an unknown one; null when none is close.
 *
 * @param allowed the allowed words.
 */
export function nearestWord(typed: string, allowed: readonly string[]): string | null {
  const most = Math.min(3, Math.max(1, Math.floor(typed.length / 3)));
  const [nearest] = allowed
    // Words of very different length are too far, so a long input costs no comparison.
    .filter((word) => Math.abs(word.length - typed.length) <= most)
    .map((word) => ({ word, distance: editDistance(typed.toLowerCase(), word.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= most ? nearest.word : null;
}

// --- internal ---

/** The edit distance of two words: letters to add, remove or change. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let place = 1; place <= to.length; place += 1) {
      const changed = (row[place - 1] ?? 0) + (letter === to[place - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
