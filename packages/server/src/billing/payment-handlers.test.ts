import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { BILLING_SETTINGS, billingOf, proofForm, TEST_PNG } from '../testing/billing-suite.js';
import { readRows } from '../testing/change-rows.js';
import { UNKNOWN_ID } from '../testing/issuer-suite.js';
import { asWebApplication, setStatus, verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import type { TestTenant } from '../testing/test-tenant.js';

const PDF = Buffer.from('%PDF-1.4\n% comprobante');
const GIF = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1');
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);

describeOnDatabases('payments', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let billing: ReturnType<typeof billingOf>;
  beforeAll(async () => {
    server = await open({ settings: BILLING_SETTINGS });
    ({ tenant, billing } = await account());
  });

  async function account() {
    const verified = await verifiedTenant(server);
    return { tenant: verified, billing: billingOf(server, verified) };
  }

  async function unpaid() {
    const fresh = await account();
    const { payment } = await fresh.billing.start();
    return { ...fresh, payment, path: `/v1/payments/${payment.id}` };
  }

  /** The status, code and fields of a problem. */
  async function problem(answer: Response | Promise<Response>): Promise<unknown> {
    const { status, code, reason, errors } = (await (await answer).json()) as {
      status: number;
      code: string;
      reason?: string;
      errors?: readonly { field: string }[];
    };
    return [status, code, ...(reason ? [reason] : []), ...(errors ?? []).map(({ field }) => field)];
  }

  const sendForm = (of: TestTenant, id: string, form: FormData) =>
    server.request(`/v1/payments/${id}/proof`, { method: 'PATCH', headers: asWebApplication(of.tenantId), body: form });

  const sendPng = (of: TestTenant, id: string) => sendForm(of, id, proofForm([TEST_PNG]));

  function formWith(bytes: Uint8Array, filename: string, type = 'application/octet-stream'): FormData {
    const form = new FormData();
    form.append('proof', new Blob([Uint8Array.from(bytes)], { type }), filename);
    form.append('referenceNumber', 'REF');
    return form;
  }

  it('[R306] payments are listed newest first, and shown by id', async () => {
    const { billing, payment, path } = await unpaid();
    expect(await billing.payments()).toEqual([payment]);
    expect(await (await billing.ask('GET', path)).json()).toEqual({ ok: true, payment });
    expect(await problem(billing.ask('GET', `/v1/payments/${UNKNOWN_ID}`))).toEqual([404, 'PAYMENT_NOT_FOUND']);
    expect(await problem(billing.ask('GET', '/v1/payments/x'))).toEqual([400, 'VALIDATION_FAILED', 'path:id']);
  });

  describe('cancelling a payment', () => {
    it('a cancelled first payment ends its subscription, so that another may start', async () => {
      const { billing, payment, path } = await unpaid();
      const answer = await billing.ask('DELETE', path);
      expect(await answer.json()).toMatchObject({ ok: true, payment: { id: payment.id, status: 'CANCELLED' } });
      expect(await billing.mine()).toMatchObject({ subscription: null, subscriptions: [{ status: 'CANCELLED' }] });
      expect(await billing.events('SUBSCRIPTION_CANCELLED')).toHaveLength(1);
      expect(await problem(billing.ask('DELETE', path))).toEqual([409, 'PAYMENT_NOT_CANCELLABLE']);
      await billing.start({ tier: 'GROWTH' });
    });

    it('a cancelled change of plan leaves the current plan', async () => {
      const { billing } = await account();
      await billing.subscribe();
      const { payment } = await billing.changeTier({ tier: 'GROWTH' });
      await billing.reject(payment?.id ?? '', 'TRANSFER_NOT_FOUND');
      expect((await billing.ask('DELETE', `/v1/payments/${payment?.id}`)).status).toBe(200);
      expect((await billing.mine()).subscription).toMatchObject({ status: 'ACTIVE', tier: 'STARTER' });
      await billing.changeTier({ tier: 'BUSINESS' });
    });

    it('a reported or verified payment and a payment of another account cannot be cancelled', async () => {
      const { billing, payment, path } = await unpaid();
      await billing.report(payment.id);
      expect(await problem(billing.ask('DELETE', path))).toEqual([409, 'PAYMENT_NOT_CANCELLABLE']);
      await billing.verify(payment.id);
      expect(await problem(billing.ask('DELETE', path))).toEqual([409, 'PAYMENT_NOT_CANCELLABLE']);
      expect(await problem((await account()).billing.ask('DELETE', path))).toEqual([404, 'PAYMENT_NOT_FOUND']);
      expect(await problem(billing.ask('DELETE', '/v1/payments/x'))).toEqual([400, 'VALIDATION_FAILED', 'path:id']);
    });
  });

  describe('reporting a payment', () => {
    it('[R330] a report takes files as a form, keeps them and records an event', async () => {
      const { tenant, billing, payment } = await unpaid();
      const form = proofForm([TEST_PNG, TEST_PNG], ' 0012-345 ');
      const answer = await sendForm(tenant, payment.id, form);
      const body = (await answer.json()) as { payment: unknown; proofs: readonly { id: string }[] };
      expect(answer.status).toBe(200);
      const proof = {
        id: expect.any(String),
        filename: 'comprobante 1.png',
        mimeType: 'image/png',
        referenceNumber: '0012-345',
        active: true,
        createdAt: server.clock.now().toISOString(),
        sizeBytes: TEST_PNG.length,
        sha256: createHash('sha256').update(TEST_PNG).digest('hex'),
      };
      expect(body).toMatchObject({
        ok: true,
        payment: { status: 'REPORTED', reportedAt: server.clock.now().toISOString(), verifiedAt: null },
        proofs: [proof, { ...proof, filename: 'comprobante 2.png' }],
      });
      expect(await billing.events('PAYMENT_REPORTED')).toMatchObject([
        { detail: { paymentId: payment.id, purpose: 'INITIAL', totalAmount: '23.00' } },
      ]);
      const shown = await server.request(`/v1/payments/${payment.id}/proofs/${body.proofs[0]?.id}`, {
        headers: tenant.auth,
      });
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="comprobante_1.png"',
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await shown.arrayBuffer())).toEqual(TEST_PNG);
    });

    it('a report takes one file as JSON', async () => {
      const { billing, payment, path } = await unpaid();
      const body = { file: PDF.toString('base64'), filename: '../../Señal "1".pdf', referenceNumber: '7' };
      const answer = await billing.ask('PATCH', `${path}/proof`, body);
      expect(await answer.json()).toMatchObject({
        payment: { id: payment.id, status: 'REPORTED' },
        proofs: [{ filename: 'Señal "1".pdf', mimeType: 'application/pdf' }],
      });
    });

    it.each<[string, Uint8Array, string, string, string]>([
      ['a PNG', TEST_PNG, 'a.PNG', 'image/png', 'image/png'],
      ['a JPEG', JPEG, 'a.jpeg', 'image/jpeg', 'image/jpeg'],
      ['a JPEG of a telephone', JPEG, 'a.jpg', 'image/jpg', 'image/jpeg'],
      ['a GIF', GIF, 'a', '', 'image/gif'],
      ['a PDF', PDF, 'a.b.pdf', 'application/octet-stream', 'application/pdf'],
    ])('a report recognizes %s by its bytes', async (_, bytes, filename, type, expected) => {
      const { tenant, payment } = await unpaid();
      const answer = await sendForm(tenant, payment.id, formWith(bytes, filename, type));
      expect(await answer.json()).toMatchObject({ proofs: [{ mimeType: expected }] });
    });

    it('a further report adds files, up to ten', async () => {
      const { tenant, billing, payment } = await unpaid();
      const five = () => Array(5).fill(TEST_PNG) as Uint8Array[];
      expect((await billing.report(payment.id, five())).proofs).toHaveLength(5);
      expect((await billing.report(payment.id, five())).proofs).toHaveLength(5);
      expect(await problem(sendPng(tenant, payment.id))).toEqual([400, 'PROOF_FILE_LIMIT_REACHED']);
      const list = await server.request(`/v1/payments/${payment.id}/proofs`, { headers: tenant.auth });
      const { proofs } = (await list.json()) as { proofs: readonly { id: string }[] };
      expect(proofs).toHaveLength(10);
      // Refused reports add no event.
      expect(await billing.events('PAYMENT_REPORTED')).toHaveLength(2);
      await billing.ask('DELETE', `/v1/payments/${payment.id}/proofs/${proofs[0]?.id}`);
      expect((await sendPng(tenant, payment.id)).status).toBe(200);
    });

    it('a payment keeps fifty files in all, with the removed files', async () => {
      const { tenant, billing, payment } = await unpaid();
      const five = Array(5).fill(TEST_PNG) as Uint8Array[];
      for (let round = 0; round < 10; round += 1) {
        const { proofs } = await billing.report(payment.id, five);
        for (const { id } of proofs) await billing.ask('DELETE', `/v1/payments/${payment.id}/proofs/${id}`);
      }
      const one = sendPng(tenant, payment.id);
      expect(await problem(one)).toEqual([400, 'PROOF_FILE_LIMIT_REACHED']);
    });

    it.each<[string, () => FormData, readonly unknown[]]>([
      ['no file', () => proofForm([]), [400, 'INVALID_FILE_UPLOAD', 'FILE_REQUIRED']],
      ['six files', () => proofForm(Array(6).fill(TEST_PNG)), [400, 'VALIDATION_FAILED', 'proof']],
      ['no reference', () => proofForm([TEST_PNG], ' '), [400, 'VALIDATION_FAILED', 'referenceNumber']],
      ['a long reference', () => proofForm([TEST_PNG], 'x'.repeat(51)), [400, 'VALIDATION_FAILED', 'referenceNumber']],
      [
        'a file of nothing',
        () => formWith(new Uint8Array(), 'a.png'),
        [400, 'INVALID_FILE_UPLOAD', 'UNSUPPORTED_PROOF'],
      ],
      ['a page', () => formWith(Buffer.from('<html>'), 'a.html'), [400, 'INVALID_FILE_UPLOAD', 'UNSUPPORTED_PROOF']],
      [
        'a page that is called a PDF',
        () => formWith(Buffer.from('<html>'), 'a.pdf'),
        [400, 'INVALID_FILE_UPLOAD', 'UNSUPPORTED_PROOF'],
      ],
      [
        'a PNG that is called a PDF',
        () => formWith(TEST_PNG, 'a.pdf'),
        [400, 'INVALID_FILE_UPLOAD', 'UNSUPPORTED_PROOF'],
      ],
      [
        'a PNG that is declared a PDF',
        () => formWith(TEST_PNG, 'a', 'application/pdf'),
        [400, 'INVALID_FILE_UPLOAD', 'UNSUPPORTED_PROOF'],
      ],
      [
        '2 MiB and a byte',
        () => formWith(Buffer.concat([TEST_PNG, Buffer.alloc(2 ** 21 - TEST_PNG.length + 1)]), 'a.png'),
        [400, 'INVALID_FILE_UPLOAD', 'FILE_TOO_LARGE'],
      ],
    ])('a report with %s is refused, and no file is kept', async (_, form, expected) => {
      const { tenant, billing, payment } = await unpaid();
      expect(await problem(sendForm(tenant, payment.id, form()))).toEqual(expected);
      expect((await billing.payments())[0]).toMatchObject({ status: 'PENDING' });
      const kept = await readRows(server, 'payment_proofs', { payment_id: payment.id }, ['id']);
      expect(kept).toEqual([]);
    });

    it('a report beyond 10 MiB in all is refused', async () => {
      const { tenant, path } = await unpaid();
      const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(10 * 2 ** 20 + 1) };
      const init = { method: 'PATCH', headers: { ...asWebApplication(tenant.tenantId), ...headers }, body: '--b--' };
      expect(await problem(server.request(`${path}/proof`, init))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('a report takes 2 MiB as a form, and 3 MiB of JSON', async () => {
      const { tenant, billing, payment, path } = await unpaid();
      const largest = Buffer.concat([TEST_PNG, Buffer.alloc(2 ** 21 - TEST_PNG.length)]);
      expect((await sendForm(tenant, payment.id, formWith(largest, 'a.png'))).status).toBe(200);
      const json = { file: largest.toString('base64'), filename: 'a.png', referenceNumber: '1' };
      expect((await billing.ask('PATCH', `${path}/proof`, json)).status).toBe(200);
      const more = JSON.stringify({ ...json, file: Buffer.alloc(3 * 2 ** 20).toString('base64') });
      const headers = {
        ...asWebApplication(tenant.tenantId),
        'content-type': 'application/json',
        'content-length': String(more.length),
      };
      const tooLarge = server.request(`${path}/proof`, { method: 'PATCH', headers, body: more });
      expect(await problem(tooLarge)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it.each<[string, unknown, readonly unknown[]]>([
      ['nothing', {}, [400, 'VALIDATION_FAILED', 'referenceNumber']],
      ['a file without a name', { file: 'QUJD', referenceNumber: '1' }, [400, 'VALIDATION_FAILED', 'filename']],
      [
        'a file that is no base64',
        { file: 'x', filename: 'a.png', referenceNumber: '1' },
        [400, 'VALIDATION_FAILED', 'file'],
      ],
      ['a file as a list', { file: [], filename: 'a.png', referenceNumber: '1' }, [400, 'VALIDATION_FAILED', 'file']],
      [
        'a reference as a number',
        { file: 'QUJD', filename: 'a.png', referenceNumber: 1 },
        [400, 'VALIDATION_FAILED', 'referenceNumber'],
      ],
      ['no file', { filename: 'a.png', referenceNumber: '1' }, [400, 'INVALID_FILE_UPLOAD', 'FILE_REQUIRED']],
      [
        'a file of an unsupported type',
        { file: 'QUJD', filename: 'a.png', referenceNumber: '1' },
        [400, 'INVALID_FILE_UPLOAD', 'UNSUPPORTED_PROOF'],
      ],
    ])('a JSON report with %s is refused', async (_, body, expected) => {
      const { billing, path } = await unpaid();
      expect(await problem(billing.ask('PATCH', `${path}/proof`, body))).toEqual(expected);
    });

    it('[R330] a repeated report clears the rejection', async () => {
      const { billing, payment } = await unpaid();
      await billing.report(payment.id);
      await billing.reject(payment.id, 'ILLEGIBLE_PROOF');
      expect((await billing.payments())[0]).toMatchObject({
        status: 'REJECTED',
        rejectionReasonCode: 'ILLEGIBLE_PROOF',
      });
      expect(await billing.events('PAYMENT_REJECTED')).toMatchObject([
        { detail: { paymentId: payment.id, rejectionReasonCode: 'ILLEGIBLE_PROOF' } },
      ]);
      const { payment: again } = await billing.report(payment.id);
      expect(again).toMatchObject({ status: 'REPORTED', rejectionReasonCode: null });
    });

    it('a report of a settled payment or of another account is refused', async () => {
      const { tenant, billing, payment } = await unpaid();
      await billing.report(payment.id);
      await billing.verify(payment.id);
      const again = () => problem(sendPng(tenant, payment.id));
      expect(await again()).toEqual([409, 'CONFLICT', 'PAYMENT_STATUS']);
      await billing.refund(payment.id);
      expect(await again()).toEqual([409, 'CONFLICT', 'PAYMENT_STATUS']);
      const { tenant: stranger } = await account();
      expect(await problem(sendPng(stranger, payment.id))).toEqual([404, 'PAYMENT_NOT_FOUND']);
      expect(await problem(sendPng(tenant, 'x'))).toEqual([400, 'VALIDATION_FAILED', 'path:id']);
    });
  });

  describe('the files of a payment', () => {
    it('[R318] the files of a payment belong to their account alone, and stay readable in a suspension', async () => {
      const { tenant, billing, payment, path } = await unpaid();
      const { proofs } = await billing.report(payment.id);
      const { tenant: stranger } = await account();
      const get = (of: TestTenant, more: string) => server.request(`${path}/proofs${more}`, { headers: of.auth });
      expect(await (await get(tenant, '')).json()).toEqual({ ok: true, proofs });
      expect(await problem(get(stranger, ''))).toEqual([404, 'PAYMENT_NOT_FOUND']);
      expect(await problem(get(stranger, `/${proofs[0]?.id}`))).toEqual([404, 'PAYMENT_NOT_FOUND']);
      expect(await problem(get(tenant, `/${UNKNOWN_ID}`))).toEqual([404, 'NOT_FOUND']);
      expect(await problem(get(tenant, '/x'))).toEqual([400, 'VALIDATION_FAILED', 'path:proofId']);
      await setStatus(server, tenant, 'SUSPENDED');
      expect((await get(tenant, `/${proofs[0]?.id}`)).status).toBe(200);
    });

    it('removed files of a payment are hidden, and kept for the operator', async () => {
      const { tenant, billing, payment, path } = await unpaid();
      const { proofs } = await billing.report(payment.id, [TEST_PNG, TEST_PNG]);
      const [first] = proofs;
      const one = `${path}/proofs/${first?.id}`;
      const { billing: stranger } = await account();
      expect(await problem(stranger.ask('DELETE', one))).toEqual([404, 'PAYMENT_NOT_FOUND']);
      expect(await (await billing.ask('DELETE', one)).json()).toEqual({ ok: true });
      expect(await problem(billing.ask('DELETE', one))).toEqual([404, 'NOT_FOUND']);
      expect((await server.request(one, { headers: tenant.auth })).status).toBe(404);
      const list = await server.request(`${path}/proofs`, { headers: tenant.auth });
      expect(await list.json()).toEqual({ ok: true, proofs: proofs.slice(1) });
      const kept = await readRows(server, 'payment_proofs', { payment_id: payment.id }, ['active']);
      expect(kept.map(({ active }) => active).toSorted()).toEqual([0, 1]);
    });

    it('files of a verified payment cannot be removed', async () => {
      const { billing, payment, path } = await unpaid();
      const { proofs } = await billing.report(payment.id);
      await billing.verify(payment.id);
      const one = `${path}/proofs/${proofs[0]?.id}`;
      expect(await problem(billing.ask('DELETE', one))).toEqual([409, 'CONFLICT']);
      expect((await billing.mine()).subscriptions[0]?.status).toBe('ACTIVE');
      expect(await problem(billing.ask('DELETE', `${path}/proofs/${UNKNOWN_ID}`))).toEqual([404, 'NOT_FOUND']);
    });
  });

  it('[R330] a refund restores the former plan, and names it', async () => {
    const { billing, payment } = await unpaid();
    await billing.verify(payment.id);
    const { payment: upgrade } = await billing.changeTier({ tier: 'GROWTH' });
    await billing.verify(upgrade?.id ?? '');
    expect(await billing.me()).toMatchObject({ subscriptionTier: 'GROWTH' });
    await billing.refund(upgrade?.id ?? '');
    expect(await billing.me()).toMatchObject({ subscriptionTier: 'STARTER' });
    await billing.refund(payment.id);
    expect(await billing.me()).toMatchObject({ subscriptionTier: 'FREE', status: 'ACTIVE' });
    expect(await billing.events('PAYMENT_REFUNDED')).toMatchObject([
      { detail: { paymentId: upgrade?.id, restoredTier: 'STARTER' } },
      { detail: { paymentId: payment.id, restoredTier: 'FREE' } },
    ]);
    expect(await billing.mine()).toMatchObject({ subscription: null, subscriptions: [{ status: 'CANCELLED' }] });
  });

  it('[R323] an API key cannot change payments; the web application can', async () => {
    for (const [method, path] of [
      ['GET', `/v1/payments/${UNKNOWN_ID}`],
      ['DELETE', `/v1/payments/${UNKNOWN_ID}`],
      ['PATCH', `/v1/payments/${UNKNOWN_ID}/proof`],
      ['DELETE', `/v1/payments/${UNKNOWN_ID}/proofs/${UNKNOWN_ID}`],
    ] as const) {
      expect(await problem(server.request(path, { method, headers: tenant.auth }))).toEqual([
        403,
        'INTERNAL_SERVICE_ONLY',
      ]);
    }
    expect(await billing.payments()).toEqual([]);
  });
});

describeOnDatabases('past-due accounts that are blocked', await databaseKinds(), (open) => {
  it('a blocked past-due account may subscribe and report, and nothing else', async () => {
    const server = await open({ settings: { ...BILLING_SETTINGS, PAST_DUE_MODE: 'block' } });
    const tenant = await verifiedTenant(server);
    await setStatus(server, tenant, 'PAST_DUE');
    const billing = billingOf(server, tenant);
    const { payment } = await billing.start();
    await billing.report(payment.id);
    const blocked = await billing.ask('DELETE', '/v1/subscriptions');
    expect(await blocked.json()).toMatchObject({ status: 403, code: 'ACCOUNT_PAST_DUE' });
    await billing.verify(payment.id);
    expect(await billing.me()).toMatchObject({ status: 'ACTIVE', subscriptionTier: 'STARTER' });
  });
});
