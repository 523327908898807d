import { type NotNull, sql } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { SealedSecret } from './vault.js';

// Changing the master key concerns every account, so nothing here is scoped by one.

/** A sealed secret of any account, with its label. */
export interface StoredSecret {
  readonly kind: SecretKind;
  readonly ownerId: string;
  readonly tenantId: string;
  readonly keyVersion: number;
  readonly sealed: SealedSecret;
}

/** A place of sealed secrets. */
export type SecretKind = 'certificate' | 'mail' | 'webhook' | 'formerWebhook';

/** The places of sealed secrets. */
export const SECRET_KINDS: readonly SecretKind[] = ['certificate', 'mail', 'webhook', 'formerWebhook'];

/** Secrets under any master key but the given one, after an owner's id, at most `limit`. */
export async function listForeignSecrets(
  tables: Tables,
  kind: SecretKind,
  { masterKeyId, after, limit }: { readonly masterKeyId: string; readonly after: string; readonly limit: number },
): Promise<readonly StoredSecret[]> {
  if (kind === 'certificate') {
    const rows = await selectCertificates(tables)
      .where('master_key_id', '!=', masterKeyId)
      .where('issuer_id', '>', after)
      .orderBy('issuer_id')
      .limit(limit)
      .execute();
    return rows.map((row) => toSecret(kind, row));
  }
  if (kind === 'mail') {
    const rows = await selectMails(tables)
      .where('master_key_id', '!=', masterKeyId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map((row) => toSecret(kind, row));
  }
  const column = columnOf(kind);
  const rows = await tables
    .selectFrom('webhook_endpoints')
    .select(['id', 'tenant_id', 'secret_version', `${column} as secret`])
    .$narrowType<{ secret: NotNull }>()
    // The JSON of a sealed secret names its master key; NULL equals nothing. SQLite's LIKE ignores case.
    .where(sql<boolean>`replace(${sql.ref(column)}, ${`"masterKeyId":"${masterKeyId}"`}, '') = ${sql.ref(column)}`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    kind,
    ownerId: row.id,
    tenantId: row.tenant_id,
    keyVersion: kind === 'webhook' ? row.secret_version : row.secret_version - 1,
    sealed: JSON.parse(row.secret),
  }));
}

/**
 * Replaces a secret that was read with the same one under another master key.
 * @returns false if another process has changed it since: renewed a certificate, sent the mail, or created another
 * secret.
 */
export async function replaceSecret(
  tables: Tables,
  { kind, ownerId, sealed: read }: StoredSecret,
  next: SealedSecret,
): Promise<boolean> {
  const wrapped = { master_key_id: next.masterKeyId, wrapped_key: next.wrappedKey };
  if (kind === 'certificate') {
    const { numUpdatedRows } = await tables
      .updateTable('issuer_certificates')
      .set(wrapped)
      .where('issuer_id', '=', ownerId)
      .where('wrapped_key', '=', read.wrappedKey)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  if (kind === 'mail') {
    const { numUpdatedRows } = await tables
      .updateTable('jobs')
      .set(wrapped)
      .where('id', '=', ownerId)
      .where('wrapped_key', '=', read.wrappedKey)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  const column = columnOf(kind);
  const { numUpdatedRows } = await tables
    .updateTable('webhook_endpoints')
    .set({ [column]: JSON.stringify(next) })
    .where('id', '=', ownerId)
    .where(column, '=', JSON.stringify(read))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many secrets each master key still opens. */
export async function countByMasterKey(tables: Tables): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const add = (id: string, count: number) => counts.set(id, (counts.get(id) ?? 0) + count);
  for (const table of ['issuer_certificates', 'jobs'] as const) {
    const rows = await tables
      .selectFrom(table)
      .select((select) => ['master_key_id', select.fn.countAll<number | string>().as('secrets')])
      .$narrowType<{ master_key_id: NotNull }>()
      .where('master_key_id', 'is not', null)
      .groupBy('master_key_id')
      .execute();
    for (const row of rows) add(row.master_key_id, Number(row.secrets));
  }
  const endpoints = await tables.selectFrom('webhook_endpoints').select(['secret', 'former_secret']).execute();
  for (const { secret, former_secret: former } of endpoints) {
    for (const text of [secret, former]) {
      if (text === null) continue;
      const sealed: SealedSecret = JSON.parse(text);
      add(sealed.masterKeyId, 1);
    }
  }
  return counts;
}

// --- internal ---

/** The signing keys of issuers. */
function selectCertificates(tables: Tables) {
  return tables
    .selectFrom('issuer_certificates')
    .select(['issuer_id as owner_id', 'tenant_id', 'key_version'])
    .select(['master_key_id', 'wrapped_key', 'sealed_key as ciphertext']);
}

/** Mails. A mail with a master key has a secret. */
function selectMails(tables: Tables) {
  return tables
    .selectFrom('jobs')
    .select(['id as owner_id', 'tenant_id', sql.lit(1).as('key_version')])
    .select(['master_key_id', 'wrapped_key', 'sealed_token as ciphertext'])
    .$narrowType<{ tenant_id: NotNull; master_key_id: NotNull; wrapped_key: NotNull; ciphertext: NotNull }>();
}

/** A row of these two. */
function toSecret(kind: 'certificate' | 'mail', row: SealedRow): StoredSecret {
  return {
    kind,
    ownerId: row.owner_id,
    tenantId: row.tenant_id,
    keyVersion: row.key_version,
    sealed: { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext },
  };
}

type SealedRow = Awaited<ReturnType<ReturnType<typeof selectCertificates>['executeTakeFirstOrThrow']>>;

function columnOf(kind: 'webhook' | 'formerWebhook'): 'secret' | 'former_secret' {
  return kind === 'webhook' ? 'secret' : 'former_secret';
}
