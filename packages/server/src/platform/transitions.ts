/** The allowed transitions of one kind of object. A status that may be set again names itself. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** The program tried a transition that its table does not allow, or from a status that the object no longer has. */
export class IllegalTransitionError extends Error {
  readonly code = 'ILLEGAL_TRANSITION';

  override get name(): string {
    return 'IllegalTransitionError';
  }
}

/**
 * A status that a rule computes passes here; a statement with both statuses has its own condition. Requests for an impossible change are rejected before, in the words of their
 * contract. So an error here is a bug, and nothing of it is stored.
 * @throws IllegalTransitionError if the table does not allow the transition.
 */
export function requireTransition<Status extends string>(table: Transitions<Status>, from: Status, to: Status): void {
  if (!table[from].includes(to)) throw new IllegalTransitionError(`Nothing leads from ${from} to ${to}.`);
}

/** The statuses from which a status can be reached: the condition of the UPDATE that sets it. */
export function statusesBefore<Status extends string>(table: Transitions<Status>, to: Status): readonly Status[] {
  const before: Status[] = [];
  for (const from in table) if (table[from].includes(to)) before.push(from);
  return before;
}
