import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { findingsOf, furnishedServer, partsOf } from '../../testing/invariant-suite.js';
import { databaseKinds } from '../../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../../testing/test-server.js';
import { checkInvariants, INVARIANTS } from './check-invariants.js';
import { OWNERSHIPS, orphanInvariantName } from './orphans.js';

const ANY_AUTHORIZED = "(select id from sri_documents where status = 'AUTHORIZED' order by id limit 1)";
const ANY_SIGNED = "(select id from sri_documents where status = 'SIGNED' order by id limit 1)";
const ISSUER_OF_ALL = '(select issuer_id from sri_documents order by issuer_id limit 1)';
const ANOTHER_ID = '00000000-0000-7000-8000-0000000000ff';

/** What breaks each invariant, by its name. */
const BREAKS: Readonly<Record<string, readonly string[]>> = {
  'counter-stands-above-its-numbers': ['update sri_sequentials set next_sequential = 1001'],
  'numbers-have-no-gap': ['update sri_sequentials set next_sequential = next_sequential + 5'],
  'number-is-given-once': [
    'drop index sri_documents_number',
    `update sri_documents set sequential = 1 where id = ${ANY_SIGNED}`,
  ],
  'access-key-is-given-once': [
    `update sri_documents set access_key = (select max(access_key) from sri_documents) where id = ${ANY_AUTHORIZED}`,
  ],
  'idempotency-key-is-bound-once': [
    'drop index sri_documents_idempotency',
    `update sri_documents set idempotency_key = 'the same'`,
  ],
  'access-key-finds-its-document': [
    `update sri_access_keys set document_id = ${ANY_SIGNED} where document_id = ${ANY_AUTHORIZED}`,
  ],
  'access-key-says-what-the-document-says': [`update sri_documents set environment = 'production'`],
  'usage-counts-the-documents': ['update document_usage set document_count = document_count + 1'],
  'status-is-known': [`update sri_documents set status = 'LOST' where id = ${ANY_SIGNED}`],
  'status-is-where-the-history-ends': [`update sri_documents set status = 'RECEIVED' where id = ${ANY_SIGNED}`],
  'moves-are-legal': [
    `insert into sri_events (document_id, issuer_id, revision, position, event_type, from_status, to_status, created_at)
      values (${ANY_SIGNED}, ${ISSUER_OF_ALL}, 99, 0, 'SENT', 'AUTHORIZED', 'SIGNED', 0)`,
  ],
  'authorized-once': [
    `insert into sri_events (document_id, issuer_id, revision, position, event_type, from_status, to_status, created_at)
      values (${ANY_AUTHORIZED}, ${ISSUER_OF_ALL}, 99, 0, 'AUTHORIZED', 'RECEIVED', 'AUTHORIZED', 0)`,
  ],
  'authorized-has-its-authorization': [
    `update sri_documents set authorization_date = null where id = ${ANY_AUTHORIZED}`,
  ],
  'authorization-number-is-the-access-key': [
    `update sri_documents set authorization_number = '<html>' where id = ${ANY_AUTHORIZED}`,
  ],
  'authorization-date-is-a-date': [`update sri_documents set authorization_date = '' where id = ${ANY_AUTHORIZED}`],
  'voided-has-its-reason': [`update sri_documents set void_reason = null where status = 'VOIDED'`],
  'document-has-its-job': [`delete from sri_jobs where operation = 'AUTHORIZE'`],
  'job-will-be-taken': [`update sri_jobs set ready_at = null`],
  'document-has-its-contents': [`delete from sri_contents where document_id = ${ANY_SIGNED}`],
  'signature-verifies': [
    `update sri_contents set signed_xml = (select signed_xml from sri_contents where document_id = ${ANY_AUTHORIZED})
      where document_id = ${ANY_SIGNED}`,
  ],
  'authorized-has-its-mail': [`delete from jobs where authorization_of = ${ANY_AUTHORIZED}`],
  'authorized-is-counted-in-a-notification': [`delete from notifications where type = 'DOCUMENT_AUTHORIZED'`],
  'mail-stands-where-it-may': [`update jobs set done_at = null where status = 'SENT'`],
  'delivery-stands-where-it-may': [`update jobs set status = 'GONE' where kind = 'WEBHOOK'`],
  'delivery-is-of-its-endpoints-account': [`update webhook_messages set tenant_id = '${ANOTHER_ID}'`],
  'no-notification-is-behind-the-last': [
    `update notification_cursors set last_id = '00000000-0000-0000-0000-000000000000'`,
  ],
  'lists-count-the-documents': ['update sri_names set documents = documents + 1'],
  'billing-states-are-known': [`update payments set status = 'FORGOTTEN'`],
  'one-subscription-is-under-way': [
    'drop index subscriptions_under_way',
    `insert into subscriptions (id, tenant_id, tier, billing_interval, status, pending_is_paid, extra_seats, created_at,
        updated_at)
      select '${ANOTHER_ID}', tenant_id, tier, billing_interval, 'PENDING_PAYMENT', 0, 0, 0, 0 from subscriptions`,
  ],
  'one-payment-of-a-purpose-is-open': [
    `update payments set status = 'PENDING'`,
    `insert into payments (id, tenant_id, subscription_id, purpose, status, payment_code, amount, iva_rate, iva_amount,
        total_amount, target_tier, target_billing_interval, target_extra_seats, due_at, created_at, updated_at)
      select '${ANOTHER_ID}', tenant_id, subscription_id, purpose, status, 'another', amount, iva_rate, iva_amount,
        total_amount, target_tier, target_billing_interval, target_extra_seats, due_at, created_at, updated_at from payments`,
  ],
  'tier-is-that-of-the-subscription': [`update tenants set subscription_tier = 'FREE'`],
  'active-subscription-was-paid': [`update payments set status = 'CANCELLED'`],
  'active-subscription-has-its-period': [`update subscriptions set current_period_end = current_period_start`],
  'applied-payment-remembers-what-was-before': [`update payments set state_before = null`],
  'payment-adds-up': [`update payments set total_amount = '1.00'`],
  'secret-opens': [`update issuer_certificates set key_version = key_version + 1`],
};

