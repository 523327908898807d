import { expect, it } from 'vitest';
import type { Tier } from '../accounts/plans.js';
import { changeRows, changeTenant } from '../testing/change-rows.js';
import { ownNotifications } from '../testing/own-account.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { openSmtpSink } from '../testing/smtp-sink.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import type { TestTenant } from '../testing/test-tenant.js';

/** A buyer whose documents the simulated SRI receives and never decides on. */
const NEVER = 'SRI-NEVER';

describeOnDatabases('reserved types of notifications', await databaseKinds(), (open) => {
  const change = (server: TestServer, tenant: TestTenant, columns: { subscription_tier: Tier }) =>
    changeTenant(server, tenant, columns);
  /** Counts documents as created, without creating them. */
  const use = (server: TestServer, tenant: TestTenant, document_count: number) =>
    changeRows(server, 'document_usage', { tenant_id: tenant.tenantId }, { document_count });

  /** Makes a document fail at the SRI, a mail fail for good, and uses up the quota. */
  async function everythingFails(settings: Readonly<Record<string, string>>) {
    const sink = await openSmtpSink();
    sink.mode = '5xx';
    const server = await open({ settings: { SMTP_URL: sink.url, QUOTA_ENFORCEMENT: 'all', ...settings } });
    const tenant = await verifiedTenant(server);
    await change(server, tenant, { subscription_tier: 'STARTER' });
    const documents = documentsOf(server, tenant);
    const failed = await documents.failed(NEVER);
    expect(failed.dispatch?.status).toBe('FAILED');
    const authorized = await documents.authorized();
    for (let round = 0; round < 8; round += 1) {
      await server.tick();
      // Notifications of the sandbox expire after a week.
      await server.clock.advance(20 * 3_600_000);
    }
    await use(server, tenant, 0);
    await documents.create();
    await use(server, tenant, 158);
    await documents.create();
    await documents.create();
    await documents.create();
    await use(server, tenant, 199);
    await documents.create();
    expect((await documents.post('', {})).status).toBe(400);
    await sink.down();
    return { server, tenant, failed, authorized };
  }

  it('[R359] RESERVED_NOTIFICATIONS=off makes no notifications of reserved types', async () => {
    const { server, tenant } = await everythingFails({ RESERVED_NOTIFICATIONS: 'off' });
    expect((await ownNotifications(server, tenant)).map(({ type }) => type)).not.toContain('SRI_SUBMISSION_FAILED');
    expect(new Set((await ownNotifications(server, tenant)).map(({ type }) => type))).toEqual(
      new Set(['DOCUMENT_AUTHORIZED']),
    );
  });

  it('[R359] reserved types report each failure once, and 80 % and 100 % of the quota', async () => {
    const { server, tenant, failed, authorized } = await everythingFails({});
    const shown = (await ownNotifications(server, tenant))
      .filter(({ type }) => type !== 'DOCUMENT_AUTHORIZED')
      .reverse();
    expect(shown.map(({ type, severity }) => [type, severity])).toEqual([
      ['SRI_SUBMISSION_FAILED', 'ERROR'],
      ['EMAIL_DELIVERY_FAILED', 'WARNING'],
      ['QUOTA_WARNING', 'WARNING'],
      ['QUOTA_WARNING', 'ERROR'],
    ]);
    const [submission, mail, warning, end] = shown;
    expect(submission?.issuerId).toBe(tenant.issuerId);
    expect(submission?.metadata).toMatchObject({
      accessKey: failed.accessKey,
      documentType: '01',
      sequential: failed.sequential,
      operation: 'AUTHORIZE',
      attemptCount: 5,
      // In the language of the account, as the document has it.
      lastError: failed.dispatch?.lastError,
    });
    expect(mail?.metadata).toMatchObject({
      accessKey: authorized.accessKey,
      recipient: 'maria@ejemplo.ec',
      lastError: expect.any(String),
    });
    expect(warning?.issuerId).toBeNull();
    expect(warning?.metadata).toEqual({
      environment: 'sandbox',
      documentCount: 160,
      documentQuota: 200,
      percent: 80,
      periodStart: expect.stringMatching(/-01T05:00:00\.000Z$/),
      periodEnd: expect.stringMatching(/-01T05:00:00\.000Z$/),
    });
    expect(end?.metadata).toMatchObject({ documentCount: 200, percent: 100 });
    expect([warning?.title, end?.title]).toEqual(['Cupo por agotarse', 'Cupo agotado']);
  });
});
