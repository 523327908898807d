import { X509Certificate } from 'node:crypto';
import { openP12 } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { beforeAll, expect, it } from 'vitest';
import { TEST_PNG } from '../testing/billing-suite.js';
import { readRows } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, TEST_RUC, type TestServer, testP12 } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  type RegistrationFields,
  register,
  registerTenant,
  SIMPLE_CREDIT_NOTE,
} from '../testing/test-tenant.js';

interface Problem {
  readonly code: string;
  readonly reason?: string;
  readonly errors?: readonly { readonly field: string; readonly rule: string; readonly code: string }[];
}

describeOnDatabases('POST /v1/register', await databaseKinds(), (open) => {
  let server: TestServer;
  let network = 0;

  beforeAll(async () => {
    // Every test uses its own address, so that the limit does not apply.
    server = await open();
  });

  /** Registers from a fresh address. */
  async function send(fields: RegistrationFields): Promise<Response> {
    network += 1;
    return register(server, fields, `172.16.${network >> 8}.${network & 255}`);
  }

  async function refused(fields: RegistrationFields): Promise<Problem & { readonly status: number }> {
    const response = await send(fields);
    const body = (await response.json()) as Problem;
    return { ...body, status: response.status };
  }

  it('[R011] [R023] [R030] [R035] [R111] [R123] [R382] creates one tenant, one issuer and one sandbox key', async () => {
    const response = await send({ email: 'Primera@Ejemplo.ec', ruc: '1790000001001', tradeName: 'El Ñandú' });
    const body = await response.json();
    const { certificate } = await openP12(await testP12(), TEST_PASSWORD);
    expect(response.status).toBe(201);
    expect(body).toEqual({
      ok: true,
      tenant: {
        id: expect.stringMatching(UUID),
        email: 'Primera@Ejemplo.ec',
        subscriptionTier: 'FREE',
        status: 'PENDING_VERIFICATION',
        documentQuota: 100,
        documentCount: 0,
        createdAt: '2026-11-21T15:00:00.000Z',
        agreementAcceptedAt: null,
        agreementVersion: null,
      },
      issuer: {
        id: expect.stringMatching(UUID),
        ruc: '1790000001001',
        businessName: 'Comercial Ñandú & Hijos S.A.',
        tradeName: 'El Ñandú',
        branchCode: '001',
        issuePointCode: '002',
        certFingerprint: certificate.fingerprint,
        certExpiry: certificate.validTo.toISOString(),
      },
      apiKey: expect.stringMatching(/^sri_test_[0-9A-Za-z]{38}$/),
      warnings: [
        {
          code: 'CERTIFICATE_OF_ANOTHER_RUC',
          field: 'cert',
          message: `El certificado es del RUC ${TEST_RUC} y el emisor es 1790000001001: el SRI rechaza lo que firme (código 39).`,
        },
      ],
    });
  });

  it('warns of a certificate without a RUC, and accepts the RUC of the account without a warning', async () => {
    const own = await send({ email: 'propio@ejemplo.ec', ruc: TEST_RUC });
    expect(await own.json()).not.toHaveProperty('warnings');
    const unnamed = await createTestP12({ ruc: 'sin RUC', password: null, validFrom: new Date('2026-01-01') });
    const none = await send({ cert: unnamed, certPassword: null, email: 'nadie@ejemplo.ec', ruc: '1790000003001' });
    expect(await none.json()).toMatchObject({ warnings: [{ code: 'CERTIFICATE_WITHOUT_RUC' }] });
  });

  it('[R026] [R025] fingerprints the certificate with SHA-256 of its DER', async () => {
    const tenant = await registerTenant(server);
    const response = await server.request(`/v1/issuers/${tenant.issuerId}`, { headers: tenant.auth });
    const { issuer } = (await response.json()) as { issuer: Record<string, unknown> };
    const { certificate } = await openP12(await testP12(), TEST_PASSWORD);
    const sha256 = new X509Certificate(certificate.der).fingerprint256.replaceAll(':', '').toLowerCase();
    expect(issuer['certFingerprint']).toBe(sha256);
  });

  it('[R148] [R141] [R389] the key works at once, before the address is verified', async () => {
    const tenant = await registerTenant(server);
    expect(await createDocument(server, tenant)).toMatchObject({ status: 'SIGNED', sequential: '000000001' });
  });

  it('[R125] accepts a certificate without a password', async () => {
    const p12 = await createTestP12({ password: null, validFrom: new Date('2026-01-01') });
    const response = await send({ cert: p12, certPassword: null, email: 'sin@ejemplo.ec', ruc: '1790000002001' });
    expect(response.status).toBe(201);
  });

  it('[R133] accepts the optional texts, cleaned of line breaks', async () => {
    const tenant = await registerTenant(server, {
      tradeName: '  Ñandú\r\n& Cía ',
      mainAddress: 'Av. Amazonas',
      branchAddress: 'Local 4',
      specialTaxpayer: '5368',
      withholdingAgent: ' 00000001 ',
      rimpe: ' GENERAL ',
    });
    const response = await server.request(`/v1/issuers/${tenant.issuerId}`, { headers: tenant.auth });
    expect(await response.json()).toMatchObject({
      issuer: { tradeName: 'Ñandú & Cía', branchAddress: 'Local 4', withholdingAgent: '00000001', rimpe: 'GENERAL' },
    });
  });

  it.each<{ name: string; fields: RegistrationFields; field: string; rule: string }>([
    { name: '[R124] no certificate', fields: { cert: null }, field: 'cert', rule: 'required' },
    { name: '[R124] a text for a certificate', fields: { cert: 'MII' }, field: 'cert', rule: 'file' },
    { name: '[R127] no email', fields: { email: null }, field: 'email', rule: 'required' },
    { name: '[R127] a bad email', fields: { email: 'a b@c.ec' }, field: 'email', rule: 'email' },
    { name: '[R127] two addresses', fields: { email: 'a@b.ec,c@d.ec' }, field: 'email', rule: 'email' },
    { name: '[R127] a header in the email', fields: { email: 'a@b.ec\r\nBcc: c@d.ec' }, field: 'email', rule: 'email' },
    { name: '[R128] no ruc', fields: { ruc: null }, field: 'ruc', rule: 'required' },
    { name: '[R128] a ruc of 12 digits', fields: { ruc: '179000000100' }, field: 'ruc', rule: 'pattern' },
    { name: '[R128] a ruc in other digits', fields: { ruc: '١٧٩٠٠٠٠٠٠١٠٠١' }, field: 'ruc', rule: 'pattern' },
    { name: '[R129] no business name', fields: { businessName: ' ' }, field: 'businessName', rule: 'required' },
    {
      name: '[R129] a long name',
      fields: { businessName: '😀'.repeat(301) },
      field: 'businessName',
      rule: 'maxLength',
    },
    { name: '[R129] a NUL in the name', fields: { businessName: 'a\0b' }, field: 'businessName', rule: 'text' },
    { name: '[R130] a branch of 2 digits', fields: { branchCode: '01' }, field: 'branchCode', rule: 'pattern' },
    { name: '[R130] no issue point', fields: { issuePointCode: null }, field: 'issuePointCode', rule: 'required' },
    { name: '[R131] emission type 2', fields: { emissionType: '2' }, field: 'emissionType', rule: 'choice' },
    { name: '[R131] no emission type', fields: { emissionType: null }, field: 'emissionType', rule: 'required' },
    {
      name: '[R132] accounting yes',
      fields: { requiredAccounting: 'yes' },
      field: 'requiredAccounting',
      rule: 'choice',
    },
    { name: 'an unknown regime', fields: { rimpe: 'NONE' }, field: 'rimpe', rule: 'choice' },
    { name: 'an agent of zero', fields: { withholdingAgent: '0' }, field: 'withholdingAgent', rule: 'pattern' },
    { name: '[R134] type 02', fields: { documentTypes: '["02"]' }, field: 'documentTypes[0]', rule: 'documentType' },
    { name: '[R134] broken types', fields: { documentTypes: '["01"' }, field: 'documentTypes', rule: 'jsonArray' },
    {
      name: '[R134] a list among repeated types',
      fields: { documentTypes: ['["01"]', '04'] },
      field: 'documentTypes[0]',
      rule: 'documentType',
    },
    { name: '[R134] no types', fields: { documentTypes: '[]' }, field: 'documentTypes', rule: 'minItems' },
    {
      name: '[R135] [R383] a sequential of 0',
      fields: { initialSequentials: '[{"documentType":"01","sequential":0}]' },
      field: 'initialSequentials[0].sequential',
      rule: 'integer',
    },
    {
      name: '[R135] a sequential in text',
      fields: { initialSequentials: '[{"documentType":"01","sequential":"5"}]' },
      field: 'initialSequentials[0].sequential',
      rule: 'integer',
    },
    {
      name: '[R135] an unsupported type',
      fields: { initialSequentials: '[{"documentType":"02","sequential":5}]' },
      field: 'initialSequentials[0].documentType',
      rule: 'documentType',
    },
    {
      name: '[R135] a type twice',
      fields: { initialSequentials: '[{"documentType":"01","sequential":5},{"documentType":"01","sequential":5}]' },
      field: 'initialSequentials[1].documentType',
      rule: 'single',
    },
    { name: '[R135] not a list', fields: { initialSequentials: '{}' }, field: 'initialSequentials', rule: 'jsonArray' },
    { name: '[R136] language fr', fields: { language: 'fr' }, field: 'language', rule: 'choice' },
    {
      name: '[R137] a script as redirect',
      fields: { verificationRedirectUrl: 'javascript:alert(1)' },
      field: 'verificationRedirectUrl',
      rule: 'url',
    },
    {
      name: '[R137] a redirect with a password',
      fields: { verificationRedirectUrl: 'https://u:p@app.ec/' },
      field: 'verificationRedirectUrl',
      rule: 'url',
    },
    { name: 'a field sent twice', fields: { ruc: ['1790000001001', '1790000001001'] }, field: 'ruc', rule: 'single' },
    { name: 'a file where a text belongs', fields: { email: new Uint8Array([1]) }, field: 'email', rule: 'textPart' },
    {
      name: 'an endless password',
      fields: { certPassword: 'x'.repeat(513) },
      field: 'certPassword',
      rule: 'maxLength',
    },
  ])('$name is a VALIDATION_FAILED of its field', async ({ fields, field, rule }) => {
    const problem = await refused({ email: 'nunca@ejemplo.ec', ruc: '1790000099001', ...fields });
    expect(problem).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect(problem.errors).toContainEqual(
      expect.objectContaining({ field, rule, code: field.replace(/\[\d+\]/g, '') }),
    );
  });

  it('reports all wrong fields at once', async () => {
    const problem = await refused({ cert: null, email: null, ruc: 'x', language: 'fr', emissionType: null });
    expect(problem.errors?.map(({ field }) => field).toSorted()).toEqual([
      'cert',
      'email',
      'emissionType',
      'language',
      'ruc',
    ]);
  });

  it.each<{ name: string; types: string | readonly string[] }>([
    { name: 'a JSON list', types: ' ["04","01"]' },
    { name: 'a comma list', types: '01, 04' },
    { name: 'a repeated field', types: ['01', '04'] },
  ])('[R134] reads document types as $name, whatever the tier', async ({ types }) => {
    const tenant = await registerTenant(server, { documentTypes: types });
    expect(await createDocument(server, tenant, SIMPLE_CREDIT_NOTE)).toMatchObject({ documentType: '04' });
  });

  it('[R134] [R227] enables invoices alone by default', async () => {
    const tenant = await registerTenant(server);
    const response = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_CREDIT_NOTE);
    expect(await response.json()).toMatchObject({ status: 400, code: 'DOCUMENT_TYPE_NOT_ENABLED' });
  });

  it('[R135] [R012] starts at the requested numbers, and other counters at 1', async () => {
    const tenant = await registerTenant(server, {
      documentTypes: '["01","04"]',
      initialSequentials: '[{"documentType":"01","sequential":4711}]',
    });
    expect(await createDocument(server, tenant)).toMatchObject({ sequential: '000004711' });
    expect(await createDocument(server, tenant)).toMatchObject({ sequential: '000004712' });
    const counter = { issuerId: tenant.issuerId, documentType: '04' } as const;
    const { engine } = server.services;
    expect(await engine.nextSequential({ ...counter, environment: 'sandbox' })).toBe(1);
    expect(await engine.nextSequential({ ...counter, environment: 'production', documentType: '01' })).toBe(1);
  });

  it('[R126] accepts a logo, and rejects a file that is too large or no image', async () => {
    await registerTenant(server, { logo: TEST_PNG });
    const tooLarge = await refused({
      logo: new Uint8Array(500 * 1024 + 1),
      email: 'logo@ejemplo.ec',
      ruc: '1790000098001',
    });
    expect(tooLarge).toMatchObject({ status: 400, code: 'INVALID_FILE_UPLOAD', reason: 'FILE_TOO_LARGE' });
    const noImage = await refused({ logo: Buffer.from('<svg/>'), email: 'logo@ejemplo.ec', ruc: '1790000098001' });
    expect(noImage).toMatchObject({ status: 400, code: 'INVALID_FILE_UPLOAD', reason: 'UNSUPPORTED_IMAGE' });
    expect((await send({ email: 'logo@ejemplo.ec', ruc: '1790000098001' })).status).toBe(201);
  });

  it.each<{ name: string; fields: () => Promise<RegistrationFields>; reason: string }>([
    { name: 'no P12', fields: async () => ({ cert: Buffer.from('%PDF-1.7') }), reason: 'CERTIFICATE_INVALID' },
    {
      name: 'a wrong password',
      fields: async () => ({ certPassword: 'otra' }),
      reason: 'CERTIFICATE_PASSWORD_INVALID',
    },
    { name: 'no password', fields: async () => ({ certPassword: null }), reason: 'CERTIFICATE_PASSWORD_INVALID' },
    {
      name: 'an expired certificate',
      fields: async () => ({ cert: await madeP12('2023-01-01', '2025-01-01') }),
      reason: 'CERTIFICATE_EXPIRED',
    },
    {
      name: 'a certificate of next year',
      fields: async () => ({ cert: await madeP12('2027-01-01', '2029-01-01') }),
      reason: 'CERTIFICATE_NOT_YET_VALID',
    },
  ])('[R144] $name is a BAD_REQUEST with the reason, and nothing is stored', async ({ fields, reason }) => {
    const names = { email: 'p12@ejemplo.ec', ruc: '1790000097001' };
    expect(await refused({ ...names, ...(await fields()) })).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      reason,
    });
    const taken = await readRows(server, 'tenants', { email_key: names.email }, ['id']);
    expect(taken).toEqual([]);
  });

  it('[R145] [R146] refuses an address or a RUC that has an account', async () => {
    const names = { email: 'unica@ejemplo.ec', ruc: '1790000096001' };
    expect((await send(names)).status).toBe(201);
    const sameEmail = await refused({ ...names, email: ' UNICA@ejemplo.ec', ruc: '1790000095001' });
    expect(sameEmail).toMatchObject({ status: 409, code: 'CONFLICT', reason: 'EMAIL_ALREADY_REGISTERED' });
    const sameRuc = await refused({ ...names, email: 'otra@ejemplo.ec' });
    expect(sameRuc).toMatchObject({ status: 409, code: 'CONFLICT', reason: 'RUC_ALREADY_REGISTERED' });
  });

  it('stores identical concurrent registrations once, and answers the others with 409', async () => {
    const names = { email: 'carrera@ejemplo.ec', ruc: '1790000094001' };
    const responses = await Promise.all(Array.from({ length: 6 }, () => send(names)));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    const rows = await server.services.database.read(async (tables) => ({
      tenants: await tables.selectFrom('tenants').select('id').where('ruc', '=', names.ruc).execute(),
      issuers: await tables.selectFrom('issuers').select('id').where('ruc', '=', names.ruc).execute(),
    }));
    expect([rows.tenants.length, rows.issuers.length]).toEqual([1, 1]);
  });

  it('[R094] [R175] [R341] records the certificate in the account’s history', async () => {
    const tenant = await registerTenant(server);
    const response = await server.request('/v1/tenants/events', { headers: tenant.auth });
    expect(await response.json()).toEqual({
      ok: true,
      events: [
        {
          id: expect.stringMatching(UUID),
          eventType: 'CERTIFICATE_UPLOADED',
          detail: {
            issuerId: tenant.issuerId,
            certFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
            certExpiry: expect.stringMatching(/^\d{4}-.*Z$/),
          },
          createdAt: '2026-11-21T15:00:00.000Z',
        },
      ],
    });
  });

  it('[R147] [R379] rejects the sixth call of an hour from an address, whatever the results of the others', async () => {
    const address = '203.0.113.9';
    for (let call = 1; call <= 5; call += 1) {
      expect((await register(server, { email: null }, address)).status).toBe(400);
    }
    const limited = await register(server, { email: 'sexta@ejemplo.ec', ruc: '1790000093001' }, address);
    expect(limited.status).toBe(429);
    expect(await limited.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(limited.headers.get('retry-after')).toBe('3600');
    expect(limited.headers.get('ratelimit-remaining')).toBe('0');
    expect((await register(server, { email: null }, '203.0.113.10')).status).toBe(400);
    await server.clock.advance(3_600_000);
    expect((await register(server, { email: null }, address)).status).toBe(400);
  });

  it('accepts a certificate of any taxpayer in the sandbox', async () => {
    const tenant = await registerTenant(server, { ruc: '1790000092001' });
    const row = await server.services.database.read((tables) =>
      tables
        .selectFrom('issuer_certificates')
        .select('ruc')
        .where('issuer_id', '=', tenant.issuerId)
        .executeTakeFirst(),
    );
    expect(row?.ruc).toBe(TEST_RUC);
  });
});

// --- internal ---

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function madeP12(validFrom: string, validTo: string): Promise<Uint8Array> {
  return createTestP12({ password: TEST_PASSWORD, validFrom: new Date(validFrom), validTo: new Date(validTo) });
}
