import { StorageUnavailableError } from '../errors.js';
import { randomDigits } from '../random.js';
import { LAST_SEQUENTIAL } from '../sequential.js';
import type { Counter, StoreOutcome } from '../storage.js';
import type { LifecycleContext } from './context.js';
import { type Entry, MOST_IN_BATCH, type Numbered, type Signed, SignedBatch, type Waiting } from './signed-batch.js';

/**
 * Gives the numbers of one counter. Documents that arrive while others are being stored are signed at once, side by side,
 * under the numbers behind those, and share the next commit: no lock is held while signing, and the disk is waited for
 * once. A commit is refused when the counter does not stand at its first number, so that none is lost or given twice;
 * whoever loses such races again and again keeps the counter from others instead.
 */
export class CounterLine {
  readonly #context: Pick<LifecycleContext, 'storage' | 'random'>;
  readonly #counter: Counter;
  readonly #forget: () => void;
  readonly #waiting: Entry[] = [];
  #running = false;
  /** Races lost in a row. */
  #lost = 0;
  /** The batch that whoever arrives joins; null where everybody waits. */
  #gathering: SignedBatch | null = null;

  /** @param forget called when nobody waits and no lost race is remembered, so that another line serves as well. */
  constructor(context: Pick<LifecycleContext, 'storage' | 'random'>, counter: Counter, forget: () => void) {
    this.#context = context;
    this.#counter = counter;
    this.#forget = forget;
  }

  /** @throws what `build` threw; SequentialExhaustedError; StorageUnavailableError. Then no number was consumed. */
  number(waiting: Waiting): Promise<Numbered> {
    return new Promise((resolve, reject) => {
      const entry = { waiting, resolve, reject };
      if (this.#gathering && this.#gathering.size < MOST_IN_BATCH) this.#gathering.join(entry);
      else this.#waiting.push(entry);
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      if (this.#lost === 0) await this.#flow();
      else await this.#storeApart(this.#waiting.splice(0, MOST_IN_BATCH));
    }
    this.#running = false;
    if (this.#lost === 0) this.#forget();
  }

  /**
   * Batch after batch, each on its way while the one before is stored, until one of them is not or nobody waits. The
   * storage has what comes first first: the one behind it finds the counter moved, unless that was stored.
   */
  async #flow(): Promise<void> {
    const first = await this.#readCounter();
    if (first === null) return;
    if (isNearEnd(first)) {
      await this.#storeApart(this.#waiting.splice(0, MOST_IN_BATCH), first);
      return;
    }
    const underWay = new Set<Promise<void>>();
    const failures: Failure[] = [];
    let before = Promise.resolve(true);
    let gathering = this.#gather(first);
    while (failures.length === 0 && !isNearEnd(gathering.first)) {
      if (underWay.size === MOST_UNDER_WAY) await Promise.race(underWay);
      else if (underWay.size > 0 && !gathering.isWorthwhile) await Promise.race([...underWay, gathering.worthwhile]);
      else if (gathering.size > 0) {
        const batch = gathering;
        gathering = this.#gather(batch.first + batch.size);
        const { submitted, stored } = this.#submit(batch, before);
        const storing: Promise<void> = stored.then((failure) => {
          underWay.delete(storing);
          if (failure) failures.push(failure);
        });
        underWay.add(storing);
        before = submitted;
      } else break;
    }
    this.#gathering = null;
    await Promise.all(underWay);
    const left = failures.toSorted((a, b) => a.first - b.first);
    // That one batch of a row is not stored is the end of those behind it: one race was lost, not several.
    this.#lost = Math.min(this.#lost, 1);
    this.#waiting.unshift(...left.flatMap(({ again }) => again), ...(await gathering.signed()).entries);
    for (const { apart, cause } of left) await this.#storeOneByOne(apart, cause);
  }

  /** @returns null when it cannot be read; those who wait have been told. */
  async #readCounter(): Promise<number | null> {
    try {
      return await this.#context.storage.nextSequential(this.#counter);
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return null;
    }
  }

  /** Begins to sign what waits, under the numbers from `first` on; whoever arrives joins it. */
  #gather(first: number): SignedBatch {
    const batch = this.#signed(first, this.#waiting.splice(0, MOST_IN_BATCH));
    this.#gathering = batch;
    return batch;
  }

  /**
   * Stores a batch as soon as it is signed and the one before is with the storage.
   *
   * @param before whether that one got there.
   */
  #submit(batch: SignedBatch, before: Promise<boolean>) {
    const submitted = Promise.withResolvers<boolean>();
    const { first } = batch;
    const store = async (): Promise<Failure | null> => {
      let entries: readonly Entry[] = [];
      try {
        const signed = await batch.signed();
        entries = signed.entries;
        // A document that cannot be signed must not leave a gap: the others take their numbers anew.
        if (!signed.isWhole || !(await before)) return { first, again: entries, apart: [] };
        const storing = this.#storeSigned(first, signed);
        submitted.resolve(true);
        const outcome = await storing;
        const again = this.#settle(outcome, signed);
        return outcome.kind === 'stored' ? null : { first, again, apart: [] };
      } catch (error) {
        return { first, again: [], apart: entries, cause: error };
      } finally {
        submitted.resolve(false);
      }
    };
    return { submitted: submitted.promise, stored: store() };
  }

