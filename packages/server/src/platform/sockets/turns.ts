/** Runs the pieces of work that it is given, a few in each turn of the event loop, in the order in which they came. */
export type Turns = (work: () => void) => void;

/** @param perTurn pieces that run in one turn of the event loop. */
export function createTurns(perTurn: number): Turns {
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
