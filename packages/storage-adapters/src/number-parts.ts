/**
 * The numbers up to `last` that contain the part in their nine digits.
 *
 * @returns null for more than `most`.
 */
export function numbersWithPart(part: string, last: number, most: number): readonly number[] | null {
  if (!/^\d{1,9}$/.test(part)) return [];
  const numbers = new Set<number>();
  for (let behind = 9 - part.length; behind >= 0; behind -= 1) {
    const tail = 10 ** behind;
    const own = Number(part) * tail;
    const step = tail * 10 ** part.length;
    for (let start = own; start <= last && start < 1e9; start += step) {
      for (let number = start; number < start + tail && number <= last; number += 1) {
        if (number > 0) numbers.add(number);
        if (numbers.size > most) return null;
      }
    }
  }
  return [...numbers];
}
