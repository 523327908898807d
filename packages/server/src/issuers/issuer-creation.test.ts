import type { Issuer } from 'sri-core/client';
import { describe, expect, it } from 'vitest';
import { findTenant } from '../accounts/index.js';
import { changeTenant } from '../testing/change-rows.js';
import { issuerSuite, UNKNOWN_ID } from '../testing/issuer-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant } from '../testing/test-tenant.js';
import { addIssuer } from './add-issuer.js';

describeOnDatabases('adding and listing issuers', await databaseKinds(), (open) => {
  const at = issuerSuite(open);
  const { verified, get, send, sendForm, add, listed, events, newP12 } = at;

  describe('GET /v1/issuers', () => {
    it('[R294] [R307] the list has every active issuer of the account, oldest first, and no others', async () => {
      const owner = await verified();
      await at.server.clock.advance(1);
      const second = await add(owner);
      await at.server.clock.advance(1);
      const gone = await add(owner, { issuePointCode: '010' });
      await send('DELETE', `/v1/issuers/${gone.id}`, undefined, owner);
      const shown = await listed(owner);
      expect(shown.map(({ id }) => id)).toEqual([owner.issuerId, second.id]);
      expect(shown[1]).toEqual({ ...second, documentTypes: ['01'] });
      expect(
        (await createDocument(at.server, { ...owner, headers: { ...owner.auth, 'x-issuer-id': second.id } })).status,
      ).toBe('SIGNED');
    });
  });

  describe('POST /v1/issuers', () => {
    it('[R294] a new issuer copies business data and certificate, and makes neither key nor event', async () => {
      const owner = await verified();
      const before = await events(owner);
      await send('PATCH', `/v1/issuers/${owner.issuerId}`, { tradeName: 'Ñandú', branchAddress: 'Quito' }, owner);
      const branch = await add(owner, { branchCode: '002', issuePointCode: '001' });
      const [first] = await listed(owner);
      expect(branch).toEqual({
        ...first,
        id: expect.not.stringMatching(owner.issuerId),
        branchCode: '002',
        issuePointCode: '001',
        branchAddress: null,
        documentTypes: undefined,
      });
      expect(await events(owner)).toEqual(before);
      const issued = await createDocument(at.server, {
        ...owner,
        headers: { ...owner.auth, 'x-issuer-id': branch.id },
      });
      expect(issued.sequential).toBe('000000001');
    });

    it('a new issuer copies from the named issuer, and copies the address only within a branch', async () => {
      const owner = await verified();
      const source = await add(owner, { branchCode: '005', tradeName: 'Otra', branchAddress: 'Loja' });
      const point = await add(owner, { branchCode: '005', issuePointCode: '010', sourceIssuerId: source.id });
      expect(point).toMatchObject({ tradeName: 'Otra', branchAddress: 'Loja' });
      const branch = await add(owner, { branchCode: '006', sourceIssuerId: source.id.toUpperCase() });
      expect(branch).toMatchObject({ tradeName: 'Otra', branchAddress: null });
    });

    it('[R294] a new issuer takes a form with its own certificate, which the history records', async () => {
      const owner = await verified();
      const response = await sendForm(
        'POST',
        '/v1/issuers',
        { branchCode: '003', issuePointCode: '001', cert: await newP12(), certPassword: 'nueva', documentTypes: '01' },
        owner,
      );
      const { issuer } = (await response.json()) as { issuer: Issuer };
      expect(response.status).toBe(201);
      expect(issuer.certFingerprint).not.toBe((await listed(owner))[0]?.certFingerprint);
      expect((await events(owner)).at(-1)).toMatchObject({
        eventType: 'CERTIFICATE_UPLOADED',
        detail: { issuerId: issuer.id, certFingerprint: issuer.certFingerprint, certExpiry: issuer.certExpiry },
      });
      await createDocument(at.server, { ...owner, headers: { ...owner.auth, 'x-issuer-id': issuer.id } });
    });

    it('a new issuer starts at the requested numbers, in the environment of the account', async () => {
      const initialSequentials = [
        { documentType: '01', sequential: 500 },
        { documentType: '04', sequential: 70 },
      ];
      const owner = await verified({ subscription_tier: 'GROWTH' });
      const branch = await add(owner, { branchCode: '004', documentTypes: ['01'], initialSequentials });
      await postJson(at.server, `/v1/issuers/${branch.id}/document-types`, owner.auth, { documentType: '04' });
      expect(await (await get(`/v1/issuers/${branch.id}/sequentials`, owner)).json()).toEqual({
        ok: true,
        sequentials: [
          { documentType: '01', sandbox: { current: 499, next: 500 }, production: { current: 0, next: 1 } },
          { documentType: '04', sandbox: { current: 69, next: 70 }, production: { current: 0, next: 1 } },
        ],
      });
    });

    it('a new issuer starts in production if a promotion commits after the request was read', async () => {
      const owner = await verified();
      const { services } = at.server;
      const tenant = await services.database.read((tables) => findTenant(tables, owner.tenantId));
      if (!tenant) throw new Error('The account exists.');
      await changeTenant(at.server, owner, { environment: 'production' });
      const context = { tenant, environment: tenant.environment, keyId: null, scopes: [] };
      const { id } = await addIssuer(services.issuers, context, {
        branchCode: '004',
        issuePointCode: '001',
        tradeName: null,
        branchAddress: null,
        documentTypes: ['01'],
        initialSequentials: [{ documentType: '01', sequential: 500 }],
        sourceIssuerId: null,
        p12: null,
      });
      const scope = { issuerId: id, environment: 'production', documentType: '01' } as const;
      expect(await services.engine.nextSequential(scope)).toBe(500);
    });

    it.each([
      { name: 'no branch', body: { issuePointCode: '001' }, field: 'branchCode' },
      { name: 'a branch that is a number', body: { branchCode: 1 }, field: 'branchCode' },
      { name: 'a branch of two digits', body: { branchCode: '01' }, field: 'branchCode' },
      { name: 'a branch in other digits', body: { branchCode: '٠٠١' }, field: 'branchCode' },
      { name: 'a point of letters', body: { issuePointCode: 'abc' }, field: 'issuePointCode' },
      { name: 'a point of null', body: { issuePointCode: null }, field: 'issuePointCode' },
      { name: 'a trade name too long', body: { tradeName: 'x'.repeat(301) }, field: 'tradeName' },
      { name: 'a trade name with a zero', body: { tradeName: 'a\u0000b' }, field: 'tradeName' },
      { name: 'a trade name that is a list', body: { tradeName: ['a'] }, field: 'tradeName' },
      { name: 'an address that is an object', body: { branchAddress: {} }, field: 'branchAddress' },
      { name: 'an address too long', body: { branchAddress: 'ñ'.repeat(301) }, field: 'branchAddress' },
      { name: 'types that are no list', body: { documentTypes: '01' }, field: 'documentTypes' },
      { name: 'no types', body: { documentTypes: [] }, field: 'documentTypes' },
      { name: 'an unknown type', body: { documentTypes: ['01', '02'] }, field: 'documentTypes[1]' },
      { name: 'first numbers that are no list', body: { initialSequentials: {} }, field: 'initialSequentials' },
      {
        name: 'a first number of zero',
        body: { initialSequentials: [{ documentType: '01', sequential: 0 }] },
        field: 'initialSequentials[0].sequential',
      },
      {
        name: 'a first number of ten digits',
        body: { initialSequentials: [{ documentType: '01', sequential: 1_000_000_000 }] },
        field: 'initialSequentials[0].sequential',
      },
      {
        name: 'a first number for an unknown type',
        body: { initialSequentials: [{ documentType: '99', sequential: 5 }] },
        field: 'initialSequentials[0].documentType',
      },
      { name: 'a source that is no UUID', body: { sourceIssuerId: 'x' }, field: 'sourceIssuerId' },
      { name: 'a source that is a number', body: { sourceIssuerId: 7 }, field: 'sourceIssuerId' },
      { name: 'a certificate that is no base64', body: { cert: '¡no!' }, field: 'cert' },
      { name: 'a certificate that is a list', body: { cert: [1] }, field: 'cert' },
      { name: 'a password that is a number', body: { certPassword: 1 }, field: 'certPassword' },
      { name: 'a password too long', body: { certPassword: 'x'.repeat(513) }, field: 'certPassword' },
    ])('[R294] a new issuer is refused with $name, by its field', async ({ body, field }) => {
      const whole = { branchCode: '777', issuePointCode: '001', ...body };
      if (field === 'branchCode' && !('branchCode' in body)) Reflect.deleteProperty(whole, 'branchCode');
      const response = await postJson(at.server, '/v1/issuers', at.tenant.auth, whole);
      const problem = (await response.json()) as { errors: { field: string; message: string }[] };
      expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      expect(problem.errors.map((error) => error.field)).toContain(field);
      expect((await listed(at.tenant)).some((issuer) => issuer.branchCode === '777')).toBe(false);
    });

    it.each([
      { name: 'text', content: 'text/plain', body: 'x' },
      { name: 'a broken form', content: 'multipart/form-data; boundary=B', body: 'x' },
      { name: 'no object', content: 'application/json', body: '[]' },
    ])('a request for a new issuer is refused with $name', async ({ content, body }) => {
      const headers = { ...at.tenant.auth, 'content-type': content };
      const response = await at.server.request('/v1/issuers', { method: 'POST', headers, body });
      expect(await response.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    });

    it('a request for a new issuer reports all wrong fields at once', async () => {
      const response = await postJson(at.server, '/v1/issuers', at.tenant.auth, {
        branchCode: 1,
        tradeName: 2,
        cert: '!',
      });
      const { errors } = (await response.json()) as { errors: { field: string }[] };
      expect(new Set(errors.map(({ field }) => field))).toEqual(
        new Set(['branchCode', 'tradeName', 'cert', 'issuePointCode']),
      );
    });

    it('a new issuer requires a verified e-mail, an own source, a type of the plan and a free place', async () => {
      const place = { branchCode: '888', issuePointCode: '001' };
      const post = async (body: unknown, of = at.tenant) =>
        (await postJson(at.server, '/v1/issuers', of.auth, body)).json() as Promise<unknown>;
      const unverified = await registerTenant(at.server);
      expect(await post(place, unverified)).toMatchObject({ status: 403, code: 'EMAIL_VERIFICATION_REQUIRED' });
      for (const sourceIssuerId of [UNKNOWN_ID, at.other.issuerId]) {
        const refused = await post({ ...place, sourceIssuerId });
        expect(refused).toMatchObject({ status: 404, code: 'SOURCE_ISSUER_NOT_FOUND' });
      }
      const gated = await post({ ...place, documentTypes: ['01', '04'] });
      expect(gated).toMatchObject({ status: 402, code: 'DOCUMENT_TYPE_NOT_IN_TIER' });
      const taken = await post({ branchCode: '001', issuePointCode: '002' });
      expect(taken).toMatchObject({ status: 409, code: 'CONFLICT', reason: 'ISSUER_ALREADY_EXISTS' });
    });

    it('a removed issuer still takes its place', async () => {
      const owner = await verified();
      const branch = await add(owner);
      await send('DELETE', `/v1/issuers/${branch.id}`, undefined, owner);
      const again = await postJson(at.server, '/v1/issuers', owner.auth, { branchCode: '001', issuePointCode: '009' });
      expect(await again.json()).toMatchObject({ status: 409, code: 'CONFLICT', issuerId: branch.id });
    });

    it('ten concurrent requests for one place make one issuer', async () => {
      const owner = await verified();
      const body = { branchCode: '001', issuePointCode: '009' };
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => postJson(at.server, '/v1/issuers', owner.auth, body)),
      );
      const statuses = responses.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
      expect(await listed(owner)).toHaveLength(2);
    });
  });
});
