import type { Clock, EngineEvents } from 'sri-core';
import { ecuadorTimestamp } from 'sri-core';
import { type MailTransport, writeNotice } from '../mail/index.js';
import type { Background } from '../platform/jobs/background.js';
import type { Limits } from '../platform/limits/limits.js';

/** Mails about the server itself, to its operator. */
export interface OperatorMail {
  /** Calls to the SRI are paused. */
  sriHeld(outage: EngineEvents['sriHeld']): void;
  /** Calls to the SRI continue. */
  sriRecovered(outage: EngineEvents['sriRecovered']): void;
}

/** Dependencies of mails to the operator. */
export interface OperatorMailDeps {
  /** Null for no mails. */
  readonly address: string | null;
  readonly transport: MailTransport;
  readonly limits: Pick<Limits, 'use'>;
  readonly background: Background;
  readonly clock: Clock;
  readonly newId: (now: Date) => string;
  readonly baseUrl: string;
}

/**
 * Sends mails to the operator, of each kind and environment once an hour at most, over all processes on the database.
 */
export function createOperatorMail(parts: OperatorMailDeps): OperatorMail {
  const { transport, limits, background, clock, newId, baseUrl } = parts;

  function write(kind: string, subject: string, paragraphs: readonly string[], rows: Rows): void {
    const { address: to } = parts;
    if (to === null) return;
    const send = async () => {
      if (!(await limits.use(`operatorMail:${kind}`, ONCE_AN_HOUR)).allowed) return;
      const date = clock.now();
      const text = writeNotice({ subject, paragraphs, rows: [...rows, ['Servidor', baseUrl]] }, 'es');
      await transport.send({ ...text, id: newId(date), to, date });
    };
    // A failure is logged by `background`.
    background.run('operator mail', send).catch(() => {});
  }

  return {
    sriHeld({ environment, operation, reason }) {
      const where = ENVIRONMENT_NAMES[environment];
      write(
        `sriHeld:${environment}`,
        `El SRI no responde (${where})`,
        [
          'El SRI falla para todos los documentos. El servidor deja de llamarlo, salvo una llamada de prueba de vez en cuando.',
          'Los documentos se siguen creando y esperan sin gastar intentos. Salen solos cuando el SRI vuelva: no hay nada que hacer.',
        ],
        [
          ['Ambiente', where],
          ['Llamada', CALL_NAMES[operation]],
          ['Última falla', reason],
        ],
      );
    },
    sriRecovered({ environment, operation, since }) {
      const where = ENVIRONMENT_NAMES[environment];
      write(
        `sriRecovered:${environment}`,
        `El SRI responde de nuevo (${where})`,
        ['El SRI respondió a una llamada de prueba. Los documentos que esperaban salen poco a poco.'],
        [
          ['Ambiente', where],
          ['Llamada', CALL_NAMES[operation]],
          ['Fallaba desde', `${ecuadorTimestamp(since).slice(0, 16).replace('T', ' ')} (hora de Ecuador)`],
        ],
      );
    },
  };
}

// --- internal ---

type Rows = readonly (readonly [string, string])[];

const ONCE_AN_HOUR = { limit: 1, windowMs: 3_600_000 };
const ENVIRONMENT_NAMES = { sandbox: 'pruebas', production: 'producción' } as const;
const CALL_NAMES = { SEND: 'envío', AUTHORIZE: 'consulta de la autorización' } as const;
