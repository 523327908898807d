import type { AccessKey } from '../access-key.js';
import type { SriMessage } from '../storage.js';
import { childText, type XmlElement } from '../xml/reader.js';
import { readMessages } from './messages.js';

/** The answer of the SRI's validity service (ConsultaComprobante) about one access key. */
export interface ConsultationAnswer {
  /**
   * The SRI's estadoAutorizacion. `rejected`: the service answered without one. The key is unknown, or its date lies
   * outside the months that the service covers. `messages` has its words.
   */
  readonly outcome: 'authorized' | 'notAuthorized' | 'pendingAnnulment' | 'annulled' | 'rejected';
  /** As the SRI wrote it. */
  readonly status: string;
  /** [fechaAutorizacion] As the SRI wrote it; null without one. */
  readonly date: string | null;
  readonly messages: readonly SriMessage[] | null;
}

/**
 * Reads an EstadoAutorizacionComprobante about one key.
 *
 * @returns null when the element is unusable: another key, an unknown estado, or none.
 * @see Ficha técnica off-line v2.34 (2026-07-27), §8.2.3. On the wire estadoConsulta comes with a rejection only.
 */
export function readConsultation(answer: XmlElement, accessKey: AccessKey): ConsultationAnswer | null {
  // The Ficha prints the key with blanks in it.
  if ((childText(answer, 'claveAcceso') ?? '').replace(/\s/g, '') !== accessKey) return null;
  const estado = childText(answer, 'estadoAutorizacion') || childText(answer, 'estadoConsulta') || '';
  const outcome = OUTCOMES.get(estado.toUpperCase().replace(/[\s_]+/g, ' '));
  if (!outcome) return null;
  const date = childText(answer, 'fechaAutorizacion') || null;
  return { outcome, status: estado, date, messages: readMessages(answer) };
}

// --- internal ---

const OUTCOMES: ReadonlyMap<string, ConsultationAnswer['outcome']> = new Map([
  ['AUTORIZADO', 'authorized'],
  ['NO AUTORIZADO', 'notAuthorized'],
  ['PENDIENTE DE ANULAR', 'pendingAnnulment'],
  ['ANULADO', 'annulled'],
  ['RECHAZADA', 'rejected'],
]);
