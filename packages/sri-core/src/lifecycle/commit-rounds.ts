/** The documents of one counter that are being signed. */
export interface Signing {
  count: number;
}

/** Lets the signed batches of all counters go to the storage together, because one commit then serves all of them. */
export interface CommitRounds {
  /** Counts a document of a counter until its signature is settled. */
  count(signing: Signing, signature: Promise<unknown>): void;
  /**
   * Resolves when the batch goes to the storage: once no other counter signs, or enough documents are signed, or after a few
   * milliseconds. A counter has one batch here at a time.
   *
   * @param size documents of the batch.
   */
  join(signing: Signing, size: number): Promise<void>;
}

/** Creates the rounds of one engine. */
export function createCommitRounds(): CommitRounds {
  let total = 0;
  let held: { readonly signing: Signing; readonly size: number; readonly go: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;

  function go(): void {
    clearTimeout(timer);
    timer = undefined;
    const round = held;
    held = [];
    for (const { go } of round) go();
  }

  function goIfDue(): void {
    const size = held.reduce((sum, each) => sum + each.size, 0);
    const own = held.reduce((sum, { signing }) => sum + signing.count, 0);
    if (size >= ENOUGH || total === own) go();
  }

  return {
    count(signing, signature) {
      total += 1;
      signing.count += 1;
      const settled = () => {
        total -= 1;
        signing.count -= 1;
        if (held.length > 0) goIfDue();
      };
      signature.then(settled, settled);
    },
    join(signing, size) {
      return new Promise((resolve) => {
        held.push({ signing, size, go: resolve });
        timer ??= setTimeout(go, LONGEST_MS);
        goIfDue();
      });
    },
  };
}

// --- internal ---

/** Documents of a commit. Fewer cost more in commits than they save in waiting. */
const ENOUGH = 16;

/** A slow signer, such as a KMS, must not hold the batches of others. */
const LONGEST_MS = 10;