  #storeSigned(firstSequential: number, { documents }: Signed): Promise<StoreOutcome> {
    return this.#context.storage.storeDocuments({ counter: this.#counter, firstSequential, documents });
  }

  /**
   * Stores one batch, and nothing beside it. Who has to try again waits before all others.
   *
   * @param first where the counter stands, if that is known.
   */
  async #storeApart(batch: readonly Entry[], first?: number): Promise<void> {
    try {
      this.#waiting.unshift(...(await this.#store(batch, first)));
    } catch (error) {
      await this.#storeOneByOne(batch, error);
    }
  }

  /** Stores a batch, or its first part. @returns the entries that have to try again. */
  async #store(batch: readonly Entry[], first?: number): Promise<readonly Entry[]> {
    const { storage } = this.#context;
    const counter = this.#counter;
    const locked = this.#lost >= PATIENCE;
    const entries = locked ? batch.slice(0, LOCKED_BATCH) : batch;
    const later = batch.slice(entries.length);
    let signed: Signed = { entries, documents: [], isWhole: false };
    const sign = async (from: number) => {
      signed = await this.#signed(from, entries).signed();
      if (!signed.isWhole) throw new Unsigned();
      return signed.documents;
    };
    const storeNext = async () => {
      const from = first ?? (await storage.nextSequential(counter));
      await sign(from);
      return this.#storeSigned(from, signed);
    };
    try {
      const outcome = await (locked ? storage.storeUnderLock(counter, sign) : storeNext());
      return [...this.#settle(outcome, signed), ...later];
    } catch (error) {
      if (error instanceof Unsigned) return [...signed.entries, ...later];
      throw error;
    }
  }

  /** One refused document must not take its neighbours with it. */
  async #storeOneByOne(batch: readonly Entry[], cause: unknown): Promise<void> {
    if (batch.length === 1 || cause instanceof StorageUnavailableError) {
      for (const entry of batch) entry.reject(cause);
      return;
    }
    for (const entry of batch) {
      try {
        let left: readonly Entry[] = [entry];
        while (left.length > 0) left = await this.#store(left);
      } catch (error) {
        entry.reject(error);
      }
    }
  }

  /** @returns the entries that have to try again. */
  #settle(outcome: StoreOutcome, { entries, documents }: Signed): readonly Entry[] {
    switch (outcome.kind) {
      case 'stored':
        for (const [index, stored] of documents.entries()) entries[index]?.resolve({ kind: 'stored', stored });
        // Who had to keep the counter once does so again at the next race that is lost.
        this.#lost = this.#lost >= PATIENCE ? PATIENCE - 1 : 0;
        return [];
      case 'idempotencyKeyTaken':
        entries[outcome.index]?.resolve({ kind: 'keyTaken' });
        return entries.filter((_, index) => index !== outcome.index);
      case 'counterMoved':
        this.#lost += 1;
        return entries;
      case 'accessKeyTaken':
        return entries;
    }
  }

  #signed(first: number, entries: readonly Entry[]): SignedBatch {
    const batch = new SignedBatch(first, ({ waiting }, sequential) =>
      waiting.build({
        environment: this.#counter.environment,
        sequential,
        numericCode: randomDigits(this.#context.random, 8),
      }),
    );
    for (const entry of entries) batch.join(entry);
    return batch;
  }
}

// --- internal ---

/** A batch that was not stored. */
interface Failure {
  readonly first: number;
  /** Who has to try again. */
  readonly again: readonly Entry[];
  /** Of whom one at least cannot be stored, for that cause. */
  readonly apart: readonly Entry[];
  readonly cause?: unknown;
}

/** Whether somebody might be told that no number is left while those before are not yet taken. */
function isNearEnd(first: number): boolean {
  return first + MOST_IN_BATCH > LAST_SEQUENTIAL;
}

/** Not all documents of a batch could be signed; undoes what was begun for them. */
class Unsigned extends Error {}

/** While one is being stored the next is made ready, up to where it waits for the numbers; a third would wait behind it. */
const MOST_UNDER_WAY = 2;

/**
 * Races that may be lost before the counter is kept from others while signing. Without an end to it, somebody who moves
 * a counter in a loop would keep its creators signing for ever.
 */
const PATIENCE = 3;

/** How many are signed while others wait for the counter, and on SQLite for the whole database. */
const LOCKED_BATCH = 8;
