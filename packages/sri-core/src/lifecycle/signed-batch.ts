import type { Numbering } from '../documents/write-comprobante.js';
import { SequentialExhaustedError } from '../errors.js';
import { LAST_SEQUENTIAL } from '../sequential.js';
import type { NewDocument } from '../storage.js';

/** A document that waits for its number. */
export interface Waiting {
  /** Builds and signs under that number; it is called again when the number was lost to somebody else. */
  readonly build: (numbering: Numbering) => Promise<NewDocument>;
}

/** What became of a waiting document: stored, or its idempotency key turned out to be bound already. */
export type Numbered = { readonly kind: 'stored'; readonly stored: NewDocument } | { readonly kind: 'keyTaken' };

/** A waiting document, and whom to tell. */
export interface Entry {
  readonly waiting: Waiting;
  readonly resolve: (numbered: Numbered) => void;
  readonly reject: (reason: unknown) => void;
}

/** Documents that were signed, and for whom. */
export interface Signed {
  readonly entries: readonly Entry[];
  readonly documents: readonly NewDocument[];
  /** False when others could not be signed, whose numbers are missing. */
  readonly isWhole: boolean;
}

/** Documents that are signed side by side, each from the moment it comes, under the numbers from `first` on. */
export class SignedBatch {
  readonly first: number;
  readonly #sign: (entry: Entry, sequential: number) => Promise<NewDocument>;
  readonly #entries: Entry[] = [];
  readonly #documents: Promise<NewDocument>[] = [];
  readonly #worthwhile = Promise.withResolvers<void>();

  constructor(first: number, sign: (entry: Entry, sequential: number) => Promise<NewDocument>) {
    this.first = first;
    this.#sign = sign;
  }

  get size(): number {
    return this.#entries.length;
  }

  get isWorthwhile(): boolean {
    return this.size >= WORTHWHILE;
  }

  /** Resolves once they are so many that a commit is well spent on them. */
  get worthwhile(): Promise<void> {
    return this.#worthwhile.promise;
  }

  /** Begins to sign one more; who comes when no number is left is told so. */
  join(entry: Entry): void {
    const sequential = this.first + this.#entries.length;
    if (sequential > LAST_SEQUENTIAL) {
      entry.reject(new SequentialExhaustedError('The counter of this document type has no number left.'));
      return;
    }
    const document = this.#sign(entry, sequential);
    // Looked at when their turn comes.
    document.catch(() => {});
    this.#entries.push(entry);
    this.#documents.push(document);
    if (this.#entries.length === WORTHWHILE) this.#worthwhile.resolve();
  }

  /** Resolves once each is signed, or was told that it cannot be. */
  async signed(): Promise<Signed> {
    const results = await Promise.allSettled(this.#documents);
    const entries: Entry[] = [];
    const documents: NewDocument[] = [];
    for (const [index, entry] of this.#entries.entries()) {
      const result = results[index];
      if (result?.status === 'rejected') entry.reject(result.reason);
      if (result?.status !== 'fulfilled') continue;
      entries.push(entry);
      documents.push(result.value);
    }
    return { entries, documents, isWhole: entries.length === this.#entries.length };
  }
}

/** Enough to keep the thread pool busy; more would only make the first of a batch wait for the last. */
export const MOST_IN_BATCH = 32;

// --- internal ---

/** Batches of a few would spend more on their commits than they gain by not waiting. */
const WORTHWHILE = 12;
