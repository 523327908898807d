import { type RawBuilder, sql } from 'kysely';
import { DOCUMENT_STATUSES, TRANSITIONS } from 'sri-core';
import { decidedBy, type Invariant, phrase } from './invariant.js';

/** A document has the status of its history, reached it by legal transitions, and has everything its status needs. */
export const DOCUMENT_INVARIANTS: readonly Invariant[] = [
  decidedBy(
    'status-is-known',
    sql`select ${phrase('document ', sql`id`)} as object, ${phrase('its status is ', sql`status`)} as explanation
      from sri_documents where status not in (${sql.join(DOCUMENT_STATUSES)})`,
  ),
  decidedBy(
    'status-is-where-the-history-ends',
    sql`select ${phrase('document ', sql`id`)} as object,
        ${phrase('it is ', sql`status`, ', and its history ends with ', sql`ended`)} as explanation
      from (select id, status, (select to_status from sri_events where document_id = sri_documents.id
          and to_status is not null order by revision desc, position desc limit 1) as ended
        from sri_documents) as document
      where ended is null or ended <> status`,
  ),
  decidedBy(
    'moves-are-legal',
    sql`select ${phrase('document ', sql`document_id`)} as object,
        ${phrase('it went from ', sql`from_status`, ' to ', sql`to_status`)} as explanation
      from sri_events where from_status is not null and to_status is not null
        and from_status || ' ' || to_status not in (${sql.join(legalMoves())})`,
  ),
  decidedBy(
    'authorized-once',
    sql`select ${phrase('document ', sql`document_id`)} as object,
        ${phrase('it became AUTHORIZED ', sql`count(*)`, ' times')} as explanation
      from sri_events where to_status = 'AUTHORIZED' group by document_id having count(*) > 1`,
  ),
  decidedBy(
    'authorized-has-its-authorization',
    sql`select ${phrase('document ', sql`id`)} as object,
        ${phrase('it is ', sql`status`, ' without the number or the date of its authorization')} as explanation
      from sri_documents where ${isAuthorized()} and (authorization_number is null or authorization_date is null)`,
  ),
  // In the off-line scheme the number is the access key, which is stored as the empty text.
  decidedBy(
    'authorization-number-is-the-access-key',
    sql`select ${phrase('document ', sql`id`)} as object,
        'the number of its authorization is not its access key' as explanation
      from sri_documents where authorization_number <> '' and authorization_number <> access_key`,
  ),
  decidedBy(
    'authorization-date-is-a-date',
    sql`select ${phrase('document ', sql`id`)} as object, 'its authorization has no valid date' as explanation
      from sri_documents where authorization_date is not null and not (${isWrittenDate()})`,
  ),
  decidedBy(
    'voided-has-its-reason',
    sql`select ${phrase('document ', sql`id`)} as object, 'it is VOIDED without reason or time' as explanation
      from sri_documents where status = 'VOIDED' and (void_reason is null or voided_at is null)`,
  ),
  decidedBy(
    'document-has-its-job',
    sql`select ${phrase('document ', sql`id`)} as object,
        ${phrase('it is ', sql`document.status`, ', and its job is ', sql`operation`)} as explanation
      from sri_documents as document left join sri_jobs as job on document_id = id
      where coalesce(operation, 'none') <> case document.status
        when 'PENDING_SEND' then 'SEND' when 'RECEIVED' then 'AUTHORIZE' else 'none' end`,
  ),
  // Leased or not, a worker will take it: when it is due, or when its lease expires.
  decidedBy(
    'job-will-be-taken',
    sql`select ${phrase('the job of ', sql`document_id`)} as object,
        ${phrase('it is ', sql`status`, ', and no worker would ever take it, or too early')} as explanation
      from (select document_id, status, due_at, ready_at, lease_until from sri_jobs union all
        select id, status, due_at, ready_at, lease_until from jobs where status = 'PENDING') as job
      where (status = 'PENDING' and due_at is null) or status not in ('PENDING', 'FAILED')
        or coalesce(ready_at, -1) <> case
          when lease_until is null then coalesce(due_at, -1)
          when due_at > lease_until then due_at else lease_until end`,
  ),
  decidedBy(
    'document-has-its-contents',
    sql`select ${phrase('document ', sql`id`)} as object, 'its contents are gone' as explanation
      from sri_documents where not exists (select 1 from sri_contents where document_id = id)`,
  ),
];

/** Whether the SRI has authorized the document of a row, voided afterwards or not. */
export function isAuthorized(): RawBuilder<boolean> {
  return sql<boolean>`status in ('AUTHORIZED', 'VOIDED')`;
}

// --- internal ---

/** `aaaa-mm-ddThh:mm:ss` and more, or `dd/mm/aaaa hh:mm:ss`. */
function isWrittenDate(): RawBuilder<boolean> {
  const within = (start: number, least: string, most: string) =>
    sql`substr(authorization_date, ${sql.lit(start)}, ${sql.lit(least.length)}) between ${sql.lit(least)} and ${sql.lit(most)}`;
  const hour = [within(12, '00', '24'), within(15, '00', '59'), within(18, '00', '60')];
  const iso = [within(1, '2000', '2999'), within(6, '01', '12'), within(9, '01', '31'), ...hour];
  const old = [within(1, '01', '31'), within(4, '01', '12'), within(7, '2000', '2999'), ...hour];
  return sql<boolean>`authorization_date like '____-__-__T__:__:__%' and ${sql.join(iso, sql` and `)}
    or authorization_date like '__/__/____ __:__:__' and ${sql.join(old, sql` and `)}`;
}

function legalMoves(): string[] {
  return Object.entries(TRANSITIONS).flatMap(([from, moves]) => Object.values(moves).map((to) => `${from} ${to}`));
}
