import { type AccessKey, isAccessKey } from '../access-key.js';
import type { SriMessage } from '../storage.js';
import { child, children, childText, type XmlElement } from '../xml/reader.js';
import { describeSriCode } from './codes.js';
import { MAX_MESSAGES, readMessages } from './messages.js';

/** Reception's decision about a comprobante. A rejection is an outcome, not an error. */
export interface ReceptionAnswer {
  /**
   * `received`: the SRI has the document and authorization follows. That includes a DEVUELTA with code 43 (key already
   * registered) or 70 (key in process), which mean that it arrived earlier. `returned`: the SRI rejected it.
   */
  readonly outcome: 'received' | 'returned';
  /** The SRI's estado, `RECIBIDA` or `DEVUELTA`. */
  readonly status: string;
  /** Null when the SRI sent no messages. */
  readonly messages: readonly SriMessage[] | null;
  /** Code 43: this key is registered, by an earlier submission of this document or of other content. */
  readonly alreadyRegistered: boolean;
  /** Code 70: this key is being processed. */
  readonly inProcess: boolean;
}

/**
 * Reads a RespuestaRecepcionComprobante about one key.
 *
 * @returns null when the element is unusable: no known estado, or only other keys.
 * @see Ficha técnica off-line v2.34, §7 and §11.
 */
export function readReception(answer: XmlElement, accessKey: AccessKey): ReceptionAnswer | null {
  const status = (childText(answer, 'estado') ?? '').toUpperCase();
  if (status !== 'RECIBIDA' && status !== 'DEVUELTA') return null;
  const all = children(child(answer, 'comprobantes'), 'comprobante');
  const ours = all.filter((comprobante) => isAbout(comprobante, accessKey));
  if (all.length > 0 && ours.length === 0) return null;
  const messages = ours.flatMap((comprobante) => readMessages(comprobante) ?? []);
  const hasCode = (code: string) => messages.some(({ identifier }) => describeSriCode(identifier)?.code === code);
  const alreadyRegistered = hasCode('43');
  const inProcess = hasCode('70');
  return {
    outcome: status === 'RECIBIDA' || alreadyRegistered || inProcess ? 'received' : 'returned',
    status,
    messages: messages.length > 0 ? messages.slice(0, MAX_MESSAGES) : null,
    alreadyRegistered,
    inProcess,
  };
}

// --- internal ---

/** The SRI answers an unreadable file under `N/A`. Only a complete other key means another document. */
function isAbout(comprobante: XmlElement, accessKey: AccessKey): boolean {
  const key = childText(comprobante, 'claveAcceso') ?? '';
  return key === accessKey || !isAccessKey(key);
}
