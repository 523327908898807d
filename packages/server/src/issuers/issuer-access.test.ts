import { describe, expect, it } from 'vitest';
import { changeKeys } from '../testing/change-rows.js';
import { issuerSuite, UNKNOWN_ID } from '../testing/issuer-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';

describeOnDatabases('access to issuers', await databaseKinds(), (open) => {
  const at = issuerSuite(open);
  const { verified, get, send, listed } = at;

  describe('an issuer of another account', () => {
    const fine = [
      ['PATCH', '', { tradeName: 'x' }],
      ['PATCH', '/logo', { logo: null }],
      ['PATCH', '/can-issue', { canIssue: true }],
      ['PATCH', '/certificate', { cert: 'QUJD' }],
      ['POST', '/certificate', { cert: 'QUJD' }],
      ['DELETE', '', undefined],
      ['PATCH', '/activate', undefined],
      ['GET', '/sequentials', undefined],
      ['PATCH', '/sequentials/01', { environment: 'sandbox', nextSequential: 9 }],
    ] as const;
    it.each(fine)('[R215] [R216] [R217] %s /v1/issuers/:id%s returns a specific code', async (method, rest, body) => {
      const ask = async (id: string) => (await send(method, `/v1/issuers/${id}${rest}`, body)).json();
      expect(await ask(at.other.issuerId)).toMatchObject({ status: 403, code: 'ISSUER_FORBIDDEN' });
      expect(await ask(UNKNOWN_ID)).toMatchObject({ status: 404, code: 'ISSUER_NOT_FOUND' });
      expect(await ask('x')).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors: [{ field: 'path:id' }] });
    });

    it.each([
      ['GET', '', undefined],
      ['GET', '/document-types', undefined],
      ['POST', '/document-types', { documentType: '01' }],
      ['DELETE', '/document-types/01', undefined],
    ] as const)('[R201] [R202] [R213] %s /v1/issuers/:id%s returns a general code', async (method, rest, body) => {
      const ask = async (id: string) => (await send(method, `/v1/issuers/${id}${rest}`, body)).json();
      expect(await ask(at.other.issuerId)).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        reason: 'ISSUER_FORBIDDEN',
      });
      for (const id of [UNKNOWN_ID, 'x']) expect(await ask(id)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    });

    it('an issuer of another account stays unchanged after refused requests', async () => {
      const [issuer] = await listed(at.other);
      expect(issuer).toMatchObject({ tradeName: null, canIssue: true, documentTypes: ['01'] });
      const counters = await (await get(`/v1/issuers/${at.other.issuerId}/sequentials`, at.other)).json();
      expect(counters).toMatchObject({ sequentials: [{ sandbox: { next: 1 } }] });
    });
  });

  it('[R317] an issuer requires issuers:read to read and issuers:write to change', async () => {
    const limited = await verified();
    const scopes = (list: string[]) => changeKeys(at.server, limited, { scopes: JSON.stringify(list) });
    const change = () => send('PATCH', `/v1/issuers/${limited.issuerId}`, { tradeName: 'x' }, limited);
    await scopes(['issuers:read']);
    expect((await get('/v1/issuers', limited)).status).toBe(200);
    expect(await (await change()).json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'issuers:write' });
    await scopes(['issuers:write']);
    expect((await change()).status).toBe(200);
    const refused = await get('/v1/issuers', limited);
    expect(await refused.json()).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'issuers:read' });
  });
});
