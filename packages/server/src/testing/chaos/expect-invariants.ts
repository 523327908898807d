import { mkdir } from 'node:fs/promises';
import { systemRandom } from 'sri-core';
import { checkInvariants } from '../../ops/invariants/check-invariants.js';
import { readMasterKeyFile } from '../../platform/secrets/master-key-file.js';
import { createVault } from '../../platform/secrets/vault.js';
import { type DataLocation, withDatabase } from './chaos-tenant.js';

/** @throws Error that lists every invariant the place's database breaks. */
export async function expectInvariants(context: DataLocation): Promise<void> {
  await mkdir(context.dataDirectory, { recursive: true });
  const { masterKeys } = await readMasterKeyFile(context.dataDirectory);
  const vault = createVault(masterKeys, systemRandom);
  const violations = await withDatabase(context, ({ database, storage }) =>
    checkInvariants({ database, storage, vault, signatures: 100, keepsNotifications: true }),
  );
  if (violations.length === 0) return;
  const lines = violations.map(({ invariant, object, explanation }) => `${invariant}: ${object}: ${explanation}`);
  throw new Error(`Invariants are broken:\n${lines.join('\n')}`);
}
