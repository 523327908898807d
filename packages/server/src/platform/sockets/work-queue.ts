/** Runs pieces of work in order of arrival, a few in each turn of the event loop. */
export type WorkQueue = (work: () => void) => void;

/** @param perTurn pieces that run in one turn of the event loop. */
export function createWorkQueue(perTurn: number): WorkQueue {
  const waiting: (() => void)[] = [];
  const takeSome = () => {
    for (const work of waiting.splice(0, perTurn)) work();
    if (waiting.length > 0) setImmediate(takeSome);
  };
  return (work) => {
    waiting.push(work);
    if (waiting.length === 1) setImmediate(takeSome);
  };
}
