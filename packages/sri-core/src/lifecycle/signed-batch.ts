import type { Numbering } from '../documents/write-comprobante.js';
import { SequentialExhaustedError } from '../errors.js';
import { LAST_SEQUENTIAL } from '../sequential.js';
import type { JobLease, NewDocument } from '../storage.js';

/** A document that waits for its number. */
export interface Waiting {
  /** Builds and signs under that number. It runs again when another writer took the number. */
  readonly build: (numbering: Numbering) => Promise<NewDocument>;
}

/** The result of a waiting document: stored, or its idempotency key is already bound. */
export type Numbered =
  | { readonly kind: 'stored'; readonly stored: NewDocument; readonly lease: JobLease | undefined }
  | { readonly kind: 'keyTaken' };

/** A waiting document with its callbacks. */
export interface Entry {
  readonly waiting: Waiting;
  readonly resolve: (numbered: Numbered) => void;
  readonly reject: (reason: unknown) => void;
}

/** Signed documents with their entries. */
export interface Signed {
  readonly entries: readonly Entry[];
  readonly documents: readonly NewDocument[];
  /** False when other documents could not be signed and their numbers are missing. */
  readonly isWhole: boolean;
}

/** Documents that are signed in parallel, each on arrival, under the numbers from `first` on. */
export class SignedBatch {
  readonly first: number;
  readonly #sign: (entry: Entry, sequential: number) => Promise<NewDocument>;
  readonly #entries: Entry[] = [];
  readonly #documents: Promise<NewDocument>[] = [];
  readonly #enough = Promise.withResolvers<void>();

  constructor(first: number, sign: (entry: Entry, sequential: number) => Promise<NewDocument>) {
    this.first = first;
    this.#sign = sign;
  }

  get size(): number {
    return this.#entries.length;
  }

  get hasEnough(): boolean {
    return this.size >= ENOUGH;
  }

  /** Resolves once the batch holds enough documents for a commit. */
  get enough(): Promise<void> {
    return this.#enough.promise;
  }

  /** Starts to sign one more document. Without a number left, the document is rejected. */
  join(entry: Entry): void {
    const sequential = this.first + this.#entries.length;
    if (sequential > LAST_SEQUENTIAL) {
      entry.reject(new SequentialExhaustedError('The counter of this document type has no number left.'));
      return;
    }
    const document = this.#sign(entry, sequential);
    // The errors are handled in order, later.
    document.catch(() => {});
    this.#entries.push(entry);
    this.#documents.push(document);
    if (this.#entries.length === ENOUGH) this.#enough.resolve();
  }

  /** Resolves once every document is signed or rejected. */
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

/** Enough to keep the thread pool busy. More would delay the first of a batch until the last. */
export const MOST_IN_BATCH = 32;

// --- internal ---

/** Smaller batches cost more in commits than they save in waiting. */
const ENOUGH = 12;
