import { type AccessKey, parseAccessKey } from '../access-key.js';
import { type SriClient, unreadable } from '../sri/soap-client.js';
import type { SriMessage } from '../storage.js';

/**
 * Whether a document is valid now. `PENDING_ANNULMENT`: its issuer asked for the annulment and the receiver has not accepted
 * it yet. `NOT_AUTHORIZED`: the SRI refused it. `NOT_FOUND`: the SRI knows no decided document of that key.
 */
export type ValidityStatus = 'AUTHORIZED' | 'PENDING_ANNULMENT' | 'ANNULLED' | 'NOT_AUTHORIZED' | 'NOT_FOUND';

/** The SRI's answer about the document of a key. */
export interface Validity {
  readonly accessKey: AccessKey;
  readonly status: ValidityStatus;
  /**
   * The service that answered. `consultation` knows annulments and answers for recent months only. `authorization` answers
   * for older keys too, and does not tell whether a document was annulled since.
   */
  readonly source: 'consultation' | 'authorization';
  /** [fechaAutorizacion] As the SRI wrote it; null without one. */
  readonly authorizationDate: string | null;
  /** The messages of the last answer. */
  readonly messages: readonly SriMessage[] | null;
}

/**
 * Asks the SRI whether the document of any issuer's access key is valid. It calls ConsultaComprobante first, and
 * autorizacionComprobante when the first has no data. The key names the environment.
 *
 * @param options.sri the client, as of `createSriClient`.
 * @throws AccessKeyError when the text is no access key.
 * @throws SriUnavailableError without a usable answer.
 * @see Ficha técnica off-line v2.34 (2026-07-27), §8.
 */
export async function checkValidity(
  accessKey: string,
  options: { readonly sri: Pick<SriClient, 'authorization' | 'consultation'>; readonly signal?: AbortSignal },
): Promise<Validity> {
  const { sri, signal } = options;
  const key = parseAccessKey(accessKey);
  const asked = await sri.consultation(key.environment, key.accessKey, signal);
  if (asked.outcome !== 'rejected') {
    const { date: authorizationDate, messages } = asked;
    const status = STATUSES[asked.outcome];
    return { accessKey: key.accessKey, status, source: 'consultation', authorizationDate, messages };
  }
  const undated = { accessKey: key.accessKey, source: 'authorization', authorizationDate: null } as const;
  const answer = await sri.authorization(key.environment, key.accessKey, signal);
  if (answer.outcome === 'pending') {
    if (answer.problem !== null) throw unreadable(answer.problem);
    const messages = answer.messages ?? asked.messages;
    return { ...undated, status: 'NOT_FOUND', messages };
  }
  const { messages } = answer;
  if (answer.outcome === 'notAuthorized') return { ...undated, status: 'NOT_AUTHORIZED', messages };
  return { ...undated, status: 'AUTHORIZED', authorizationDate: answer.date, messages };
}

// --- internal ---

const STATUSES = {
  authorized: 'AUTHORIZED',
  notAuthorized: 'NOT_AUTHORIZED',
  pendingAnnulment: 'PENDING_ANNULMENT',
  annulled: 'ANNULLED',
} as const;
