import type { Logger, SriResponse, Storage } from 'sri-core';
import type { Metrics } from './metrics.js';

/**
 * The same storage, which reports each attempt of a worker for a document: to the metrics by its outcome, to the log
 * with the ids of document, job and attempt.
 * @param onLook called whenever the engine polls for work.
 */
export function watchAttempts(
  storage: Storage,
  { metrics, logger, onLook }: { readonly metrics: Metrics; readonly logger: Logger; readonly onLook: () => void },
): Storage {
  return {
    ...storage,
    async claimJobs(claim) {
      const claimed = await storage.claimJobs(claim);
      // Reported only afterwards: a database that never answers is no progress.
      onLook();
      return claimed;
    },
    async nextDueAt() {
      const dueAt = await storage.nextDueAt();
      onLook();
      return dueAt;
    },
    async changeDocument(change) {
      const outcome = await storage.changeDocument(change);
      if (outcome !== 'applied') return outcome;
      for (const response of change.responses) {
        metrics.countAttempt({ operation: operationOf(response), outcome: toOutcome(response.status) });
      }
      const { lease, document, responses } = change;
      const last = responses.at(-1);
      if (lease && last) {
        logger.info(
          {
            documentId: document.id,
            issuerId: document.issuerId,
            accessKey: document.accessKey,
            attemptId: `${lease.documentId}.${lease.token}`,
            operation: operationOf(last),
            attempt: (document.job?.attemptCount ?? 0) + 1,
            outcome: toOutcome(last.status),
            status: change.set.status ?? document.status,
          },
          'SRI attempt',
        );
      }
      return outcome;
    },
  };
}

// --- internal ---

/** The known answers of the SRI. All others share one name, so that its answers create no labels. */
const OUTCOMES: ReadonlySet<string> = new Set([
  'RECIBIDA',
  'DEVUELTA',
  'AUTORIZADO',
  'NO_AUTORIZADO',
  'RECHAZADA',
  'EN_PROCESO',
  'EN_PROCESAMIENTO',
  'PPR',
  'SIN_RESPUESTA',
]);

function toOutcome(status: string): string {
  if (OUTCOMES.has(status)) return status;
  const httpClass = /^HTTP_([1-5])\d\d$/.exec(status)?.[1];
  return httpClass ? `HTTP_${httpClass}XX` : 'OTHER';
}

function operationOf({ operationType }: SriResponse): string {
  return operationType === 'RECEPTION' ? 'SEND' : 'AUTHORIZE';
}
