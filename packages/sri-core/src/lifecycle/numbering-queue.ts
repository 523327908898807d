import { StorageUnavailableError } from '../errors.js';
import { randomDigits } from '../random.js';
import { LAST_SEQUENTIAL } from '../sequential.js';
import type { Counter, StoreOutcome } from '../storage.js';
import type { CommitRounds, Signing } from './commit-rounds.js';
import type { LifecycleContext } from './context.js';
import { type Entry, MOST_IN_BATCH, type Numbered, type Signed, SignedBatch, type Waiting } from './signed-batch.js';

/**
 * Assigns the numbers of one counter in batches. Documents that arrive during a commit are signed at once, in parallel,
 * under the next numbers, and share the next commit. No lock is held while signing. The storage rejects a batch whose first
 * number is not the counter's next one, so that no number is lost or given twice. After lost races in a row another process
 * takes numbers too: for many batches the queue locks the counter before it signs.
 */
export class NumberingQueue {
  readonly #context: Pick<LifecycleContext, 'storage' | 'random'>;
  readonly #counter: Counter;
  readonly #rounds: CommitRounds;
  readonly #signing: Signing = { count: 0 };
  readonly #forget: () => void;
  readonly #waiting: Entry[] = [];
  #running = false;
  /** Races lost in a row. */
  #lost = 0;
  /** Batches that are still signed under the counter's lock. */
  #toLock = 0;
  /** The batch that new documents join; null while all of them wait. */
  #open: SignedBatch | null = null;

  /** @param forget called when the queue is empty and remembers no other writer, so that a new queue can replace it. */
  constructor(
    context: Pick<LifecycleContext, 'storage' | 'random'>,
    counter: Counter,
    rounds: CommitRounds,
    forget: () => void,
  ) {
    this.#context = context;
    this.#counter = counter;
    this.#rounds = rounds;
    this.#forget = forget;
  }

  /** @throws the errors of `build`; SequentialExhaustedError; StorageUnavailableError. Then no number is consumed. */
  number(waiting: Waiting): Promise<Numbered> {
    return new Promise((resolve, reject) => {
      const entry = { waiting, resolve, reject };
      if (this.#open && this.#open.size < MOST_IN_BATCH) this.#open.join(entry);
      else this.#waiting.push(entry);
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      if (this.#isUndisturbed) await this.#pipeline();
      else await this.#storeAlone(this.#waiting.splice(0, MOST_IN_BATCH));
    }
    this.#running = false;
    if (this.#isUndisturbed) this.#forget();
  }

  /** Whether another writer keeps taking numbers. */
  get #isContended(): boolean {
    return this.#lost >= PATIENCE;
  }

  /** Whether no other writer takes numbers, as far as the queue knows. */
  get #isUndisturbed(): boolean {
    return this.#lost === 0 && this.#toLock === 0;
  }

  /**
   * Runs batch after batch, each submitted while the one before is stored, until one fails or the queue is empty. Batches
   * are submitted in order. If an earlier batch fails, the later one gets `counterMoved`.
   */
  async #pipeline(): Promise<void> {
    const first = await this.#readCounter();
    if (first === null) return;
    if (isNearEnd(first)) {
      await this.#storeAlone(this.#waiting.splice(0, MOST_IN_BATCH));
      return;
    }
    const underWay = new Set<Promise<void>>();
    const failures: BatchFailure[] = [];
    let before = Promise.resolve(true);
    let open = this.#openBatch(first);
    while (failures.length === 0 && !isNearEnd(open.first)) {
      if (underWay.size === MOST_UNDER_WAY) await Promise.race(underWay);
      else if (underWay.size > 0 && !open.hasEnough) await Promise.race([...underWay, open.enough]);
      else if (open.size > 0) {
        const batch = open;
        open = this.#openBatch(batch.first + batch.size);
        const { submitted, stored } = this.#submit(batch, before);
        const storing: Promise<void> = stored.then((failure) => {
          underWay.delete(storing);
          if (failure) failures.push(failure);
        });
        underWay.add(storing);
        before = submitted;
      } else break;
    }
    this.#open = null;
    await Promise.all(underWay);
    const left = failures.toSorted((a, b) => a.first - b.first);
    // When a batch fails, the batches behind it fail too: that counts as one lost race.
    this.#lost = Math.min(this.#lost, 1);
    this.#waiting.unshift(...left.flatMap(({ again }) => again), ...(await open.signed()).entries);
    for (const { apart, cause } of left) await this.#storeOneByOne(apart, cause);
  }

  /** @returns null when the counter cannot be read; the waiting documents are then rejected. */
  async #readCounter(): Promise<number | null> {
    try {
      return await this.#context.storage.nextSequential(this.#counter);
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return null;
    }
  }

