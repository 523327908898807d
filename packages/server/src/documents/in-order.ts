/**
 * The results of work on each item, in the order of the items.
 * @param atOnce works that run at once: as many results wait in memory at most.
 * @throws the error of the first work that failed, in the order of the items.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // A failure is thrown in its turn below, or dropped if the reader has left.
    result.catch(() => {});
    running.push(result);
    const [first] = running;
    if (first && running.length >= atOnce) {
      yield await first;
      running.shift();
    }
  }
  for (const result of running) yield await result;
}
