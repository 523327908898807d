import type { Services } from '../../platform/http/services.js';
import { requireMasterKeys } from '../../platform/secrets/sealing.js';
import { countByMasterKey } from '../../platform/secrets/secret-rows.js';
import { MasterKeyNeededError } from '../../platform/secrets/vault.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

/** Whether every stored secret is under a configured master key. @param known ids of the configured keys. */
export async function findInSecrets({ database, vault }: Services, known: ReadonlySet<string>): Promise<DoctorFinding> {
  const counts = await database.read(countByMasterKey);
  const missing = [...counts].filter(([id]) => !known.has(id));
  if (missing.length > 0) {
    const list = missing.map(([id, count]) => `${id} (${count})`).join(', ');
    return fail(
      'masterKeys',
      {
        es: `Hay secretos bajo claves maestras que no están: ${list}.`,
        en: `Secrets are under master keys that are not set: ${list}.`,
      },
      { es: 'Agréguelas detrás de la actual en MASTER_KEYS.', en: 'Add them behind the current one in MASTER_KEYS.' },
    );
  }
  const refusal = await database
    .read((tables) => requireMasterKeys(tables, vault))
    .then(() => null)
    .catch((error: unknown) => {
      if (error instanceof MasterKeyNeededError) return error.texts;
      throw error;
    });
  if (refusal !== null) {
    return fail('masterKeys', refusal, {
      es: 'Ponga en MASTER_KEYS la clave que tenía ese nombre; con otra el servidor no arranca.',
      en: 'Put the key that had this name into MASTER_KEYS; with another the server does not start.',
    });
  }
  const former = [...counts].filter(([id]) => id !== vault.currentMasterKeyId);
  return former.length === 0
    ? fine('masterKeys', {
        es: 'Todo lo guardado está bajo la clave maestra actual.',
        en: 'Everything stored is under the current master key.',
      })
    : warn(
        'masterKeys',
        { es: 'Hay secretos bajo una clave maestra anterior.', en: 'Some secrets are under a former master key.' },
        'sri-server keys rotate-master',
      );
}
