import { FIRST_ID } from 'sri-storage-adapters';
import { labelOfSecret } from '../../platform/secrets/secret-label.js';
import { listForeignSecrets, SECRET_KINDS } from '../../platform/secrets/secret-rows.js';
import type { BrokenRow, Invariant, InvariantDeps } from './invariant.js';

/** Every sealed secret opens, for its owner. */
export const SECRET_INVARIANTS: readonly Invariant[] = [{ name: 'secret-opens', find: findClosed }];

// --- internal ---

/** The number of secrets in memory at a time. */
const SECRETS_AT_A_TIME = 200;

/** No master key has this name, so the query lists the secrets under all others. */
const NO_MASTER_KEY = '';

async function findClosed({ database, vault }: InvariantDeps, limit: number): Promise<readonly BrokenRow[]> {
  const broken: BrokenRow[] = [];
  if (!vault) return broken;
  for (const kind of SECRET_KINDS) {
    for (let after = FIRST_ID; ; ) {
      const page = { masterKeyId: NO_MASTER_KEY, after, limit: SECRETS_AT_A_TIME };
      const secrets = await database.read((tables) => listForeignSecrets(tables, kind, page));
      const last = secrets.at(-1);
      if (!last) break;
      after = last.ownerId;
      for (const secret of secrets) {
        try {
          vault.open(secret.sealed, labelOfSecret(secret)).fill(0);
        } catch {
          const missing = vault.checkValue(secret.sealed.masterKeyId) ? '' : ', whose master key is not configured';
          broken.push({ object: `${kind} ${secret.ownerId}`, explanation: `its secret does not open${missing}` });
        }
        if (broken.length >= limit) return broken;
      }
    }
  }
  return broken;
}
