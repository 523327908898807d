import type { Logger } from 'sri-core';

/** The work of one round for account after account. A failure for one account keeps nothing from the others. */
export interface AccountAttempts {
  /**
   * Does the work of an account. A failure is logged and retried in the next round.
   * @throws what the work throws once the round is stopped, and after `MOST_FAILURES`.
   */
  attempt(tenantId: string, work: () => Promise<void>): Promise<void>;
  /** The accounts whose work failed in this round. */
  readonly failed: readonly string[];
}

/** Begins a round. @param message what the log says of a failure. @param signal stops the round. */
export function createAccountAttempts(logger: Logger, message: string, signal?: AbortSignal): AccountAttempts {
  const failed: string[] = [];
  return {
    failed,
    async attempt(tenantId, work) {
      try {
        await work();
      } catch (error) {
        if (signal?.aborted || failed.length >= MOST_FAILURES) throw error;
        failed.push(tenantId);
        logger.error({ tenantId, error: error instanceof Error ? error.message : 'unknown error' }, message);
      }
    },
  };
}

// --- internal ---

/** With so many failures the cause is not one account. The next round retries. */
const MOST_FAILURES = 200;
