import type { Disturbance } from './disturbance.js';

/** The effect of a magic identification on an otherwise valid document. */
export type MagicEffect =
  /** The first `times` submissions of a key are disturbed. */
  | { readonly kind: 'disturbed'; readonly by: Disturbance; readonly times: number }
  /** Every authorization query is disturbed. */
  | { readonly kind: 'authorizationDisturbed'; readonly by: Disturbance }
  /** Reception rejects it with this code and stores nothing. */
  | { readonly kind: 'returned'; readonly code: string }
  /** Reception answers 43 or 70 although this is the first submission, and stores the document. */
  | { readonly kind: 'alreadyHeld'; readonly code: '43' | '70' }
  /** Reception answers 43 and holds another document under the key. */
  | { readonly kind: 'foreignContent' }
  /** Authorization rejects it with this code. */
  | { readonly kind: 'notAuthorized'; readonly code: string }
  /** It is authorized with this warning. */
  | { readonly kind: 'warned'; readonly code: string }
  /** Authorization is delayed: milliseconds more, or for ever (null). */
  | { readonly kind: 'late'; readonly byMs: number | null };

/**
 * An identification (usually of type `06`, passport) that forces an outcome. It works as the identification of the
 * counterparty: buyer, supplier, first recipient or subject of a withholding.
 */
export interface MagicBuyer {
  readonly id: string;
  readonly effect: { readonly es: string; readonly en: string };
  readonly does: MagicEffect;
}

function returned<const Code extends string>(code: Code, es: string, en: string) {
  return { id: `SRI-RETURNED-${code}`, effect: { es, en }, does: { kind: 'returned', code } } as const;
}

function refused<const Code extends string>(code: Code, es: string, en: string) {
  return { id: `SRI-REFUSED-${code}`, effect: { es, en }, does: { kind: 'notAuthorized', code } } as const;
}

function buyer<const Id extends string, const Does extends MagicEffect>(id: Id, does: Does, es: string, en: string) {
  return { id, effect: { es, en }, does } as const;
}

function broken<const Id extends string, const By extends Disturbance>(id: Id, by: By, es: string, en: string) {
  return buyer(id, { kind: 'disturbed', by, times: Number.POSITIVE_INFINITY }, es, en);
}

/** Every identification that forces an outcome. Others have no effect. */
export const MAGIC_BUYERS = [
  returned('35', 'DEVUELTA por esquema inválido (35)', 'Returned: invalid against the schema (35)'),
  returned('45', 'DEVUELTA: el secuencial ya está registrado (45)', 'Returned: the number is taken (45)'),
  returned('65', 'DEVUELTA: fecha fuera de tolerancia (65)', 'Returned: date out of tolerance (65)'),
  returned('50', 'DEVUELTA: error interno del SRI (50)', 'Returned: internal error of the SRI (50)'),
  buyer(
    'SRI-REGISTERED-43',
    { kind: 'alreadyHeld', code: '43' },
    'Clave registrada (43) y luego AUTORIZADO: llegó en un envío anterior',
    'Key registered (43), then authorized: it came with an earlier submission',
  ),
  buyer(
    'SRI-FOREIGN-43',
    { kind: 'foreignContent' },
    'Clave registrada (43) y el SRI tiene otro contenido autorizado con ella',
    'Key registered (43), and the SRI has authorized another content under it',
  ),
  buyer(
    'SRI-IN-PROCESS-70',
    { kind: 'alreadyHeld', code: '70' },
    'Clave en procesamiento (70) y luego AUTORIZADO',
    'Key in process (70), then authorized',
  ),
  refused('39', 'NO AUTORIZADO: firma inválida (39)', 'Not authorized: invalid signature (39)'),
  refused('52', 'NO AUTORIZADO: diferencias en los valores (52)', 'Not authorized: sums differ (52)'),
  refused('37', 'NO AUTORIZADO: RUC sin autorización de emisión (37)', 'Not authorized: the RUC may not issue (37)'),
  buyer(
    'SRI-WARNING-59',
    { kind: 'warned', code: '59' },
    'AUTORIZADO con advertencia sobre el receptor (59)',
    'Authorized with a warning about the receiver (59)',
  ),
  buyer('SRI-SLOW', { kind: 'late', byMs: 60_000 }, 'AUTORIZADO un minuto después', 'Authorized a minute later'),
  buyer(
    'SRI-NEVER',
    { kind: 'late', byMs: null },
    'RECIBIDA y en proceso para siempre',
    'Received, and in process for ever',
  ),
  broken('SRI-HTTP-500', { kind: 'http', status: 500 }, 'La recepción responde HTTP 500', 'Reception answers HTTP 500'),
  broken(
    'SRI-HTTP-503',
    { kind: 'http', status: 503 },
    'La recepción responde HTTP 503 con una página',
    'Reception answers HTTP 503 with a page',
  ),
  broken(
    'SRI-FAULT',
    { kind: 'fault' },
    'La recepción responde con un SOAP Fault',
    'Reception answers with a SOAP fault',
  ),
  broken('SRI-TIMEOUT', { kind: 'silence' }, 'La recepción nunca responde', 'Reception never answers'),
  broken(
    'SRI-UNREACHABLE',
    { kind: 'unreachable' },
    'La conexión con la recepción falla',
    'Reception cannot be connected to',
  ),
  buyer(
    'SRI-FLAKY-2',
    { kind: 'disturbed', by: { kind: 'http', status: 503 }, times: 2 },
    'La recepción responde HTTP 503 dos veces y luego funciona',
    'Reception answers HTTP 503 twice, then works',
  ),
  buyer(
    'SRI-LOST-ANSWER',
    { kind: 'disturbed', by: { kind: 'answerLost' }, times: 1 },
    'El SRI guarda el comprobante y la conexión se corta antes de responder',
    'The SRI keeps the document, and the connection breaks before the answer',
  ),
  // As many as the requests of one attempt, so that only an authorization query shows the outcome.
  buyer(
    'SRI-LOST-ATTEMPT',
    { kind: 'disturbed', by: { kind: 'answerLost' }, times: 4 },
    'Como SRI-LOST-ANSWER, en cuatro envíos seguidos: todo un intento queda sin respuesta',
    'As SRI-LOST-ANSWER, four times in a row: a whole attempt stays without answer',
  ),
  buyer(
    'SRI-AUTH-HTTP-503',
    { kind: 'authorizationDisturbed', by: { kind: 'http', status: 503 } },
    'La consulta de autorización responde HTTP 503',
    'Authorization answers HTTP 503',
  ),
] as const satisfies readonly MagicBuyer[];

/** The effect of a counterparty's identification; null for an ordinary one. */
export function findMagicEffect(counterpartyId: string | null): MagicEffect | null {
  return MAGIC_BUYERS.find(({ id }) => id === counterpartyId)?.does ?? null;
}
