import { sql } from 'kysely';
import { FIRST_ID } from 'sri-storage-adapters';
import type { Tables } from '../../platform/database/tables.js';
import { isAuthorized } from './documents.js';
import { type BrokenRow, decidedBy, type Invariant, type InvariantDeps, phrase } from './invariant.js';

/** Every authorization has its mail and is counted in a notification; mails and deliveries have a legal status. */
export const MESSAGE_INVARIANTS: readonly Invariant[] = [
  decidedBy(
    'authorized-has-its-mail',
    sql`select ${phrase('document ', sql`id`)} as object,
        ${phrase('it is ', sql`status`, ', and no mail was queued for it')} as explanation
      from sri_documents where ${isAuthorized()}
        and (counterparty_email is not null or mail_copies is not null)
        and not exists (select 1 from jobs where authorization_of = sri_documents.id)`,
  ),
  { name: 'authorized-is-counted-in-a-notification', find: findUncounted },
  decidedBy(
    'mail-stands-where-it-may',
    sql`select ${phrase('mail ', sql`id`)} as object,
        ${phrase('it is ', sql`status`, ' without a time, or with a secret that is to be gone')} as explanation
      from jobs where kind = 'MAIL' and (
        status not in ('PENDING', 'SENT', 'FAILED', 'SKIPPED', 'UNVERIFIED', 'OVER_LIMIT')
        or (status = 'SENT' and done_at is null)
        or (status <> 'PENDING' and (sealed_token is not null or wrapped_key is not null))
        or (status = 'PENDING' and subject in ('VERIFICATION', 'RECOVERY') and sealed_token is null))`,
  ),
  decidedBy(
    'delivery-stands-where-it-may',
    sql`select ${phrase('delivery ', sql`id`)} as object, ${phrase('it is ', sql`status`, ' without its time')} as explanation
      from jobs where kind = 'WEBHOOK'
        and (status not in ('PENDING', 'DELIVERED', 'FAILED') or (status = 'DELIVERED' and done_at is null))`,
  ),
  decidedBy(
    'delivery-is-of-its-endpoints-account',
    sql`select ${phrase('delivery ', sql`delivery.id`)} as object, 'its message or its endpoint is another account''s' as explanation
      from jobs as delivery
      left join webhook_endpoints as endpoint on cast(endpoint.id as text) = lane and endpoint.tenant_id = delivery.tenant_id
      left join webhook_messages as message on message.id = message_id and message.tenant_id = delivery.tenant_id
      where kind = 'WEBHOOK' and (endpoint.id is null or message.id is null)`,
  ),
  decidedBy(
    'no-notification-is-behind-the-last',
    sql`select ${phrase('account ', sql`tenant_id`)} as object, ${phrase('the last was ', sql`last_id`, ', and ', sql`newest`, ' came after it')} as explanation
      from (select tenant_id, max(cast(id as text)) as newest from notifications group by tenant_id) as found
      left join notification_cursors using (tenant_id)
      where last_id is null or cast(last_id as text) < newest`,
  ),
];

// --- internal ---

/** The number of notifications in memory at a time. */
const NOTIFICATIONS_AT_A_TIME = 500;

/** Counted before and after, because servers may be working. A removed notification leaves its documents uncounted. */
async function findUncounted(
  { database, keepsNotifications }: InvariantDeps,
  limit: number,
): Promise<readonly BrokenRow[]> {
  const before = await database.read(countAuthorized);
  const notifiedOf = await sumOfCounts({ database });
  const after = await database.read(countAuthorized);
  return [...new Set([...before.keys(), ...notifiedOf.keys()])]
    .map((scope) => ({
      scope,
      times: notifiedOf.get(scope) ?? 0,
      least: before.get(scope) ?? 0,
      most: after.get(scope) ?? 0,
    }))
    .filter(({ times, least, most }) => (keepsNotifications && times < least) || times > most)
    .slice(0, limit)
    .map(({ scope, times, most }) => ({
      object: `issuer ${scope}`,
      explanation: `${most} documents are authorized, and notifications count ${times}`,
    }));
}

async function countAuthorized(tables: Tables): Promise<ReadonlyMap<string, number>> {
  const rows = await tables
    .selectFrom('sri_documents')
    .select(['issuer_id', 'environment'])
    .select(({ fn }) => fn.countAll<number | string>().as('documents'))
    .where(isAuthorized())
    .groupBy(['issuer_id', 'environment'])
    .execute();
  return new Map(rows.map((row) => [`${row.issuer_id}, ${row.environment}`, Number(row.documents)]));
}

async function sumOfCounts({ database }: Pick<InvariantDeps, 'database'>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let after = FIRST_ID; ; ) {
    const rows = await database.read((tables) =>
      tables
        .selectFrom('notifications')
        .select(['id', 'issuer_id', 'environment', 'metadata'])
        .where('type', '=', 'DOCUMENT_AUTHORIZED')
        .where('id', '>', after)
        .orderBy('id')
        .limit(NOTIFICATIONS_AT_A_TIME)
        .execute(),
    );
    const last = rows.at(-1);
    if (!last) return counts;
    after = last.id;
    for (const { issuer_id, environment, metadata } of rows) {
      const scope = `${issuer_id}, ${environment}`;
      const { count = 0 }: { readonly count?: number } = JSON.parse(metadata ?? '{}');
      counts.set(scope, (counts.get(scope) ?? 0) + count);
    }
  }
}