  /** Starts to sign the waiting documents, under the numbers from `first` on. New arrivals join the batch. */
  #openBatch(first: number): SignedBatch {
    const batch = this.#signed(first, this.#waiting.splice(0, MOST_IN_BATCH));
    this.#open = batch;
    return batch;
  }

  /**
   * Stores a batch once it is signed and the batch before it is submitted to the storage.
   *
   * @param before whether the batch before was submitted.
   */
  #submit(batch: SignedBatch, before: Promise<boolean>) {
    const submitted = Promise.withResolvers<boolean>();
    const { first } = batch;
    const store = async (): Promise<BatchFailure | null> => {
      const signed = await batch.signed();
      const { entries } = signed;
      try {
        // A document that cannot be signed must not leave a gap: the others get new numbers.
        if (!signed.isWhole || !(await before)) return { first, again: entries, apart: [] };
        await this.#rounds.join(this.#signing, entries.length);
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

  /** Stores one batch alone. Documents that must retry go to the front of the queue. */
  async #storeAlone(batch: Entry[]): Promise<void> {
    // Documents that arrive before the counter is locked join the batch.
    const grow = () => batch.push(...this.#waiting.splice(0, MOST_IN_BATCH - batch.length));
    try {
      this.#waiting.unshift(...(await this.#store(batch, grow)));
    } catch (error) {
      await this.#storeOneByOne(batch, error);
    }
  }

  /**
   * Stores a batch.
   *
   * @param grow adds documents to the batch, once the counter is locked.
   * @returns the entries to retry.
   */
  async #store(batch: readonly Entry[], grow = () => {}): Promise<readonly Entry[]> {
    const { storage } = this.#context;
    const counter = this.#counter;
    let signed: Signed = { entries: batch, documents: [], isWhole: false };
    const sign = async (from: number) => {
      signed = await this.#signed(from, batch).signed();
      if (!signed.isWhole) throw new Unsigned();
      return signed.documents;
    };
    const storeLocked = () =>
      storage.storeUnderLock(counter, (from) => {
        grow();
        return sign(from);
      });
    const storeNext = async () => {
      const from = await storage.nextSequential(counter);
      await sign(from);
      return this.#storeSigned(from, signed);
    };
    try {
      return this.#settle(await (this.#isContended || this.#toLock > 0 ? storeLocked() : storeNext()), signed);
    } catch (error) {
      if (error instanceof Unsigned) return signed.entries;
      throw error;
    }
  }

  /** A rejected document must not reject the others of its batch. */
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

  /** @returns the entries to retry. */
  #settle(outcome: StoreOutcome, { entries, documents }: Signed): readonly Entry[] {
    switch (outcome.kind) {
      case 'stored':
        for (const [index, stored] of documents.entries()) {
          entries[index]?.resolve({ kind: 'stored', stored, lease: outcome.leases?.get(stored.document.id) });
        }
        this.#toLock = this.#isContended ? LOCKED_BATCHES : Math.max(0, this.#toLock - 1);
        this.#lost = 0;
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
    const batch = new SignedBatch(first, ({ waiting }, sequential) => {
      const document = waiting.build({
        environment: this.#counter.environment,
        sequential,
        numericCode: randomDigits(this.#context.random, 8),
      });
      this.#rounds.count(this.#signing, document);
      return document;
    });
    for (const entry of entries) batch.join(entry);
    return batch;
  }
}

// --- internal ---

/** A batch that was not stored. */
interface BatchFailure {
  readonly first: number;
  /** The entries to retry. */
  readonly again: readonly Entry[];
  /** The entries of which at least one cannot be stored, for that cause. */
  readonly apart: readonly Entry[];
  readonly cause?: unknown;
}

/** Whether an entry might be rejected as exhausted while the numbers before it are not yet taken. */
function isNearEnd(first: number): boolean {
  return first + MOST_IN_BATCH > LAST_SEQUENTIAL;
}

/** Some documents of a batch could not be signed; the batch is undone. */
class Unsigned extends Error {}

/** While one batch is stored, the next is prepared until it waits for its numbers. A third would only wait behind it. */
const MOST_UNDER_WAY = 2;

/**
 * Lost races before the counter is locked while signing. Without this limit, a caller that moves a counter in a loop would
 * keep creators signing for ever.
 */
const PATIENCE = 2;

/**
 * Batches that are signed under the lock before the queue tries without it again. Two processes that take numbers of one
 * counter in turns lose nearly every second race.
 */
const LOCKED_BATCHES = 200;
