import type { Comprobante } from '../../documents/registry.js';
import type { ReceivedRow } from '../../received/received-list.js';

/** The result for a key. `FAILED`: the SRI gave no usable answer. `PENDING`: the SRI was not asked. */
export type ReceivedStatus =
  | 'AUTHORIZED'
  | 'PENDING_ANNULMENT'
  | 'ANNULLED'
  | 'NOT_AUTHORIZED'
  | 'IN_PROCESS'
  | 'NOT_FOUND'
  | 'FAILED'
  | 'PENDING';

/** The verdict on a key, as the journal keeps it. */
export interface ReceivedVerdict {
  readonly accessKey: string;
  readonly status: ReceivedStatus;
  readonly signatureValid: boolean | null;
  /** As the SRI wrote it. */
  readonly authorizationDate: string | null;
  /** The reason for a missing document, or its fault; null without a fault. */
  readonly reason: string | null;
}

/** A row of the list with its verdict. */
export interface KeyOutcome {
  readonly row: ReceivedRow;
  readonly verdict: ReceivedVerdict;
}

/** With the document, where one was saved. */
export interface ReceivedOutcome extends KeyOutcome {
  readonly comprobante: Comprobante | null;
}

/** Verdicts with a document in the folder. `--resume` asks for the others again: a correction keeps the refused key. */
export function hasDocument({ status }: ReceivedVerdict): boolean {
  return WITH_DOCUMENT.has(status);
}

// --- internal ---

const WITH_DOCUMENT: ReadonlySet<ReceivedStatus> = new Set(['AUTHORIZED', 'PENDING_ANNULMENT', 'ANNULLED']);
