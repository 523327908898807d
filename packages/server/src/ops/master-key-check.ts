import type { ServerDatabase } from '../store/schema.js';
import { sampleSecrets } from '../store/secret-samples.js';
import { labelOfSecret } from '../tenancy/secret-label.js';
import { SecretUnreadableError, type Vault } from '../tenancy/vault.js';

/**
 * Checks that the master keys at hand open what is stored: signing keys, webhook secrets and tokens of waiting mails. A
 * change of the master key that stands half-way passes while both are there.
 *
 * @throws Error that says which key is missing, or is not the one it was.
 */
export async function requireMasterKeys({
  database,
  vault,
  now,
}: {
  readonly database: Pick<ServerDatabase, 'read'>;
  readonly vault: Vault;
  readonly now: Date;
}): Promise<void> {
  const samples = await database.read((tables) => sampleSecrets(tables, now));
  const byKey = Map.groupBy(samples, ({ sealed }) => sealed.masterKeyId);
  const missing = [...byKey.keys()].filter((id) => !vault.knows(id));
  // A row may be broken for itself. A key that opens nothing is another one.
  const wrong = [...byKey].filter(([id, own]) => vault.knows(id) && !own.some((secret) => opens(vault, secret)));
  const names = wrong.map(([id]) => id).join(', ');
  const complaints = [
    ...(missing.length > 0 ? [`MASTER_KEYS lacks ${missing.join(', ')}, which stored keys were sealed with.`] : []),
    ...(names ? [`MASTER_KEYS has another key under the name ${names} than stored keys were sealed with.`] : []),
  ];
  if (complaints.length > 0) throw new Error(complaints.join(' '));
}

// --- internal ---

type Sample = Awaited<ReturnType<typeof sampleSecrets>>[number];

function opens(vault: Vault, secret: Sample): boolean {
  try {
    vault.open(secret.sealed, labelOfSecret(secret)).fill(0);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}
