import { checkValidity, type SriClient, type Validity } from 'sri-core';
import { listInspectedIssuers } from '../../issuers/inspected-rows.js';
import { type DoctorFinding, fine, warn } from './finding.js';
import { ASKED_EACH, ASKED_ISSUERS, type ReconcileDeps } from './reconcile.js';

/** The inputs of the check of voided documents. */
export interface VoidedCheckDeps extends Pick<ReconcileDeps, 'services' | 'environments'> {
  readonly sri: Pick<SriClient, 'authorization' | 'consultation'>;
}

/**
 * Compares the documents voided here with the SRI: the annulment itself is made in its portal, and may wait for the
 * receiver. Documents of months that the SRI does not answer for any more are passed over.
 */
export async function* findInVoided({ services, sri, environments }: VoidedCheckDeps): AsyncGenerator<DoctorFinding> {
  const issuers = await services.database.read((tables) => listInspectedIssuers(tables, ASKED_ISSUERS));
  let asked = 0;
  let valid = 0;
  for (const { id: issuerId } of issuers) {
    for (const environment of environments) {
      const query = { status: 'VOIDED', page: 1, limit: ASKED_EACH } as const;
      const { documents } = await services.engine.list({ issuerId, environment }, query);
      for (const { accessKey } of documents) {
        const finding = judge(accessKey, await checkValidity(accessKey, { sri }));
        asked += 1;
        if (finding === null) continue;
        valid += 1;
        yield finding;
      }
    }
  }
  if (asked > 0 && valid === 0) {
    yield fine('voided', {
      es: 'Los últimos comprobantes anulados aquí no valen tampoco en el SRI.',
      en: 'The newest documents voided here are not valid at the SRI either.',
    });
  }
}

// --- internal ---

function judge(accessKey: string, { status, source }: Validity): DoctorFinding | null {
  if (source !== 'consultation') return null;
  if (status === 'AUTHORIZED') {
    return warn('voided', {
      es: `${accessKey} está anulado aquí y sigue AUTORIZADO en el SRI.`,
      en: `${accessKey} is voided here and still authorized at the SRI.`,
      fix: {
        es: 'Anúlelo en el portal del SRI, hasta el día 7 del mes siguiente; después, solo con una nota de crédito.',
        en: "Annul it in the SRI's portal, up to the 7th of the next month; later only by a credit note.",
      },
    });
  }
  if (status !== 'PENDING_ANNULMENT') return null;
  return warn('voided', {
    es: `${accessKey} está anulado aquí, y en el SRI la anulación espera que el receptor la acepte.`,
    en: `${accessKey} is voided here, and at the SRI its annulment waits for the receiver.`,
    fix: {
      es: 'Pida al receptor que la acepte en el portal: tiene cinco días hábiles.',
      en: 'Ask the receiver to accept it in the portal: there are five working days.',
    },
  });
}
