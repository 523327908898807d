import { sql } from 'kysely';
import { decidedBy, type Invariant, phrase } from './invariant.js';

/** Numbers are given once, in sequence, and a counter is above all of them. */
export const NUMBER_INVARIANTS: readonly Invariant[] = [
  decidedBy(
    'counter-stands-above-its-numbers',
    sql`select ${phrase('counter ', counter())} as object,
        ${phrase('it stands at ', sql`next_sequential`, ', and ', sql`last`, ' is in use')} as explanation
      from (select issuer_id, environment, document_type, max(sequential) as last
        from sri_documents group by issuer_id, environment, document_type) as used
      left join sri_sequentials using (issuer_id, environment, document_type)
      where next_sequential is null or next_sequential <= last`,
  ),
  // A document that took another number keeps its earlier access keys, which hold those numbers.
  decidedBy(
    'numbers-have-no-gap',
    sql`select ${phrase('counter ', counter())} as object,
        ${phrase(sql`number`, ' follows ', sql`prior`, ', and no request moved the counter there')} as explanation
      from (select issuer_id, environment, document_type, number,
          coalesce(lag(number) over (partition by issuer_id, environment, document_type order by number), 0) as prior
        from (select document.issuer_id, environment, document_type, cast(substr(held.access_key, 31, 9) as integer) as number
            from sri_access_keys as held join sri_documents as document on document.id = document_id
          union all
          select issuer_id, environment, document_type, next_sequential from sri_sequentials) as given) as steps
      where number - prior > 1 and not exists (select 1 from counter_moves as moved
        where moved.issuer_id = steps.issuer_id and moved.environment = steps.environment
          and moved.document_type = steps.document_type and moved.next_sequential = steps.number)`,
  ),
  decidedBy(
    'number-is-given-once',
    sql`select ${phrase('counter ', counter())} as object,
        ${phrase('number ', sql`sequential`, ' is in ', sql`count(*)`, ' documents')} as explanation
      from sri_documents group by issuer_id, environment, document_type, sequential having count(*) > 1`,
  ),
  decidedBy(
    'access-key-is-given-once',
    sql`select ${phrase('access key ', sql`access_key`)} as object,
        ${phrase('it is in ', sql`count(*)`, ' documents')} as explanation
      from sri_documents group by access_key having count(*) > 1`,
  ),
  decidedBy(
    'idempotency-key-is-bound-once',
    sql`select ${phrase('issuer ', sql`issuer_id`, ', ', sql`environment`)} as object,
        ${phrase('an idempotency key is in ', sql`count(*)`, ' documents')} as explanation
      from sri_documents where idempotency_key is not null
      group by issuer_id, environment, idempotency_key having count(*) > 1`,
  ),
  decidedBy(
    'access-key-finds-its-document',
    sql`select ${phrase('document ', sql`id`)} as object,
        ${phrase('its access key leads to ', sql`document_id`)} as explanation
      from sri_documents left join sri_access_keys using (access_key, issuer_id)
      where document_id is null or document_id <> id`,
  ),
  decidedBy(
    'access-key-says-what-the-document-says',
    sql`select ${phrase('document ', sql`id`)} as object,
        'type, environment or number of its access key are not its own' as explanation
      from sri_documents
      where substr(access_key, 9, 2) <> document_type or cast(substr(access_key, 31, 9) as integer) <> sequential
        or substr(access_key, 24, 1) <> case environment when 'production' then '2' else '1' end`,
  ),
  decidedBy(
    'usage-counts-the-documents',
    sql`select ${phrase('account ', sql`tenant_id`, ', ', sql`environment`)} as object,
        ${phrase(sql`counted`, ' counted, ', sql`there`, ' there')} as explanation
      from (select tenant_id, environment, sum(counted) as counted, sum(there) as there
        from (select tenant_id, environment, document_count as counted, 0 as there from document_usage
          union all
          select tenant_id, document.environment, 0, count(*)
          from sri_documents as document join issuers on issuers.id = issuer_id
          group by tenant_id, document.environment) as both_sides
        group by tenant_id, environment) as sums
      where counted <> there`,
  ),
];

// --- internal ---

function counter() {
  return sql`issuer_id || ' ' || environment || ' ' || document_type`;
}
