/**
 * The status of a document. `SIGNED`: built and numbered. `PENDING_SEND`: queued for the SRI. `RECEIVED`: the SRI has it.
 * `RETURNED`: reception rejected it (DEVUELTA). `AUTHORIZED`. `NOT_AUTHORIZED`. `VOIDED`: annulled, as confirmed by the
 * issuer.
 */
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Every status of a document. */
export const DOCUMENT_STATUSES = [
  'SIGNED',
  'PENDING_SEND',
  'RECEIVED',
  'RETURNED',
  'AUTHORIZED',
  'NOT_AUTHORIZED',
  'VOIDED',
] as const;

/** The triggers of a transition. */
export type Trigger = 'queue' | 'received' | 'returned' | 'authorized' | 'notAuthorized' | 'rebuild' | 'void';

/** Every legal transition. */
export const TRANSITIONS = {
  SIGNED: { queue: 'PENDING_SEND', rebuild: 'SIGNED' },
  PENDING_SEND: { received: 'RECEIVED', returned: 'RETURNED' },
  // RECEIVED becomes RETURNED when the SRI holds other content under our key (code 43).
  RECEIVED: { authorized: 'AUTHORIZED', notAuthorized: 'NOT_AUTHORIZED', returned: 'RETURNED' },
  RETURNED: { rebuild: 'SIGNED' },
  NOT_AUTHORIZED: { rebuild: 'SIGNED' },
  AUTHORIZED: { void: 'VOIDED' },
  VOIDED: {},
} as const satisfies Record<DocumentStatus, Partial<Record<Trigger, DocumentStatus>>>;

/** The status after a trigger; null for an illegal transition. */
export function nextStatus(status: DocumentStatus, trigger: Trigger): DocumentStatus | null {
  const moves: Partial<Record<Trigger, DocumentStatus>> = TRANSITIONS[status];
  return moves[trigger] ?? null;
}
