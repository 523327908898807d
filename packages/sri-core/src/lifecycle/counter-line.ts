import { SequentialExhaustedError, StorageUnavailableError } from '../errors.js';
import { randomDigits } from '../random.js';
import { LAST_SEQUENTIAL } from '../sequential.js';
import type { Counter, NewDocument } from '../storage.js';
import type { Numbering } from '../xml/comprobante.js';
import type { LifecycleContext } from './context.js';

/** A document that waits for its number. */
export interface Waiting {
  /** Builds and signs under that number; it is called again when the number was lost to somebody else. */
  readonly build: (numbering: Numbering) => Promise<NewDocument>;
}

/** What became of a waiting document: stored, or its idempotency key turned out to be bound already. */
export type Numbered = { readonly kind: 'stored'; readonly stored: NewDocument } | { readonly kind: 'keyTaken' };

/**
 * Gives the numbers of one counter. Documents that arrive while others are being signed or stored form the next batch:
 * they are signed side by side and share one commit, so no lock is held while signing and the disk is waited for once.
 * The commit is refused when the counter has moved, so that a number is neither lost nor given twice.
 */
export class CounterLine {
  readonly #context: LifecycleContext;
  readonly #counter: Counter;
  readonly #waiting: Entry[] = [];
  #running = false;

  constructor(context: LifecycleContext, counter: Counter) {
    this.#context = context;
    this.#counter = counter;
  }

  /** Whether nobody waits, so that the line can be forgotten. */
  get idle(): boolean {
    return !this.#running && this.#waiting.length === 0;
  }

  /** @throws what `build` threw; SequentialExhaustedError; StorageUnavailableError. Then no number was consumed. */
  number(waiting: Waiting): Promise<Numbered> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ waiting, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        const left = await this.#store(batch);
        this.#waiting.unshift(...left);
      } catch (error) {
        await this.#storeOneByOne(batch, error);
      }
    }
    this.#running = false;
  }

  /** Stores a batch. @returns the entries that have to try again. */
  async #store(batch: readonly Entry[]): Promise<readonly Entry[]> {
    const first = await this.#context.storage.nextSequential(this.#counter);
    const fitting = batch.slice(0, Math.max(0, LAST_SEQUENTIAL - first + 1));
    for (const entry of batch.slice(fitting.length)) {
      entry.reject(new SequentialExhaustedError('The counter of this document type has no number left.'));
    }
    if (fitting.length === 0) return [];

    const built = await Promise.allSettled(fitting.map((entry, index) => this.#build(entry, first + index)));
    const failed = built.some((result) => result.status === 'rejected');
    if (failed) {
      // A document that cannot be signed must not leave a gap: the others take their numbers anew.
      return fitting.filter((entry, index) => {
        const result = built[index];
        if (result?.status === 'rejected') entry.reject(result.reason);
        return result?.status === 'fulfilled';
      });
    }

    const documents = built.map((result) => (result as PromiseFulfilledResult<NewDocument>).value);
    const outcome = await this.#context.storage.storeDocuments({
      counter: this.#counter,
      firstSequential: first,
      documents,
    });
    switch (outcome.kind) {
      case 'stored':
        for (const [index, stored] of documents.entries()) fitting[index]?.resolve({ kind: 'stored', stored });
        return [];
      case 'idempotencyKeyTaken':
        fitting[outcome.index]?.resolve({ kind: 'keyTaken' });
        return fitting.filter((_, index) => index !== outcome.index);
      case 'counterMoved':
      case 'accessKeyTaken':
        return fitting;
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

  #build(entry: Entry, sequential: number): Promise<NewDocument> {
    return entry.waiting.build({
      environment: this.#counter.environment,
      sequential,
      numericCode: randomDigits(this.#context.random, 8),
    });
  }
}

// --- internal ---

interface Entry {
  readonly waiting: Waiting;
  readonly resolve: (numbered: Numbered) => void;
  readonly reject: (reason: unknown) => void;
}

/** Enough to keep the thread pool busy; more would only make the first of a batch wait for the last. */
const BATCH = 32;
