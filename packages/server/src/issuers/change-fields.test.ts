import type { Issuer } from 'sri-core/client';
import { describe, expect, it } from 'vitest';
import { readRow } from '../testing/change-rows.js';
import { issuerSuite } from '../testing/issuer-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_RUC } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describeOnDatabases('changing issuers', await databaseKinds(), (open) => {
  const at = issuerSuite(open);
  const { verified, send, sendForm, listed } = at;
  /** Without the signature, whose base64 may hold any few letters. */
  const unsignedXml = async ({ headers }: TestTenant, { accessKey }: { readonly accessKey: string }) => {
    const response = await at.server.request(`/v1/documents/${accessKey}/xml`, { headers });
    return (await response.text()).replace(/<ds:Signature[\s\S]*/, '');
  };

  describe('PATCH /v1/issuers/:id', () => {
    const whole = {
      businessName: 'Comercial Nueva S.A.',
      tradeName: 'La Nueva',
      mainAddress: 'Av. Amazonas',
      branchAddress: 'Calle Larga',
      requiredAccounting: false,
      specialTaxpayer: 'A123',
      withholdingAgent: '12345678',
      rimpe: 'GENERAL',
    };

    it('[R294] a change of an issuer applies to later documents alone', async () => {
      const owner = await verified();
      const before = await createDocument(at.server, owner);
      const response = await send('PATCH', `/v1/issuers/${owner.issuerId}`, whole, owner);
      expect(await response.json()).toMatchObject({
        ok: true,
        issuer: {
          id: owner.issuerId,
          businessName: whole.businessName,
          tradeName: 'La Nueva',
          branchAddress: 'Calle Larga',
        },
      });
      const after = await createDocument(at.server, owner);
      const xml = (of: { accessKey: string }) => unsignedXml(owner, of);
      expect(await xml(before)).not.toContain('Nueva');
      const changed = await xml(after);
      for (const text of [
        'Comercial Nueva S.A.',
        'Av. Amazonas',
        'A123',
        '12345678',
        'NO</obligadoContabilidad>',
        'RIMPE',
      ])
        expect(changed).toContain(text);
      const none = { tradeName: null, mainAddress: null, branchAddress: null, specialTaxpayer: null };
      const cleared = await send(
        'PATCH',
        `/v1/issuers/${owner.issuerId}`,
        { ...none, rimpe: null, withholdingAgent: null },
        owner,
      );
      expect(await cleared.json()).toMatchObject({ issuer: { tradeName: null, branchAddress: null } });
      expect(await xml(await createDocument(at.server, owner))).not.toMatch(
        /RIMPE|A123|agenteRetencion|nombreComercial/,
      );
    });

    it('a change with an empty text empties the field, as null does', async () => {
      const owner = await verified();
      await send('PATCH', `/v1/issuers/${owner.issuerId}`, whole, owner);
      const { businessName, requiredAccounting: _, ...optional } = whole;
      const blanks = Object.fromEntries(Object.keys(optional).map((name, index) => [name, index % 2 ? '' : ' \t']));
      const emptied = await send('PATCH', `/v1/issuers/${owner.issuerId}`, blanks, owner);
      expect(emptied.status).toBe(200);
      expect(await emptied.json()).toMatchObject({
        issuer: { businessName, tradeName: null, branchAddress: null },
      });
      expect(await unsignedXml(owner, await createDocument(at.server, owner))).not.toMatch(
        /RIMPE|A123|agenteRetencion|nombreComercial/,
      );
    });

    it.each<[string, unknown, string]>([
      ['nothing', {}, 'body'],
      ['only unknown fields', { color: 'red' }, 'body'],
      ['only fixed fields', { ruc: '1790012345001' }, 'body'],
      ...Object.keys(whole).flatMap((field) =>
        [7, [], {}].map((value): [string, unknown, string] => [
          `${field} = ${JSON.stringify(value)}`,
          { [field]: value },
          field,
        ]),
      ),
      ['a blank name', { businessName: ' ' }, 'businessName'],
      ['accounting of no text', { requiredAccounting: '' }, 'requiredAccounting'],
      ['a name of null', { businessName: null }, 'businessName'],
      ['a name too long', { businessName: 'ñ'.repeat(301) }, 'businessName'],
      ['a control character', { tradeName: 'a\u0001' }, 'tradeName'],
      ['half a character', { mainAddress: '\ud800' }, 'mainAddress'],
      ['accounting of null', { requiredAccounting: null }, 'requiredAccounting'],
      ['accounting as text', { requiredAccounting: 'true' }, 'requiredAccounting'],
      ['a resolution too long', { specialTaxpayer: '1'.repeat(14) }, 'specialTaxpayer'],
      ['a resolution too short', { specialTaxpayer: '12' }, 'specialTaxpayer'],
      ['an agent in letters', { withholdingAgent: 'abc' }, 'withholdingAgent'],
      ['an agent of zero', { withholdingAgent: '00' }, 'withholdingAgent'],
      ['an agent too long', { withholdingAgent: '123456789' }, 'withholdingAgent'],
      ['an unknown regime', { rimpe: 'general' }, 'rimpe'],
      ['another RUC', { tradeName: 'x', ruc: '1790012345001' }, 'ruc'],
      ['another branch', { tradeName: 'x', branchCode: '009' }, 'branchCode'],
      ['another point', { tradeName: 'x', issuePointCode: 2 }, 'issuePointCode'],
    ])('a change of an issuer is refused with %s', async (_name, body, field) => {
      const before = await listed(at.tenant);
      const response = await send('PATCH', `/v1/issuers/${at.tenant.issuerId}`, body);
      const problem = (await response.json()) as { errors: { field: string; message: string }[] };
      expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      expect(problem.errors.map((error) => error.field)).toEqual([field]);
      expect(await listed(at.tenant)).toEqual(before);
    });

    it('a change of an issuer accepts the stored values of fixed fields', async () => {
      const [issuer] = await listed(at.tenant);
      const { ruc, branchCode, issuePointCode } = issuer as Issuer;
      const body = { ruc, branchCode, issuePointCode, tradeName: 'Igual' };
      expect((await send('PATCH', `/v1/issuers/${at.tenant.issuerId}`, body)).status).toBe(200);
    });
  });

  describe('PATCH /v1/issuers/:id/logo', () => {
    const path = () => `/v1/issuers/${at.tenant.issuerId}/logo`;
    const stored = () => readRow(at.server, 'issuers', { id: at.tenant.issuerId }, ['logo_hash']);

    it('[R294] a logo from a form or JSON is re-encoded, and earlier documents also show it', async () => {
      const { accessKey } = await createDocument(at.server, at.tenant);
      const ride = async () => {
        const response = await at.server.request(`/v1/documents/${accessKey}/ride`, { headers: at.tenant.headers });
        return (await response.arrayBuffer()).byteLength;
      };
      const plain = await ride();
      const form = await sendForm('PATCH', path(), { logo: PNG });
      expect(await form.json()).toMatchObject({ ok: true, issuer: { id: at.tenant.issuerId } });
      const first = await stored();
      expect(first.logo_hash).toMatch(/^[0-9a-f]{64}$/);
      expect(await ride()).toBeGreaterThan(plain);
      const again = await send('PATCH', path(), { logo: PNG.toString('base64') });
      expect([again.status, await stored()]).toEqual([200, first]);
      expect((await send('PATCH', path(), { logo: null })).status).toBe(200);
      expect(await stored()).toEqual({ logo_hash: null });
      expect(await ride()).toBe(plain);
    });

    it('an empty logo file is refused', async () => {
      const refused = { status: 400, code: 'INVALID_FILE_UPLOAD' };
      const inForm = await sendForm('PATCH', path(), { logo: new Uint8Array() });
      expect(await inForm.json()).toMatchObject({ ...refused, reason: 'UNSUPPORTED_IMAGE' });
      const inJson = await send('PATCH', path(), { logo: '' });
      expect(await inJson.json()).toMatchObject({ ...refused, reason: 'FILE_REQUIRED' });
    });

    it.each<[string, Uint8Array | null, string]>([
      ['no file', null, 'FILE_REQUIRED'],
      ['a file that is no image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'UNSUPPORTED_IMAGE'],
      ['half an image', PNG.subarray(0, 40), 'UNSUPPORTED_IMAGE'],
      ['a file of 500 KB and a byte', new Uint8Array(500 * 1024 + 1), 'FILE_TOO_LARGE'],
    ])('a logo is refused with %s', async (_name, logo, reason) => {
      const inForm = await sendForm('PATCH', path(), logo ? { logo } : { x: 'y' });
      expect(await inForm.json()).toMatchObject({ status: 400, code: 'INVALID_FILE_UPLOAD', reason });
      const inJson = await send('PATCH', path(), logo ? { logo: Buffer.from(logo).toString('base64') } : {});
      expect(await inJson.json()).toMatchObject({ status: 400, code: 'INVALID_FILE_UPLOAD', reason });
    });

    it.each([7, [], {}, true, 'no base64', 'QQ=', 'QUJD\n'])(
      'a logo is refused with the JSON value %j',
      async (logo) => {
        const response = await send('PATCH', path(), { logo });
        expect(await response.json()).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          errors: [{ field: 'logo' }],
        });
      },
    );
  });

  describe('PATCH /v1/issuers/:id/can-issue', () => {
    it('[R027] [R028] [R029] [R295] can-issue pauses creates and rebuilds, and nothing else', async () => {
      // The SRI authorizes only if the certificate names this RUC.
      const owner = await registerTenant(at.server, { ruc: TEST_RUC });
      const { accessKey } = await createDocument(at.server, owner);
      const pause = (canIssue: boolean) =>
        send('PATCH', `/v1/issuers/${owner.issuerId}/can-issue`, { canIssue }, owner);
      for (let times = 0; times < 2; times += 1) {
        const paused = await pause(false);
        expect(await paused.json()).toMatchObject({ ok: true, canIssue: false, issuer: { canIssue: false } });
      }
      const refused = await postJson(at.server, '/v1/documents', owner.headers, SIMPLE_INVOICE);
      expect(await refused.json()).toMatchObject({ status: 403, code: 'ISSUER_ISSUING_PAUSED' });
      const post = (rest: string, body: unknown = {}) =>
        postJson(at.server, `/v1/documents/${accessKey}/${rest}`, owner.headers, body);
      expect(await (await post('rebuild')).json()).toMatchObject({ status: 403, code: 'ISSUER_ISSUING_PAUSED' });
      expect((await post('send')).status).toBeLessThan(300);
      // The first tick submits, and the second requests the authorization.
      await at.server.tick();
      await at.server.tickAfter(60_000);
      const read = await at.server.request(`/v1/documents/${accessKey}`, { headers: owner.headers });
      expect(await read.json()).toMatchObject({ document: { status: 'AUTHORIZED' } });
      const voided = await post('void', { confirmedSriVoid: true, reason: 'Anulada' });
      expect(await voided.json()).toMatchObject({ document: { status: 'VOIDED' } });
      await pause(true);
      expect((await createDocument(at.server, owner)).sequential).toBe('000000002');
    });

    it.each([{}, { canIssue: null }, { canIssue: 'false' }, { canIssue: 0 }, { canIssue: [] }])(
      '[R295] can-issue refuses %j',
      async (body) => {
        const response = await send('PATCH', `/v1/issuers/${at.tenant.issuerId}/can-issue`, body);
        expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'canIssue' }] });
      },
    );
  });
});
