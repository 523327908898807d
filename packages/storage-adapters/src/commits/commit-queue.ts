import { setImmediate } from 'node:timers';
import { StorageUnavailableError } from 'sri-core';

/** A write that waits for its commit, and the rules for sharing it. */
export interface Queued {
  /** Its owner. While a commit with writes of an owner runs, no other commit has writes of that owner. */
  readonly owner: string;
  /** The row it writes. A commit has one write per subject; the later write waits. */
  readonly subject: string;
  /** Its share of a commit's size. */
  readonly size: number;
  /** Whether it commits alone. */
  readonly isAlone: boolean;
}

/** A queue of commits. */
export interface CommitQueue<Member extends Queued, Outcome> {
  /** Resolves once the write is committed or rejected. @throws the error of its own commit. */
  submit(member: Member): Promise<Outcome>;
}

/**
 * Creates the queue of one process. A write commits at once, unless the commits in progress reach the limit or one of them
 * is its owner's. Waiting writes share the next commit in their order. One flush to disk and one lock serve all of them.
 *
 * @param options.atOnce the most commits in progress.
 * @param options.commit commits its writes in one transaction and returns their outcomes, in order. When it throws, nothing
 * is committed; the queue retries each half, until the failing write is alone.
 */
export function createCommitQueue<Member extends Queued, Outcome>(options: {
  readonly atOnce: number;
  readonly commit: (members: readonly Member[]) => Promise<readonly Outcome[]>;
}): CommitQueue<Member, Outcome> {
  const { atOnce, commit } = options;
  let waiting: Entry<Member, Outcome>[] = [];
  const owners = new Set<string>();
  let running = 0;
  let isBeginning = false;

  /** Small writes that arrive in the same turn of the event loop share a commit. */
  function beginSoon(): void {
    if (isBeginning || running >= atOnce) return;
    isBeginning = true;
    setImmediate(() => {
      isBeginning = false;
      begin();
    });
  }

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
      // Without the database, each half would fail too.
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
        if (owners.has(member.owner)) return;
        if (member.size >= LARGE) begin();
        else beginSoon();
      }),
  };
}

// --- internal ---

interface Entry<Member, Outcome> {
  readonly member: Member;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** Documents that are worth a commit of their own. */
const LARGE = 8;

/** The most writes of a commit. More would save little, and the first waits for the last. */
const MOST = 64;

/** Picks the next commit: the first write whose owner is free, and the following writes that fit. */
function takeNext<Member extends Queued, Outcome>(
  waiting: readonly Entry<Member, Outcome>[],
  owners: ReadonlySet<string>,
) {
  const taken: Entry<Member, Outcome>[] = [];
  const left: Entry<Member, Outcome>[] = [];
  const subjects = new Set<string>();
  /** Owners with a skipped write: their later writes do not overtake it. */
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
