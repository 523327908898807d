import { isTheMailOf, recordOnDocument } from './document-outcome.js';
import type { OutboxWorkerDeps } from './outbox-worker.js';
import { listAutomaticMails, markMailSkippedUnclaimed } from './rows.js';

/**
 * Skips the due mails of authorizations where buyers get mails only on request. In batches with one commit each: single
 * commits for unsent mails would cost more disk writes than the documents.
 *
 * @param only.from mails that are due since then; null for all.
 * @param only.issuerId mails of that issuer; null for all.
 * @returns how many were skipped.
 */
export async function skipDueMails(
  parts: OutboxWorkerDeps,
  only: { readonly from?: number | null; readonly issuerId?: string | null } = {},
  signal?: AbortSignal,
): Promise<number> {
  const { database, clock } = parts;
  const { from = null, issuerId = null } = only;
  let skipped = 0;
  while (!signal?.aborted) {
    const due = await database.read((tables) =>
      listAutomaticMails(tables, { from, issuerId, now: clock.now() }, AT_A_TIME),
    );
    const noted = await Promise.all(
      due.map(({ id, recipient, document }) =>
        recordOnDocument(
          parts,
          document,
          {
            event: { type: 'EMAIL_SKIPPED', detail: { messageId: id } },
            mail: (document) =>
              isTheMailOf(document, recipient) ? { status: 'SKIPPED', sentAt: null, error: null } : null,
          },
          (tables) => markMailSkippedUnclaimed(tables, id, clock.now()),
        ),
      ),
    );
    const count = noted.filter(Boolean).length;
    skipped += count;
    if (count === 0) break;
  }
  return skipped;
}

// --- internal ---

const AT_A_TIME = 64;
