import type { Language } from '../catalogs/catalog.js';
import { createFailure } from '../documents/messages.js';
import { DocumentNotAuthorizedError, ValidationError, VoidConfirmationRequiredError } from '../errors.js';
import type { Scope, StoredDocument } from '../storage.js';
import { changeDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import { movedEvent } from './history.js';
import { nextStatus } from './status.js';

/** The input of a void. */
export interface Annulment {
  /** The issuer's confirmation that the document was annulled at the SRI. The engine does not check it there. */
  readonly confirmedSriVoid: boolean;
  /** For the record; 1–500 characters, never sent to the SRI. */
  readonly reason: string;
}

/** @throws ValidationError, DocumentNotFoundError, VoidConfirmationRequiredError, DocumentNotAuthorizedError */
export async function voidDocument(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  annulment: Partial<Annulment> = {},
): Promise<StoredDocument> {
  const reason = readReason(annulment.reason, context.language);
  return changeDocument(context, scope, accessKey, (current, now) => {
    if (annulment.confirmedSriVoid !== true) {
      throw new VoidConfirmationRequiredError('Voiding needs confirmation that the SRI annulled the document.');
    }
    const status = nextStatus(current.status, 'void');
    if (!status) throw new DocumentNotAuthorizedError('Only an authorized document can be voided.');
    return {
      set: { status, voided: { reason, at: now } },
      events: [movedEvent(now, { from: current.status, to: status, eventType: 'VOIDED', detail: { reason } })],
    };
  });
}

// --- internal ---

const MAX_REASON = 500;

function readReason(text: unknown, language: Language): string {
  const reason = typeof text === 'string' ? text.trim() : '';
  if (reason !== '' && [...reason].length <= MAX_REASON) return reason;
  const failure =
    reason === ''
      ? createFailure('reason', 'required', undefined, language)
      : createFailure('reason', 'maxLength', { max: MAX_REASON }, language);
  throw new ValidationError([failure], language);
}
