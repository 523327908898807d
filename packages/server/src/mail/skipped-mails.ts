import { recordOnDocument } from './document-outcome.js';
import type { OutboxWorkerParts } from './outbox-worker.js';
import { listAutomaticMails, markMailSkippedUnclaimed } from './rows.js';

/**
 * Notes the mails of authorizations that are due where buyers get none that nobody asked for. Many at a time, so that they
 * share their commits: otherwise a queue that is worked off would wait for the disk more often for mails that are never
 * sent than for its documents.
 *
 * @returns how many were noted.
 */
export async function skipDueMails(parts: OutboxWorkerParts, signal?: AbortSignal): Promise<number> {
  const { database, clock } = parts;
  let skipped = 0;
  while (!signal?.aborted) {
    const due = await database.read((tables) => listAutomaticMails(tables, clock.now(), AT_A_TIME));
    const noted = await Promise.all(
      due.map(({ id, document }) =>
        recordOnDocument(
          parts,
          document,
          {
            event: { type: 'EMAIL_SKIPPED', detail: { messageId: id } },
            mail: () => ({ status: 'SKIPPED', sentAt: null, error: null }),
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
