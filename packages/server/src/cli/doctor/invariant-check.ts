import { checkInvariants } from '../../ops/invariants/check-invariants.js';
import type { OperatorAccess } from '../frame/operator-access.js';
import { type DoctorFinding, fail, fine } from './finding.js';

/** Stored data that should not be possible. */
export async function findBrokenInvariants({ services, opened }: OperatorAccess): Promise<readonly DoctorFinding[]> {
  const { database, vault } = services;
  const violations = await checkInvariants({
    database,
    vault,
    storage: opened.storage,
    signatures: VERIFIED_SIGNATURES,
    keepsNotifications: false,
  });
  if (violations.length === 0) {
    return [
      fine('invariants', {
        es: 'Todo lo guardado concuerda: numeración, estados, trabajos, firmas, secretos y sumas.',
        en: 'Everything stored agrees: numbering, states, jobs, signatures, secrets and counts.',
      }),
    ];
  }
  return violations.map(({ invariant, object, explanation }) =>
    fail(`invariants.${invariant}`, `${object}: ${explanation}`, {
      es: 'No siga emitiendo con esta base; guárdela y abra un informe con esta salida.',
      en: 'Do not go on issuing with this database; keep it and report this output.',
    }),
  );
}

// --- internal ---

/** Verifying takes a millisecond each. This many, spread over all documents, show a fault that is not a single one. */
const VERIFIED_SIGNATURES = 1000;
