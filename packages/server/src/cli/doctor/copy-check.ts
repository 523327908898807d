import { findRefusedCopies } from '../../mail/refused-copy-rows.js';
import type { Services } from '../../platform/http/services.js';
import { type DoctorFinding, fine, warn } from './finding.js';

/** Documents that the SRI authorized with a text that differs from the signed one. The signed file was kept. */
export async function findInCopies({ database }: Services): Promise<DoctorFinding> {
  const { accessKeys, total } = await database.read((tables) => findRefusedCopies(tables, NAMED));
  if (total === 0) {
    return fine('copies', {
      es: 'Lo que el SRI devolvió con cada autorización es lo que se firmó.',
      en: 'What the SRI sent with each authorization is what was signed.',
    });
  }
  const named = accessKeys.join(', ') + (total > accessKeys.length ? ' …' : '');
  return warn(
    'copies',
    {
      es: `Documentos que el SRI autorizó con un texto que no es el firmado: ${total}. Se conservó el firmado: ${named}`,
      en: `Documents that the SRI authorized with a text that is not the signed one: ${total}. The signed one was kept: ${named}`,
    },
    {
      es: 'Consulte esas claves en el portal del SRI, y revise qué hay entre este servidor y el SRI (proxy, TLS).',
      en: 'Look these keys up at the portal of the SRI, and see what stands between this server and the SRI (proxy, TLS).',
    },
  );
}

// --- internal ---

/** Access keys that the finding lists; the rest is only counted. */
const NAMED = 5;
