import { beforeAll, expect, it } from 'vitest';
import { ADMIN_SETTINGS, askAsOperator, auditOf } from '../testing/admin-access.js';
import { storedRows } from '../testing/bad-input/stored-rows.js';
import { BILLING_SETTINGS, billingOf, TEST_PNG } from '../testing/billing-suite.js';
import { readRow } from '../testing/change-rows.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { queryPlans } from '../testing/query-plans.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';
import { createDocument } from '../testing/test-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

describeOnDatabases('the operator and payments', await databaseKinds(), (open) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await open({ settings: { ...ADMIN_SETTINGS, ...BILLING_SETTINGS } });
  });

  const ask = (method: string, path: string, body?: unknown) => askAsOperator(server, method, path, body);
  const refused = async (method: string, path: string, body: unknown, reported: readonly unknown[]) => {
    const before = await storedRows(server);
    const answer = await ask(method, path, body);
    expect([answer.status, answer.body.code, answer.body.reason ?? null]).toEqual(reported);
    expect(await storedRows(server)).toEqual(before);
  };

  async function reported() {
    const tenant = await verifiedTenant(server);
    const billing = billingOf(server, tenant);
    const { payment, subscription } = await billing.start();
    await billing.report(payment.id);
    return { tenant, billing, payment, subscription };
  }

  it('lists the payments of all accounts, by status and account, longest waiting first', async () => {
    const first = await reported();
    await server.clock.advance(60_000);
    const second = await reported();
    const { body } = await ask('GET', 'payments?status=REPORTED');
    expect(body.payments.map(({ id }) => id)).toEqual([first.payment.id, second.payment.id]);
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 20 });
    expect(body.payments[0]).toMatchObject({
      paymentCode: first.payment['paymentCode'],
      totalAmount: '23.00',
      total_amount: '23.00',
      status: 'REPORTED',
      tenant: { id: first.tenant.tenantId, email: expect.stringContaining('@'), ruc: expect.any(String) },
    });
    const own = await ask('GET', `payments?tenantId=${second.tenant.tenantId}`);
    expect(own.body.payments.map(({ id }) => id)).toEqual([second.payment.id]);
    expect((await ask('GET', 'payments?status=VERIFIED')).body.pagination.total).toBe(0);
    await refused('GET', 'payments?status=PAID', undefined, [400, 'VALIDATION_FAILED', null]);
    await refused('GET', 'payments?tenantId=x', undefined, [400, 'VALIDATION_FAILED', null]);
  });

  it('opens every proof, including withdrawn proofs, as a download', async () => {
    const { payment, billing, tenant } = await reported();
    const path = `payments/${payment.id}/proofs`;
    const [proof] = (await ask('GET', path)).body.proofs;
    expect(proof).toEqual({
      id: expect.any(String),
      filename: 'comprobante 1.png',
      mimeType: 'image/png',
      referenceNumber: 'REF-1',
      active: true,
      createdAt: expect.any(String),
      sizeBytes: TEST_PNG.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await billing.ask('DELETE', `/v1/payments/${payment.id}/proofs/${proof?.id}`);
    const own = await server.request(`/v1/payments/${payment.id}/proofs`, { headers: tenant.auth });
    expect(((await own.json()) as { proofs: unknown[] }).proofs).toEqual([]);
    expect((await ask('GET', path)).body.proofs).toMatchObject([{ id: proof?.id, active: false }]);
    const file = await ask('GET', `${path}/${proof?.id}`);
    expect(file.bytes.equals(TEST_PNG)).toBe(true);
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${proof?.id}.png"`);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    await refused('GET', `${path}/${UNKNOWN_ID}`, undefined, [404, 'NOT_FOUND', null]);
    const other = await reported();
    await refused('GET', `payments/${other.payment.id}/proofs/${proof?.id}`, undefined, [404, 'NOT_FOUND', null]);
    await refused('GET', `payments/${UNKNOWN_ID}/proofs`, undefined, [404, 'PAYMENT_NOT_FOUND', null]);
  });

  it('[R330] [R331] verifies a payment: the tier applies, the account is notified, the record holds both states', async () => {
    const { payment, billing } = await reported();
    const path = `payments/${payment.id}/review`;
    const { status, body } = await ask('PATCH', path, { decision: 'VERIFIED' });
    expect([status, body.payment.status]).toEqual([200, 'VERIFIED']);
    expect(await billing.me()).toMatchObject({ subscriptionTier: 'STARTER' });
    expect(await billing.notices('PAYMENT_VERIFIED')).toHaveLength(1);
    expect(await billing.mails()).toContain('PAYMENT_VERIFIED');
    expect(await auditOf(server, payment.id)).toEqual([
      expect.objectContaining({
        action: 'payment.verify',
        before: { status: 'REPORTED', rejectionReasonCode: null, subscriptionTier: 'FREE' },
        after: { status: 'VERIFIED', rejectionReasonCode: null, subscriptionTier: 'STARTER' },
      }),
    ]);
    await refused('PATCH', path, { decision: 'VERIFIED' }, [409, 'CONFLICT', 'PAYMENT_STATUS']);
    const rejected = { decision: 'REJECTED', rejectionReasonCode: 'OTHER' };
    await refused('PATCH', path, rejected, [409, 'CONFLICT', 'PAYMENT_STATUS']);
  });

  it('[R353] rejects a payment with a reason, and the account may report it again', async () => {
    const { payment, billing } = await reported();
    const path = `payments/${payment.id}/review`;
    await refused('PATCH', path, { decision: 'REJECTED' }, [400, 'VALIDATION_FAILED', null]);
    await refused('PATCH', path, { decision: 'MAYBE' }, [400, 'VALIDATION_FAILED', null]);
    const { body } = await ask('PATCH', path, { decision: 'REJECTED', rejectionReasonCode: 'ILLEGIBLE_PROOF' });
    expect(body.payment).toMatchObject({ status: 'REJECTED', rejectionReasonCode: 'ILLEGIBLE_PROOF' });
    expect(await billing.notices('PAYMENT_REJECTED')).toHaveLength(1);
    await billing.report(payment.id);
    expect((await ask('PATCH', path, { decision: 'VERIFIED' })).body.payment.status).toBe('VERIFIED');
    const late = `payments/${(await reported()).payment.id}/review`;
    await ask('PATCH', late, { decision: 'REJECTED', rejectionReasonCode: 'TRANSFER_NOT_FOUND' });
    const found = await ask('PATCH', late, { decision: 'VERIFIED' });
    expect(found.body.payment).toMatchObject({ status: 'VERIFIED', rejectionReasonCode: null });
    const actions = (await auditOf(server, payment.id)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['payment.reject', 'payment.verify']);
    await refused('PATCH', `payments/${UNKNOWN_ID}/review`, { decision: 'VERIFIED' }, [404, 'PAYMENT_NOT_FOUND', null]);
  });

  it('[R330] refunds a payment and reverts its changes', async () => {
    const { payment, billing } = await reported();
    const path = `payments/${payment.id}/refund`;
    await refused('PATCH', path, undefined, [400, 'PAYMENT_NOT_REFUNDABLE', null]);
    await ask('PATCH', `payments/${payment.id}/review`, { decision: 'VERIFIED' });
    expect((await ask('PATCH', path)).body.payment.status).toBe('REFUNDED');
    expect(await billing.me()).toMatchObject({ subscriptionTier: 'FREE' });
    expect(await billing.events('PAYMENT_REFUNDED')).toMatchObject([{ detail: { restoredTier: 'FREE' } }]);
    await refused('PATCH', path, undefined, [400, 'PAYMENT_NOT_REFUNDABLE', null]);
  });

  it('[R332] links an invoice to a verified payment, shows the link on both, and changes nothing else', async () => {
    const { payment, billing, subscription, tenant } = await reported();
    const { accessKey } = await createDocument(server, tenant);
    const { id: documentId } = await readRow(server, 'sri_documents', { access_key: accessKey });
    const path = `subscriptions/${subscription.id}/link-invoice`;
    const waiting = async () => (await ask('GET', 'invoicing/pending?limit=100')).body.payments.map(({ id }) => id);
    await refused('PATCH', path, { accessKey }, [409, 'CONFLICT', 'NOTHING_TO_INVOICE']);
    expect(await waiting()).not.toContain(payment.id);
    await ask('PATCH', `payments/${payment.id}/review`, { decision: 'VERIFIED' });
    expect(await waiting()).toContain(payment.id);
    await refused('PATCH', path, { accessKey: '1'.repeat(49) }, [400, 'VALIDATION_FAILED', null]);
    await refused('PATCH', path, { accessKey, paymentId: UNKNOWN_ID }, [409, 'CONFLICT', 'NOTHING_TO_INVOICE']);
    await refused('PATCH', `subscriptions/${UNKNOWN_ID}/link-invoice`, { accessKey }, [404, 'NOT_FOUND', null]);
    const before = await billing.mine();
    const linked = await ask('PATCH', path, { accessKey });
    expect(linked.body.invoice).toEqual({
      paymentId: payment.id,
      subscriptionId: subscription.id,
      tenantId: tenant.tenantId,
      accessKey,
      linkedAt: server.clock.now().toISOString(),
    });
    const after = await billing.mine();
    expect(after.subscriptions[0]).toMatchObject({
      initialInvoiceDocumentId: documentId,
      initial_invoice_document_id: documentId,
      payments: [{ invoiceDocumentId: documentId, invoice_document_id: documentId }],
    });
    expect(withoutInvoice(after)).toEqual(withoutInvoice(before));
    expect(await billing.events('INVOICE_LINKED')).toMatchObject([
      { detail: { subscriptionId: subscription.id, paymentId: payment.id, accessKey } },
    ]);
    expect(await waiting()).not.toContain(payment.id);
    expect(await auditOf(server, subscription.id)).toMatchObject([
      { action: 'subscription.link-invoice', after: { accessKey } },
    ]);
    await refused('PATCH', path, { accessKey }, [409, 'CONFLICT', 'NOTHING_TO_INVOICE']);
  });

  it('links an invoice once if the answer was lost and another payment waits', async () => {
    const tenant = await verifiedTenant(server);
    const billing = billingOf(server, tenant);
    const { subscription } = await billing.subscribe();
    const { payment } = await billing.changeTier({ tier: 'GROWTH' });
    await billing.verify(payment?.id ?? '');
    const { accessKey } = await createDocument(server, tenant);
    const path = `subscriptions/${subscription.id}/link-invoice`;
    expect((await ask('PATCH', path, { accessKey })).status).toBe(200);
    await refused('PATCH', path, { accessKey }, [409, 'CONFLICT', 'NOTHING_TO_INVOICE']);
    // The payment is named: one invoice may be for several.
    expect((await ask('PATCH', path, { accessKey, paymentId: payment?.id })).status).toBe(200);
  });

  it('verifies a payment once for two concurrent operators', async () => {
    const { payment, billing } = await reported();
    const review = () => ask('PATCH', `payments/${payment.id}/review`, { decision: 'VERIFIED' });
    const answers = await Promise.all([review(), review(), review()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await auditOf(server, payment.id)).toHaveLength(1);
    expect(await billing.events('PAYMENT_VERIFIED')).toHaveLength(1);
  });
});

/** An answer without the ids of invoices. */
function withoutInvoice(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value: unknown) => (/invoice/i.test(name) ? undefined : value));
}

it('the lists read accounts and invoices for the payments of the page alone', async () => {
  const server = await openTestServer(null, { settings: { ...ADMIN_SETTINGS, ...BILLING_SETTINGS } });
  const billing = billingOf(server, await verifiedTenant(server));
  await billing.start();
  const { statements, steps } = await queryPlans(server, async () => {
    for (const path of ['payments', 'payments?status=PENDING', 'invoicing/pending']) {
      expect((await askAsOperator(server, 'GET', path)).status).toBe(200);
    }
  });
  const sorted = statements.filter((text) => /from "payments".* order by/.test(text));
  expect(sorted).toHaveLength(3);
  expect(sorted.filter((text) => / join /.test(text))).toEqual([]);
  expect(steps).toContain('SEARCH tenants USING INDEX sqlite_autoindex_tenants_1 (id=?)');
  await server.close();
});
