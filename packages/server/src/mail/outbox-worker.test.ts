import { silentLogger } from 'sri-core';
import { beforeAll, expect, it } from 'vitest';
import { onboardingMails } from '../onboarding/onboarding-mails.js';
import { readRow, readRows } from '../testing/change-rows.js';
import { claimReady } from '../testing/claim-ready.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';
import type { MailTransport, WrittenMail } from './mail-transport.js';
import { MAIL_SLOTS, sendDueMails } from './mail-worker.js';
import type { MailWriters } from './mail-writers.js';
import type { OutboxWorkerDeps } from './outbox-worker.js';
import { markWaitingMailsSkipped, sentAt, settleMail, toClaimedMail } from './rows.js';

describeOnDatabases('the outbox', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  /** A worker on the server's outbox with its own transport. */
  function worker(transport: MailTransport, leaseMs = 60_000): OutboxWorkerDeps {
    const { outbox, vault } = server.services;
    const writers = { ...outbox.writers, ...onboardingMails({ vault, baseUrl: 'https://api.ec' }) };
    return { ...outbox, transport, logger: silentLogger, leaseMs, writers };
  }
  const rowOf = (tenant: TestTenant) => readRow(server, 'jobs', { kind: 'MAIL', tenant_id: tenant.tenantId });
  const eventsOf = async (tenant: TestTenant) => {
    const rows = await readRows(server, 'tenant_events', { tenant_id: tenant.tenantId });
    return rows.filter((row) => row.event_type !== 'CERTIFICATE_UPLOADED');
  };

  it('[R140] [R327] sends the verification mail once, after the answer, and wipes its token', async () => {
    const tenant = await registerTenant(server);
    expect(await rowOf(tenant)).toMatchObject({ status: 'PENDING', sealed_token: expect.any(String) });
    const sent: WrittenMail[] = [];
    const parts = worker({ send: async (mail) => void sent.push(mail), close: () => {} });
    expect(await sendDueMails(parts)).toBe(1);
    expect(await sendDueMails(parts)).toBe(0);
    const row = await rowOf(tenant);
    expect(row).toMatchObject({ status: 'SENT', attempt_count: 1, sealed_token: null, wrapped_key: null });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      id: row.id,
      to: row.recipient,
      text: expect.stringContaining('https://api.ec/v1/'),
    });
    expect((await eventsOf(tenant)).map((event) => event.event_type)).toEqual(['VERIFICATION_EMAIL_SENT']);
  });

  it('[R327] tries five times over 81 minutes, records each failure, and then gives up', async () => {
    const tenant = await registerTenant(server);
    const parts = worker({ send: () => Promise.reject(new Error('421 try later')), close: () => {} });
    for (const [attempt, waitMs] of [60_000, 300_000, 900_000, 3_600_000, 0].entries()) {
      expect(await sendDueMails(parts)).toBe(1);
      expect(await rowOf(tenant)).toMatchObject({ attempt_count: attempt + 1, last_error: '421 try later' });
      await server.clock.advance(Math.max(0, waitMs - 1));
      expect(await sendDueMails(parts)).toBe(0);
      await server.clock.advance(1);
    }
    expect(await rowOf(tenant)).toMatchObject({ status: 'FAILED', sealed_token: null });
    const events = await eventsOf(tenant);
    expect(events.map((event) => event.event_type)).toEqual(Array(5).fill('VERIFICATION_EMAIL_FAILED'));
    expect(events.map((event) => JSON.parse(event.detail ?? '').willRetry)).toEqual([true, true, true, true, false]);
  });

  it('records no further attempt at a mail that was replaced during the attempt', async () => {
    const tenant = await registerTenant(server);
    const parts = worker({
      async send() {
        await parts.database.transaction((tables) =>
          markWaitingMailsSkipped(tables, tenant.tenantId, ['VERIFICATION']),
        );
        throw new Error('421 try later');
      },
      close: () => {},
    });
    expect(await sendDueMails(parts)).toBe(1);
    expect(await rowOf(tenant)).toMatchObject({ status: 'SKIPPED' });
    const [event] = await eventsOf(tenant);
    expect(JSON.parse(event?.detail ?? '')).toMatchObject({ attempt: 1, willRetry: false });
  });

  it('several workers never hold the same mail', async () => {
    const tenants = await Promise.all([1, 2, 3, 4].map(() => registerTenant(server)));
    const sent: string[] = [];
    const parts = worker({ send: async (mail) => void sent.push(mail.id), close: () => {} });
    await Promise.all([1, 2, 3].map(() => sendDueMails(parts)));
    const ids = await Promise.all(tenants.map(async (tenant) => (await rowOf(tenant)).id));
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  it('a worker that froze past its lease cannot write, and another sends the mail under the same id', async () => {
    const tenant = await registerTenant(server);
    const { database, clock } = server.services;
    const claim = () =>
      database.transaction(async (tables) => {
        const wish = { lane: tenant.tenantId, limit: 1 };
        const [row] = await claimReady(tables, database.traits, 'MAIL', [wish], {
          now: clock.now(),
          leaseMs: 60_000,
        });
        return row ? toClaimedMail(tables, row) : null;
      });
    const frozen = await claim();
    expect(await claim()).toBeNull();
    await server.clock.advance(60_000);
    const sent: string[] = [];
    expect(await sendDueMails(worker({ send: async (mail) => void sent.push(mail.id), close: () => {} }))).toBe(1);
    expect(sent).toEqual([frozen?.mail.id]);
    expect(frozen && (await database.transaction((tables) => settleMail(tables, frozen, sentAt(clock.now()))))).toBe(
      false,
    );
    expect((await eventsOf(tenant)).map((event) => event.event_type)).toEqual(['VERIFICATION_EMAIL_SENT']);
  });

  it('stops between two mails on request', async () => {
    for (let number = 0; number <= MAIL_SLOTS; number += 1) await registerTenant(server);
    const stopping = new AbortController();
    const parts = worker({ send: async () => {}, close: () => {} });
    const writers: MailWriters = {
      ...parts.writers,
      VERIFICATION(mail) {
        stopping.abort();
        return parts.writers.VERIFICATION(mail);
      },
    };
    expect(await sendDueMails({ ...parts, writers }, stopping.signal)).toBe(MAIL_SLOTS);
    expect(await sendDueMails(worker({ send: async () => {}, close: () => {} }))).toBe(1);
  });
});
