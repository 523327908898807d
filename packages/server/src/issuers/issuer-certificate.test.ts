import type { Issuer } from 'sri-core/client';
import { describe, expect, it } from 'vitest';
import { findTenant } from '../accounts/index.js';
import { changeKeys, changeTenant, readRows } from '../testing/change-rows.js';
import { issuerSuite } from '../testing/issuer-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, testP12 } from '../testing/test-server.js';
import { createDocument, type TestTenant } from '../testing/test-tenant.js';
import { addIssuer } from './add-issuer.js';
import { renewCertificate } from './renew-certificate.js';

describeOnDatabases('certificates of issuers', await databaseKinds(), (open) => {
  const at = issuerSuite(open);
  const { verified, send, sendForm, add, listed, events, newP12 } = at;

  describe('renewing a certificate', () => {
    const pathOf = (of: TestTenant) => `/v1/issuers/${of.issuerId}/certificate`;
    const moveToProduction = async (of: TestTenant) => {
      await changeTenant(at.server, of, { environment: 'production' });
      await changeKeys(at.server, of, { environment: 'production' });
    };

    it.each(['PATCH', 'POST'])(
      '[R026] [R296] %s replaces the certificate, and the next document is signed with it',
      async (method) => {
        const owner = await verified();
        const branch = await add(owner);
        await createDocument(at.server, owner);
        const [before] = await listed(owner);
        const response = await sendForm(method, pathOf(owner), { cert: await newP12(), certPassword: 'nueva' }, owner);
        const body = (await response.json()) as { certFingerprint: string; certExpiry: string };
        expect(body).toMatchObject({
          ok: true,
          certExpiry: '2028-05-31T00:00:00.000Z',
          issuer: { id: owner.issuerId, certFingerprint: body.certFingerprint, certExpiry: body.certExpiry },
        });
        expect(body.certFingerprint).toMatch(/^[0-9a-f]{64}$/);
        expect(body.certFingerprint).not.toBe(before?.certFingerprint);
        const { accessKey } = await createDocument(at.server, owner);
        const xml = await (
          await at.server.request(`/v1/documents/${accessKey}/xml`, { headers: owner.headers })
        ).text();
        const der = Buffer.from(/<ds:X509Certificate>([^<]+)</.exec(xml)?.[1] ?? '', 'base64');
        const digest = Buffer.from(await crypto.subtle.digest('SHA-256', der)).toString('hex');
        expect(digest).toBe(body.certFingerprint);
        const rest = (await listed(owner)).find(({ id }) => id === branch.id);
        expect(rest?.certFingerprint).toBe(before?.certFingerprint);
        const renewals = (await events(owner)).filter(({ eventType }) => eventType === 'CERTIFICATE_RENEWED');
        expect(renewals.map(({ detail }) => detail)).toEqual([
          { issuerId: owner.issuerId, certFingerprint: body.certFingerprint, certExpiry: body.certExpiry },
        ]);
        await createDocument(at.server, { ...owner, headers: { ...owner.auth, 'x-issuer-id': branch.id } });
      },
    );

    it('[R296] applyToAll renews the issuers with the same certificate, and no others', async () => {
      const owner = await verified();
      const twin = await add(owner);
      const removed = await add(owner, { issuePointCode: '010' });
      await send('DELETE', `/v1/issuers/${removed.id}`, undefined, owner);
      const apart = await add(owner, {
        issuePointCode: '011',
        cert: Buffer.from(await newP12()).toString('base64'),
        certPassword: 'nueva',
      });
      const cert = Buffer.from(await newP12({ password: null })).toString('base64');
      const response = await send('PATCH', pathOf(owner), { cert, applyToAll: true }, owner);
      expect(response.status).toBe(200);
      const { certFingerprint } = (await response.json()) as { certFingerprint: string };
      await send('PATCH', `/v1/issuers/${removed.id}/activate`, undefined, owner);
      const now = new Map((await listed(owner)).map((issuer) => [issuer.id, issuer.certFingerprint]));
      expect([now.get(owner.issuerId), now.get(twin.id), now.get(removed.id)]).toEqual(
        Array.from({ length: 3 }, () => certFingerprint),
      );
      expect(now.get(apart.id)).toBe(apart.certFingerprint);
      for (const id of now.keys()) {
        await createDocument(at.server, { ...owner, headers: { ...owner.auth, 'x-issuer-id': id } });
      }
      const renewals = (await events(owner)).filter(({ eventType }) => eventType === 'CERTIFICATE_RENEWED');
      expect(renewals).toHaveLength(3);
    });

    it('a renewal deletes the old key', async () => {
      const owner = await verified();
      const rows = () =>
        readRows(at.server, 'issuer_certificates', { tenant_id: owner.tenantId }, [
          'sealed_key',
          'wrapped_key',
          'key_version',
        ]);
      const [old] = await rows();
      await sendForm('PATCH', pathOf(owner), { cert: await testP12(), certPassword: TEST_PASSWORD }, owner);
      const renewed = await rows();
      expect(renewed).toEqual([
        { ...old, key_version: 2, sealed_key: expect.any(String), wrapped_key: expect.any(String) },
      ]);
      expect(JSON.stringify(renewed)).not.toContain(old?.sealed_key);
    });

    it('[R296] a renewal refuses an unusable certificate with a code for each reason', async () => {
      const owner = await verified();
      const { certFingerprint } = (await listed(owner))[0] as Issuer;
      const renew = async (fields: Record<string, string | Uint8Array>) =>
        (await sendForm('PATCH', pathOf(owner), fields, owner)).json() as Promise<unknown>;
      const p12 = await newP12();
      const old = await newP12({ validFrom: new Date('2020-01-01'), validTo: new Date('2022-01-01') });
      const early = await newP12({ validFrom: new Date('2027-01-01') });
      expect(await renew({ x: 'y' })).toMatchObject({
        status: 400,
        code: 'INVALID_FILE_UPLOAD',
        reason: 'FILE_REQUIRED',
      });
      const wrong = await renew({ cert: p12, certPassword: 'otra' });
      expect(wrong).toMatchObject({ status: 400, code: 'CERTIFICATE_PASSWORD_INVALID' });
      const corrupt = await renew({ cert: p12.subarray(0, 300), certPassword: 'nueva' });
      expect(corrupt).toMatchObject({ status: 400, code: 'CERTIFICATE_INVALID' });
      const twice = Buffer.from(Buffer.from(await newP12()).toString('base64'));
      expect(await renew({ cert: twice, certPassword: 'nueva' })).toMatchObject({
        code: 'CERTIFICATE_INVALID',
        detail: expect.stringMatching(/^El archivo no es un certificado P12 .+\. El archivo es texto en base64/),
      });
      expect(await renew({ cert: old, certPassword: 'nueva' })).toMatchObject({
        status: 400,
        code: 'CERTIFICATE_EXPIRED',
      });
      const weak = await renew({ cert: await newP12({ bits: 1024 }), certPassword: 'nueva' });
      expect(weak).toMatchObject({ status: 400, code: 'CERTIFICATE_INVALID', reason: 'CERTIFICATE_KEY_UNSUPPORTED' });
      const notYet = await renew({ cert: early, certPassword: 'nueva' });
      expect(notYet).toMatchObject({ status: 400, code: 'CERTIFICATE_INVALID', reason: 'CERTIFICATE_NOT_YET_VALID' });
      expect((await listed(owner))[0]).toMatchObject({ certFingerprint });
    });

    it('a certificate must name the taxpayer in production, but not in the sandbox', async () => {
      const owner = await verified();
      const fields = { cert: await newP12({ ruc: '1799999999001' }), certPassword: 'nueva' };
      const renewed = await sendForm('PATCH', pathOf(owner), fields, owner);
      expect(await renewed.json()).toMatchObject({ ok: true, warnings: [{ code: 'CERTIFICATE_OF_ANOTHER_RUC' }] });
      await moveToProduction(owner);
      const response = await sendForm('PATCH', pathOf(owner), fields, owner);
      expect(await response.json()).toMatchObject({ status: 400, code: 'CERTIFICATE_INVALID', reason: 'RUC_MISMATCH' });
    });

    it('a removed issuer needs a certificate of the taxpayer before it returns in production', async () => {
      const owner = await verified();
      const cert = Buffer.from(await newP12({ ruc: '1799999999001' })).toString('base64');
      const branch = await add(owner, { cert, certPassword: 'nueva' });
      await send('DELETE', `/v1/issuers/${branch.id}`, undefined, owner);
      await moveToProduction(owner);
      const activate = async () => (await send('PATCH', `/v1/issuers/${branch.id}/activate`, undefined, owner)).json();
      expect(await activate()).toMatchObject({ status: 400, code: 'CERTIFICATE_INVALID', reason: 'RUC_MISMATCH' });
      const own = { cert: await newP12({ ruc: branch.ruc }), certPassword: 'nueva' };
      const renewed = await sendForm('PATCH', `/v1/issuers/${branch.id}/certificate`, own, owner);
      expect(renewed.status).toBe(200);
      expect(await activate()).toMatchObject({ ok: true, issuer: { id: branch.id } });
    });

    it('a certificate must name the taxpayer if a promotion commits while the P12 is opened', async () => {
      const owner = await verified();
      const { database, issuers } = at.server.services;
      const tenant = await database.read((tables) => findTenant(tables, owner.tenantId));
      if (!tenant) throw new Error('There is no such account.');
      const context = { tenant, environment: 'sandbox', keyId: null, scopes: [] } as const;
      await changeTenant(at.server, owner, { environment: 'production' });
      const p12 = { bytes: await newP12({ ruc: '1799999999001' }), password: 'nueva' };
      const point = { branchCode: '001', issuePointCode: '009', tradeName: null, branchAddress: null } as const;
      const added = addIssuer(issuers, context, {
        ...point,
        documentTypes: ['01'],
        initialSequentials: [],
        sourceIssuerId: null,
        p12,
      });
      const mismatch = { code: 'CERTIFICATE_INVALID', details: { reason: 'RUC_MISMATCH' } };
      await expect(added).rejects.toMatchObject(mismatch);
      const renewed = renewCertificate(issuers, { context, id: owner.issuerId }, { p12, applyToAll: false });
      await expect(renewed).rejects.toMatchObject(mismatch);
    });

    it.each([
      [{ cert: 7 }, 'cert'],
      [{ cert: '###' }, 'cert'],
      [{ cert: 'QUJD', certPassword: [] }, 'certPassword'],
      [{ cert: 'QUJD', applyToAll: 'yes' }, 'applyToAll'],
      [{ cert: 'QUJD', applyToAll: 1 }, 'applyToAll'],
    ])('a renewal refuses %j by its field', async (body, field) => {
      const response = await send('PATCH', pathOf(at.tenant), body);
      expect(await response.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors: [{ field }] });
    });
  });
});
