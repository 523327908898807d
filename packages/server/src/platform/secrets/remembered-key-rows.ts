import type { Tables } from '../database/tables.js';
import type { KeyChecks } from './vault.js';

// A master key seals for every account, so nothing here is scoped by one.

/** The master keys that seal the database. */
export async function readRememberedKeys(tables: Tables): Promise<KeyChecks> {
  const { check_values } = await tables
    .selectFrom('remembered_keys')
    .select('check_values')
    .where('name', '=', MASTER)
    .executeTakeFirstOrThrow();
  return toChecks(check_values);
}

/**
 * As `readRememberedKeys`; locks the row, so that nothing is sealed, remembered or forgotten until the transaction
 * ends.
 */
export async function lockRememberedKeys(tables: Tables, now: Date): Promise<KeyChecks> {
  const { check_values } = await tables
    .updateTable('remembered_keys')
    .set({ sealed_at: now.getTime() })
    .where('name', '=', MASTER)
    .returning('check_values')
    .executeTakeFirstOrThrow();
  return toChecks(check_values);
}

/** Remembers the given keys and no others. Lock the keys before. */
export async function replaceRememberedKeys(tables: Tables, checks: KeyChecks): Promise<void> {
  await tables
    .updateTable('remembered_keys')
    .set({ check_values: JSON.stringify(Object.fromEntries(checks)) })
    .where('name', '=', MASTER)
    .execute();
}

// --- internal ---

const MASTER = 'master';

function toChecks(text: string): KeyChecks {
  const checks: Record<string, string> = JSON.parse(text);
  return new Map(Object.entries(checks));
}