describeOnDatabases('the invariants of a database', await databaseKinds(), (open, databaseName) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await furnishedServer(open);
  });

  it('every invariant holds on a database that a server has used', async () => {
    const looked: string[] = [];
    const violations = await checkInvariants(partsOf(server), { onInvariant: (name) => looked.push(name) });
    expect(violations).toEqual([]);
    expect(looked).toEqual(INVARIANTS.map(({ name }) => name));
  });

  it('every invariant has a unique name, and a case here that breaks it', () => {
    const names = INVARIANTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const orphans = OWNERSHIPS.flatMap(({ column, tables }) =>
      tables.map((table) => orphanInvariantName(table, column)),
    );
    expect([...Object.keys(BREAKS), ...orphans].toSorted()).toEqual(names.toSorted());
  });

  it('the invariants check the owner in every table that names an owner', async () => {
    const names = new Set(OWNERSHIPS.map(({ column }) => column));
    const stored = await server.services.database.read((tables) => tables.introspection.getTables());
    const found = stored.flatMap((table) =>
      table.columns.filter(({ name }) => names.has(name)).map(({ name }) => `${table.name}.${name}`),
    );
    const checked = OWNERSHIPS.flatMap(({ column, tables }) => tables.map((table) => `${table}.${column}`));
    // PostgreSQL lists every schema.
    expect([...new Set(found)].toSorted()).toEqual(checked.toSorted());
  });

  it.each(Object.entries(BREAKS))('%s', async (invariant, statements) => {
    const found = await findingsOf(server, { invariant, statements, databaseName });
    expect(found).not.toEqual([]);
    for (const { object, explanation } of found) expect(`${object}: ${explanation}`).toMatch(/^\S+.*: .*\S/);
  });

  describe.each(OWNERSHIPS)('rows of $owner by $column', ({ owner, column, tables }) => {
    it.each(tables.map((table) => [table, orphanInvariantName(table, column)]))('%s', async (_table, invariant) => {
      const moved = "'ffffffff' || substr(cast(id as text), 9)";
      const statements = [`update ${owner} set id = ${databaseName === 'SQLite' ? moved : `cast(${moved} as uuid)`}`];
      expect(await findingsOf(server, { invariant, statements, databaseName })).not.toEqual([]);
    });
  });

  it('lists at most the requested rows, and reports that there are more', async () => {
    const { database } = server.services;
    await database.transaction((tables) => sql`update document_usage set document_count = 0`.execute(tables));
    await database.transaction((tables) => sql`update jobs set status = 'GONE' where kind = 'WEBHOOK'`.execute(tables));
    const found = await checkInvariants(partsOf(server), { mostOfEach: 1 });
    expect(found.map(({ invariant, object }) => [invariant, object === 'others'])).toEqual([
      ['usage-counts-the-documents', false],
      ['delivery-stands-where-it-may', false],
      ['delivery-stands-where-it-may', true],
    ]);
  });

  it.each([
    ['2026-11-05T14:22:07-05:00', true],
    ['2026-11-05T14:22:07.318-05:00', true],
    ['05/11/2026 14:22:07', true],
    ['2026-13-05T14:22:07-05:00', false],
    ['2026-11-05T14:72:07-05:00', false],
    ['2026-11-05', false],
    ['ayer', false],
  ])('accepts %s as the date of an authorization: %s', async (date, isDate) => {
    const statements = [`update sri_documents set authorization_date = '${date}' where id = ${ANY_AUTHORIZED}`];
    const invariant = 'authorization-date-is-a-date';
    expect(await findingsOf(server, { invariant, statements, databaseName })).toHaveLength(isDate ? 0 : 1);
  });

  it('prints nothing of a secret, and skips secrets without the master keys', async () => {
    const statements = ["update issuer_certificates set master_key_id = 'gone'"];
    const [found] = await findingsOf(server, { invariant: 'secret-opens', statements, databaseName });
    expect(found?.explanation).toBe('its secret does not open, whose master key is not configured');
    const withoutKeys = { ...partsOf(server), vault: null };
    expect(await findingsOf(server, { invariant: 'secret-opens', statements, databaseName }, withoutKeys)).toEqual([]);
  });
});
