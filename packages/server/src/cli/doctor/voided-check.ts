import { type AccessKey, checkValidity, type Environment, type SriClient, type Validity } from 'sri-core';
import { listInspectedIssuers } from '../../issuers/inspected-rows.js';
import type { Services } from '../../platform/http/services.js';
import { type DoctorFinding, fine, warn } from './finding.js';

/** What the check of voided documents needs. */
export interface VoidedCheckDeps {
  readonly services: Services;
  readonly sri: Pick<SriClient, 'authorization' | 'consultation'>;
  /** The environments whose SRI can be queried. */
  readonly environments: readonly Environment[];
}

/** How many of the newest voided documents of each issuer are looked up at the SRI. */
const ASKED_EACH = 5;
const ISSUERS = 50;

/**
 * Compares the documents voided here with the SRI: the annulment itself is made in its portal, and may wait for the
 * receiver. Documents of months that the SRI does not answer for any more are passed over.
 */
export async function findInVoided({
  services,
  sri,
  environments,
}: VoidedCheckDeps): Promise<readonly DoctorFinding[]> {
  const issuers = await services.database.read((tables) => listInspectedIssuers(tables, ISSUERS));
  const findings: DoctorFinding[] = [];
  let asked = 0;
  for (const { id: issuerId } of issuers) {
    for (const environment of environments) {
      const query = { status: 'VOIDED', page: 1, limit: ASKED_EACH } as const;
      const { documents } = await services.engine.list({ issuerId, environment }, query);
      for (const { accessKey } of documents) {
        asked += 1;
        findings.push(...judge(accessKey, await checkValidity(accessKey, { sri })));
      }
    }
  }
  if (asked === 0 || findings.length > 0) return findings;
  return [
    fine('voided', {
      es: 'Los últimos comprobantes anulados aquí no valen tampoco en el SRI.',
      en: 'The newest documents voided here are not valid at the SRI either.',
    }),
  ];
}

// --- internal ---

function judge(accessKey: AccessKey | string, { status, source }: Validity): readonly DoctorFinding[] {
  if (source !== 'consultation') return [];
  if (status === 'AUTHORIZED') {
    return [
      warn(
        'voided',
        {
          es: `${accessKey} está anulado aquí y sigue AUTORIZADO en el SRI.`,
          en: `${accessKey} is voided here and still authorized at the SRI.`,
        },
        {
          es: 'Anúlelo en el portal del SRI, hasta el día 7 del mes siguiente; después, solo con una nota de crédito.',
          en: "Annul it in the SRI's portal, up to the 7th of the next month; later only by a credit note.",
        },
      ),
    ];
  }
  if (status !== 'PENDING_ANNULMENT') return [];
  return [
    warn(
      'voided',
      {
        es: `${accessKey} está anulado aquí, y en el SRI la anulación espera que el receptor la acepte.`,
        en: `${accessKey} is voided here, and at the SRI its annulment waits for the receiver.`,
      },
      {
        es: 'Pida al receptor que la acepte en el portal: tiene cinco días hábiles.',
        en: 'Ask the receiver to accept it in the portal: there are five working days.',
      },
    ),
  ];
}
