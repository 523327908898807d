import { SequentialExhaustedError, StorageUnavailableError } from '../errors.js';
import { randomDigits } from '../random.js';
import { LAST_SEQUENTIAL } from '../sequential.js';
import type { Counter, NewDocument, StoreOutcome } from '../storage.js';
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
 * While a batch is stored the next one is signed already, under the numbers behind it. The commit is refused when the counter has moved, so that a number is neither lost nor given twice; whoever loses such
 * races again and again keeps the counter from others instead.
 */
export class CounterLine {
  readonly #context: Pick<LifecycleContext, 'storage' | 'random'>;
  readonly #counter: Counter;
  readonly #forget: () => void;
  readonly #waiting: Entry[] = [];
  #running = false;
  /** Races lost in a row. */
  #lost = 0;
  /** Where the counter stood after the batch before; null when that is long ago, or others move the counter too. */
  #next: number | null = null;
  /** The batch that is signed while the one before it is stored. */
  #ahead: Ahead | null = null;

  /** @param forget called when nobody waits and no lost race is remembered, so that another line serves as well. */
  constructor(context: Pick<LifecycleContext, 'storage' | 'random'>, counter: Counter, forget: () => void) {
    this.#context = context;
    this.#counter = counter;
    this.#forget = forget;
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
    while (this.#waiting.length > 0 || this.#ahead) {
      const ahead = this.#ahead;
      this.#ahead = null;
      const batch = ahead?.entries ?? this.#waiting.splice(0, BATCH);
      try {
        const left = await this.#store(batch, ahead?.signed);
        this.#waiting.unshift(...left, ...(await this.#giveBack()));
      } catch (error) {
        this.#next = null;
        const behind = await this.#giveBack();
        await this.#storeOneByOne(batch, error);
        this.#waiting.unshift(...behind, ...(await this.#giveBack()));
      }
    }
    this.#next = null;
    this.#running = false;
    if (this.#lost === 0) this.#forget();
  }

  /**
   * Stores a batch, or its first part.
   *
   * @param signed what became of signing it, when that was begun ahead.
   * @returns the entries that have to try again.
   */
  async #store(batch: readonly Entry[], signed?: Promise<Built>): Promise<readonly Entry[]> {
    const { storage } = this.#context;
    const counter = this.#counter;
    const locked = this.#lost >= PATIENCE;
    const entries = locked ? batch.slice(0, LOCKED_BATCH) : batch;
    const later = batch.slice(entries.length);
    let built: Built = { fitting: [], documents: [] };
    const build = async (first: number) => {
      built = await (signed ?? this.#build(entries, first));
      return built.documents;
    };
    try {
      const outcome = locked
        ? await storage.storeUnderLock(counter, build)
        : await this.#storeAhead(this.#next ?? (await storage.nextSequential(counter)), build);
      return [...this.#settle(outcome, built), ...later];
    } catch (error) {
      // A document that cannot be signed must not leave a gap: the others take their numbers anew.
      if (error instanceof Unsigned) return [...error.others, ...later];
      throw error;
    }
  }

  /** Signs under the numbers that come next, in the hope that they are still free afterwards. */
  async #storeAhead(
    firstSequential: number,
    build: (first: number) => Promise<readonly NewDocument[]>,
  ): Promise<StoreOutcome> {
    const documents = await build(firstSequential);
    this.#ahead ??= this.#signAhead(firstSequential + documents.length);
    return this.#context.storage.storeDocuments({ counter: this.#counter, firstSequential, documents });
  }

  /** Begins to sign what waits, in the hope that the batch before it is stored. */
  #signAhead(first: number): Ahead | null {
    // Nobody must be told too early that no number is left.
    if (this.#lost > 0 || this.#waiting.length === 0 || first + BATCH > LAST_SEQUENTIAL) return null;
    const entries = this.#waiting.splice(0, BATCH);
    const signed = this.#build(entries, first);
    // Looked at when their turn comes.
    signed.catch(() => {});
    return { first, entries, signed };
  }

  /** Gives up what was signed ahead when its numbers are not the next ones. @returns the entries, but for those that were told. */
  async #giveBack(): Promise<readonly Entry[]> {
    const ahead = this.#ahead;
    if (!ahead || ahead.first === this.#next) return [];
    this.#ahead = null;
    return ahead.signed.then(
      () => ahead.entries,
      (unsigned: Unsigned) => unsigned.others,
    );
  }

  /** @returns the entries that have to try again. */
  #settle(outcome: StoreOutcome, { fitting, documents }: Built): readonly Entry[] {
    switch (outcome.kind) {
      case 'stored':
        for (const [index, stored] of documents.entries()) fitting[index]?.resolve({ kind: 'stored', stored });
        this.#next = this.#lost === 0 ? nextAfter(documents) : null;
        // Who had to keep the counter once does so again at the next race that is lost.
        this.#lost = this.#lost >= PATIENCE ? PATIENCE - 1 : 0;
        return [];
      case 'idempotencyKeyTaken':
        fitting[outcome.index]?.resolve({ kind: 'keyTaken' });
        return fitting.filter((_, index) => index !== outcome.index);
      case 'counterMoved':
        this.#next = null;
        this.#lost += 1;
        return fitting;
      case 'accessKeyTaken':
        return fitting;
    }
  }

  /** Builds and signs side by side. @throws Unsigned when one of them cannot be; those have been told. */
  async #build(entries: readonly Entry[], first: number): Promise<Built> {
    const fitting = entries.slice(0, Math.max(0, LAST_SEQUENTIAL - first + 1));
    for (const entry of entries.slice(fitting.length)) {
      entry.reject(new SequentialExhaustedError('The counter of this document type has no number left.'));
    }
    const results = await Promise.allSettled(fitting.map((entry, index) => this.#buildOne(entry, first + index)));
    const documents: NewDocument[] = [];
    const others: Entry[] = [];
    for (const [index, entry] of fitting.entries()) {
      const result = results[index];
      if (result?.status === 'rejected') entry.reject(result.reason);
      if (result?.status !== 'fulfilled') continue;
      documents.push(result.value);
      others.push(entry);
    }
    if (others.length < fitting.length) throw new Unsigned(others);
    return { fitting, documents };
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

  #buildOne(entry: Entry, sequential: number): Promise<NewDocument> {
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

/** A batch that is being signed under the numbers from `first` on. */
interface Ahead {
  readonly first: number;
  readonly entries: readonly Entry[];
  readonly signed: Promise<Built>;
}

/** Documents that were built, and for whom. */
interface Built {
  readonly fitting: readonly Entry[];
  readonly documents: readonly NewDocument[];
}

/** The number after those of a batch. */
function nextAfter(documents: readonly NewDocument[]): number | null {
  const last = documents.at(-1);
  return last ? last.document.sequential + 1 : null;
}

/** Some documents of a batch could not be signed. */
class Unsigned extends Error {
  readonly others: readonly Entry[];

  constructor(others: readonly Entry[]) {
    super('A document could not be signed.');
    this.others = others;
  }
}

/**
 * Races that may be lost before the counter is kept from others while signing. Without an end to it, somebody who moves
 * a counter in a loop would keep its creators signing for ever.
 */
const PATIENCE = 3;

/** How many are signed while others wait for the counter, and on SQLite for the whole database. */
const LOCKED_BATCH = 8;

/** Enough to keep the thread pool busy; more would only make the first of a batch wait for the last. */
const BATCH = 32;
