import { releaseDueHolds } from './mail-admission.js';
import type { AdmittedMail } from './outbox-mail.js';
import { admitted, attemptMail, type OutboxWorkerDeps } from './outbox-worker.js';
import { claimMail } from './rows.js';
import { skipDueMails } from './skipped-mails.js';

/** The outbox worker of one process: it sends several mails at once, so that a hanging mail delays no other. */
export interface MailRounds {
  /**
   * Claims and starts due mails until all places are taken or no mail is left; attempts continue afterwards.
   *
   * @returns the number of started mails, including skipped and held ones.
   */
  round(signal?: AbortSignal): Promise<number>;
  /** The number of running attempts. */
  readonly running: number;
  /** Resolves when an attempt ends; at once when none is running. */
  next(): Promise<void>;
  /** Resolves when no attempt is running. */
  idle(): Promise<void>;
}

/** The most attempts at one time in one process. */
export const MAIL_PLACES = 4;

/** @param onEnd called after each attempt, when a place is free. */
export function createMailRounds(parts: OutboxWorkerDeps, onEnd: () => void = () => {}): MailRounds {
  const running = new Map<Promise<void>, string>();
  const served = new Set<string>();
  let lookedForHoldsAt = Number.NEGATIVE_INFINITY;

  function start(claimed: AdmittedMail): void {
    const { id: mailId, tenantId } = claimed.mail;
    const attempt = attemptMail(parts, claimed)
      .catch((error: unknown) => {
        // The mail is sent again after its lease, under the same Message-ID.
        const reason = error instanceof Error ? error.message : 'unknown error';
        parts.logger.error({ mailId, tenantId, error: reason }, 'what became of a mail was not stored');
      })
      .then(() => {
        running.delete(attempt);
        onEnd();
      });
    running.set(attempt, tenantId);
  }

  /** Accounts take turns, and the last place never goes to an account that has all the others. */
  async function claim(): Promise<AdmittedMail | null> {
    const full = accountsWith(MAIL_PLACES - 1);
    const unserved = await claimExcept([...full, ...served]);
    if (unserved || served.size === 0) return unserved;
    served.clear();
    return claimExcept(full);
  }

  function claimExcept(tenantIds: readonly string[]): Promise<AdmittedMail | null> {
    const { database, clock, leaseMs } = parts;
    return database.transaction((tables) =>
      admitted(parts, tables, claimMail(tables, clock.now(), leaseMs, tenantIds)),
    );
  }

  /** Held mails wait for the start of a day, so one look per minute is enough. */
  async function releaseHolds(signal?: AbortSignal): Promise<void> {
    const at = parts.clock.now().getTime();
    if (Math.abs(at - lookedForHoldsAt) < HOLDS_MS) return;
    lookedForHoldsAt = at;
    await releaseDueHolds(parts, signal);
  }

  function accountsWith(places: number): string[] {
    const tenantIds = [...running.values()];
    return [...new Set(tenantIds)].filter((id) => tenantIds.filter((other) => other === id).length >= places);
  }

  return {
    async round(signal) {
      await releaseHolds(signal);
      let started = parts.rules.mailToBuyers ? 0 : await skipDueMails(parts, signal);
      while (running.size < MAIL_PLACES && !signal?.aborted) {
        const claimed = await claim();
        if (!claimed) break;
        if (served.size >= MOST_REMEMBERED) served.clear();
        served.add(claimed.mail.tenantId);
        start(claimed);
        started += 1;
      }
      return started;
    },
    get running() {
      return running.size;
    },
    async next() {
      if (running.size > 0) await Promise.race(running.keys());
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.keys());
    },
  };
}

/**
 * Sends every due mail until none is left, or `signal` stops it. Failures to store a result are logged.
 *
 * @returns how many attempts were made.
 */
export async function sendDueMails(parts: OutboxWorkerDeps, signal?: AbortSignal): Promise<number> {
  const rounds = createMailRounds(parts);
  let attempts = 0;
  for (;;) {
    // An account at its limit can continue when one of its attempts has ended.
    const wasIdle = rounds.running === 0;
    const started = await rounds.round(signal);
    if (wasIdle && started === 0) return attempts;
    attempts += started;
    await rounds.next();
  }
}

// --- internal ---

/** Accounts that have had their turn; more of them would make the query long. */
const MOST_REMEMBERED = 100;
const HOLDS_MS = 60_000;
