/**
 * The word that was most likely meant by one that is not among them; null where no word is near.
 *
 * @param allowed the words there are.
 */
export function nearestWord(typed: string, allowed: readonly string[]): string | null {
  const most = Math.min(3, Math.max(1, Math.floor(typed.length / 3)));
  const [nearest] = allowed
    // Words of other lengths are farther than that: however long the typed one is, nothing of it is compared.
    .filter((word) => Math.abs(word.length - typed.length) <= most)
    .map((word) => ({ word, distance: editDistance(typed.toLowerCase(), word.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= most ? nearest.word : null;
}

// --- internal ---

/** How many letters have to be added, left out or changed to make one of the other. */
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
