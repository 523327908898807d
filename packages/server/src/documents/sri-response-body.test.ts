import { SRI_CODES, type SriResponse } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC } from '../testing/test-server.js';
import { registerTenant, SIMPLE_INVOICE } from '../testing/test-tenant.js';
import type { SriAdvice } from './sri-advice.js';
import { toSriResponseBody } from './sri-response-body.js';

const response = (identifiers: readonly string[] | null): SriResponse => ({
  id: 'x',
  operationType: 'RECEPTION',
  status: 'DEVUELTA',
  messages:
    identifiers?.map((identifier) => ({ identifier, message: 'M', additionalInfo: null, type: 'ERROR' })) ?? null,
  createdAt: new Date('2026-11-21T15:00:00.000Z'),
});

describe('advice on the messages of the SRI', () => {
  it('the advice covers at least thirty codes, complete in both languages', () => {
    expect(SRI_CODES.length).toBeGreaterThanOrEqual(30);
    for (const language of ['es', 'en'] as const) {
      const { advice } = toSriResponseBody(response(SRI_CODES.map(({ code }) => code)), language);
      for (const entry of advice ?? []) {
        expect(entry.meaning, entry.identifier).toMatch(/\S.*[.)]$/);
        expect(entry.action, entry.identifier).toMatch(/\S.*[.)]$/);
        expect(entry.who, entry.identifier).toMatch(/^(ISSUER|SOFTWARE|SRI|NOBODY)$/);
        expect(typeof entry.sameKey).toBe('boolean');
      }
    }
  });

  it('the advice names the actor, and whether the key stays', () => {
    expect(toSriResponseBody(response(['45', '43']), 'en').advice).toMatchObject([
      { identifier: '45', sameKey: false, resend: false },
      { identifier: '43', who: 'NOBODY', sameKey: true, resend: false },
    ]);
  });

  it('the advice has a neutral entry for an unknown code', () => {
    expect(toSriResponseBody(response(['98765']), 'es').advice).toEqual([
      {
        identifier: '98765',
        meaning: expect.stringMatching(/\.$/),
        action: expect.stringMatching(/\.$/),
        who: null,
        resend: false,
        sameKey: null,
      },
    ]);
  });

  it('the advice is absent without messages', () => {
    expect(toSriResponseBody(response(null), 'es')).toEqual({
      operationType: 'RECEPTION',
      status: 'DEVUELTA',
      messages: null,
      createdAt: '2026-11-21T15:00:00.000Z',
    });
  });
});

describeOnDatabases('advice over HTTP', await databaseKinds(), (open) => {
  let documents: TestDocuments;
  beforeAll(async () => {
    const server = await open();
    documents = documentsOf(server, await registerTenant(server, { ruc: TEST_RUC }));
  });

  it.each([
    ['es', 'El número secuencial ya está registrado con otra clave de acceso.'],
    ['en', 'The sequential is already registered under another access key.'],
  ])('[R081] [R250] the advice is shown next to the four fields of each message, in %s', async (language, meaning) => {
    const { accessKey } = await documents.create(SIMPLE_INVOICE, 'SRI-RETURNED-45');
    await documents.send(accessKey);
    const answer = await documents.get(`${accessKey}/sri-responses`, { 'accept-language': language });
    const { sriResponses } = (await answer.json()) as {
      sriResponses: { messages: object[]; advice: SriAdvice[] }[];
    };
    const [record] = sriResponses;
    expect(record?.messages.map((message) => Object.keys(message))).toEqual([
      ['identifier', 'message', 'additionalInfo', 'type'],
    ]);
    expect(record?.advice).toMatchObject([{ identifier: '45', meaning, sameKey: false }]);
  });
});
