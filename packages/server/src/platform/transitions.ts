/** Which status may follow which: the whole life of one kind of object. A status that may be set again names itself. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** The program was about to take an object where its table does not lead, or from where it no longer stands. */
export class IllegalTransitionError extends Error {
  readonly code = 'ILLEGAL_TRANSITION';

  override get name(): string {
    return 'IllegalTransitionError';
  }
}

/**
 * Every change of a status passes here. Requests that ask for what is not possible are refused before, in the words of
 * their contract; so what this stops is a mistake of the program, and nothing of it is stored.
 *
 * @throws IllegalTransitionError when the table does not lead from the one to the other.
 */
export function requireTransition<Status extends string>(table: Transitions<Status>, from: Status, to: Status): void {
  if (!table[from].includes(to)) throw new IllegalTransitionError(`Nothing leads from ${from} to ${to}.`);
}

/** The statuses from which one can be reached: what the UPDATE that sets it asks for. */
export function statusesBefore<Status extends string>(table: Transitions<Status>, to: Status): readonly Status[] {
  const before: Status[] = [];
  for (const from in table) if (table[from].includes(to)) before.push(from);
  return before;
}
