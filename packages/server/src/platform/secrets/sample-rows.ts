import { type Expression, sql } from 'kysely';
import type { Tables } from '../database/tables.js';
import { type StoredSecret, selectCertificates, selectMails, toSecret } from './secret-rows.js';
import type { SealedSecret } from './vault.js';

// The check for missing master keys concerns every account, so nothing here is scoped by one.

/**
 * One or two secrets under each master key of each place of secrets: issuers, waiting mails, and webhooks in use. A key
 * that opens these opens all others.
 */
export async function sampleSecrets(tables: Tables, now: Date): Promise<readonly StoredSecret[]> {
  const certificates = await tables
    .selectFrom('issuer_certificates')
    .select((select) => endsOf(select.ref('issuer_id')))
    .groupBy('master_key_id')
    .execute();
  const mails = await tables
    .selectFrom('jobs')
    .select((select) => endsOf(select.ref('id')))
    .where('status', '=', 'PENDING')
    .where('master_key_id', 'is not', null)
    .groupBy('master_key_id')
    .execute();
  const [issuerIds, mailIds] = [idsOf(certificates), idsOf(mails)];
  const keys =
    issuerIds.length > 0 ? await selectCertificates(tables).where('issuer_id', 'in', issuerIds).execute() : [];
  const tokens = mailIds.length > 0 ? await selectMails(tables).where('id', 'in', mailIds).execute() : [];
  return [
    ...keys.map((row) => toSecret('certificate', row)),
    ...tokens.map((row) => toSecret('mail', row)),
    ...(await sampleWebhooks(tables, now)),
  ];
}

// --- internal ---

/** The lowest and the highest id; PostgreSQL has no minimum of its own of them. */
function endsOf(id: Expression<string>) {
  const text = sql`cast(${id} as text)`;
  return [sql<string>`min(${text})`.as('first'), sql<string>`max(${text})`.as('last')] as const;
}

type Ends = readonly { readonly first: string; readonly last: string }[];

function idsOf(ends: Ends): readonly string[] {
  return ends.flatMap(({ first, last }) => [first, last]);
}

/** A former secret counts while it still signs. */
async function sampleWebhooks(tables: Tables, now: Date): Promise<readonly StoredSecret[]> {
  const rows = await tables
    .selectFrom('webhook_endpoints')
    .select(['id', 'tenant_id', 'secret_version', 'secret', 'former_secret', 'former_until'])
    .where('active', '=', 1)
    .orderBy('id')
    .execute();
  const samples = new Map<string, StoredSecret>();
  for (const row of rows) {
    const isSigning = (row.former_until ?? 0) > now.getTime();
    const entries = [
      { kind: 'webhook', text: row.secret, keyVersion: row.secret_version },
      { kind: 'formerWebhook', text: isSigning ? row.former_secret : null, keyVersion: row.secret_version - 1 },
    ] as const;
    for (const { kind, text, keyVersion } of entries) {
      if (text === null) continue;
      const sealed: SealedSecret = JSON.parse(text);
      const name = `${kind} ${sealed.masterKeyId}`;
      if (!samples.has(name)) samples.set(name, { kind, ownerId: row.id, tenantId: row.tenant_id, keyVersion, sealed });
    }
  }
  return [...samples.values()];
}
