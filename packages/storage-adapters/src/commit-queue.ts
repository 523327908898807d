import { StorageUnavailableError } from 'sri-core';

/** Something that waits to be committed, and how it gets along with others. */
export interface Queued {
  /** Whose it is: while a commit with members of an owner runs, none of the owner's is in another. */
  readonly owner: string;
  /** What it writes to. Of one subject there is at most one member in a commit; the later one waits. */
  readonly subject: string;
  /** How much of a commit it takes up. */
  readonly size: number;
  /** Whether it shares a commit with nobody. */
  readonly isAlone: boolean;
}

/** Commits what is given to it. */
export interface CommitQueue<Member extends Queued, Outcome> {
  /** Resolves once the member is committed, or refused. @throws what its own commit threw. */
  submit(member: Member): Promise<Outcome>;
}

/**
 * A queue for one process. Nobody waits for company: a member is committed at once unless as many commits are running as
 * may be, or one of its owner's. What comes meanwhile shares the next commit, first come first served: so the disk is
 * waited for once, and what all of an owner's writes change is locked once.
 *
 * @param options.atOnce how many commits may run at a time.
 * @param options.commit does all of its members in one transaction, and tells what became of each, in their order. When
 * it throws it has done nothing; then each half of them is tried by itself, until the one to blame is alone.
 */
export function createCommitQueue<Member extends Queued, Outcome>(options: {
  readonly atOnce: number;
  readonly commit: (members: readonly Member[]) => Promise<readonly Outcome[]>;
}): CommitQueue<Member, Outcome> {
  const { atOnce, commit } = options;
  let waiting: Entry<Member, Outcome>[] = [];
  const owners = new Set<string>();
  let running = 0;

  function begin(): void {
    while (running < atOnce) {
      const { taken, left } = takeNext(waiting, owners);
      if (taken.length === 0) return;
      waiting = left;
      void run(taken);
    }
  }

  async function run(batch: readonly Entry<Member, Outcome>[]): Promise<void> {
    const theirs = new Set(batch.map(({ member }) => member.owner));
    for (const owner of theirs) owners.add(owner);
    running += 1;
    await settle(batch);
    running -= 1;
    for (const owner of theirs) owners.delete(owner);
    begin();
  }

  async function settle(batch: readonly Entry<Member, Outcome>[]): Promise<void> {
    try {
      const outcomes = await commit(batch.map(({ member }) => member));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      // With the database away, it would be away for each of them.
      if (batch.length === 1 || error instanceof StorageUnavailableError) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await settle(batch.slice(0, half));
      await settle(batch.slice(half));
    }
  }

  return {
    submit: (member) =>
      new Promise((resolve, reject) => {
        waiting.push({ member, resolve, reject });
        if (!owners.has(member.owner)) begin();
      }),
  };
}

// --- internal ---

interface Entry<Member, Outcome> {
  readonly member: Member;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** Enough that more would save little; the first of a commit waits for the last. */
const MOST = 64;

/** Picks those that share the next commit: the first whose owner is free, and what fits of those behind it. */
function takeNext<Member extends Queued, Outcome>(
  waiting: readonly Entry<Member, Outcome>[],
  owners: ReadonlySet<string>,
) {
  const taken: Entry<Member, Outcome>[] = [];
  const left: Entry<Member, Outcome>[] = [];
  const subjects = new Set<string>();
  /** Those of whom one could not be taken: what they sent later does not overtake it. */
  const held = new Set(owners);
  let takenSize = 0;
  let isFull = false;
  for (const entry of waiting) {
    const { owner, subject, isAlone, size } = entry.member;
    const fits = !isFull && (taken.length === 0 || (!isAlone && takenSize + size <= MOST));
    if (fits && !held.has(owner) && !subjects.has(subject)) {
      taken.push(entry);
      subjects.add(subject);
      takenSize += size;
      isFull = isAlone;
    } else {
      left.push(entry);
      held.add(owner);
    }
  }
  return { taken, left };
}
