import { crc32, deflateSync } from 'node:zlib';
import { createTestP12 } from 'sri-core/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../app.js';
import { accountRows } from '../testing/account-rows.js';
import { costlyP12 } from '../testing/bad-input/containers.js';
import { TEST_PNG } from '../testing/billing-suite.js';
import { failingDatabase } from '../testing/failing-database.js';
import { databaseKinds } from '../testing/test-databases.js';
import {
  describeOnDatabases,
  openTestServer,
  TEST_PASSWORD,
  type TestServer,
  testP12,
} from '../testing/test-server.js';
import { type RegistrationFields, register, registrationForm } from '../testing/test-tenant.js';

describeOnDatabases('a failing registration', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open({ settings: { ONBOARDING_RATE: '100000/1h', VERIFICATION_REDIRECT_HOSTS: 'app.ejemplo.ec' } });
  });

  it('a registration that fails at any step stores nothing, and can be repeated', async () => {
    const fields: RegistrationFields = {
      email: 'pasos@ejemplo.ec',
      ruc: '1790000101001',
      logo: TEST_PNG,
      documentTypes: '["01","04"]',
      initialSequentials: '[{"documentType":"01","sequential":7},{"documentType":"04","sequential":9}]',
      verificationRedirectUrl: 'https://app.ejemplo.ec/',
    };
    const before = await accountRows(server);
    let step = 1;
    for (; ; step += 1) {
      const { registration } = server.services;
      const failing = failingDatabase(registration.database, step);
      const app = createApp({ ...server.services, registration: { ...registration, database: failing } });
      const response = await app.request('/v1/register', { method: 'POST', body: await registrationForm(fields) });
      if (failing.statements < step) {
        expect(response.status).toBe(201);
        break;
      }
      expect(await response.json(), `step ${step}`).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
      expect(await accountRows(server), `step ${step}`).toEqual(before);
    }
    // The account, its issuer, types, logo, counters, certificate, key, token, mail and event, and the commit.
    expect(step).toBeGreaterThan(12);
    const after = await accountRows(server);
    const added = Object.entries(after).map(([table, rows]) => [table, rows.length - (before[table]?.length ?? 0)]);
    expect(Object.fromEntries(added)).toMatchObject({
      tenants: 1,
      issuers: 1,
      issuer_logos: 1,
      issuer_document_types: 2,
      issuer_certificates: 1,
      api_keys: 1,
      verification_tokens: 1,
      jobs: 1,
    });
    await server.tick();
    expect((await server.mails()).filter((mail) => mail.includes('pasos@ejemplo.ec'))).toHaveLength(1);
  });

  it('concurrent registrations that fail store nothing', async () => {
    const before = await accountRows(server);
    const fields = { email: 'juntas@ejemplo.ec', ruc: '1790000102001' };
    const responses = await Promise.all(Array.from({ length: 12 }, () => register(server, fields)));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
    const after = await accountRows(server);
    for (const table of ['tenants', 'issuers', 'issuer_certificates', 'api_keys', 'verification_tokens', 'jobs']) {
      expect((after[table]?.length ?? 0) - (before[table]?.length ?? 0), table).toBe(1);
    }
  });

  it('many registrations of one address or one RUC store one account', async () => {
    const numbers = Array.from({ length: 6 }, (_, index) => index);
    const sameAddress = numbers.map((index) =>
      register(server, { email: 'una@ejemplo.ec', ruc: `179000011${index}001` }),
    );
    const sameRuc = numbers.map((index) => register(server, { email: `u${index}@ejemplo.ec`, ruc: '1790000120001' }));
    for (const calls of [sameAddress, sameRuc]) {
      const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    }
  });
});

describe('hostile input to open an account', () => {
  let server: TestServer;
  let tries = 0;
  beforeAll(async () => {
    server = await openTestServer(null, { settings: { ONBOARDING_RATE: '100000/1h' } });
    return server.close;
  });

  function formOf(fields: RegistrationFields): Promise<FormData> {
    tries += 1;
    const names = { email: `p${tries}@ejemplo.ec`, ruc: (1_800_000_000_001 + tries).toString() };
    return registrationForm({ ...names, ...fields });
  }

  async function send(path: string, fields: RegistrationFields): Promise<Response> {
    return server.request(path, { method: 'POST', body: await formOf(fields) });
  }

  it.each<{ name: string; cert: () => Promise<Uint8Array>; password?: string; reason: string }>([
    { name: 'one byte', cert: async () => Uint8Array.of(0x30), reason: 'CERTIFICATE_INVALID' },
    { name: 'a PDF', cert: async () => Buffer.from('%PDF-1.7\n%âãÏÓ'), reason: 'CERTIFICATE_INVALID' },
    { name: 'a billion iterations', cert: async () => costlyP12(1_000_000_000), reason: 'CERTIFICATE_INVALID' },
    { name: 'deep ASN.1', cert: async () => deepAsn1(20_000), reason: 'CERTIFICATE_INVALID' },
    { name: 'lengths that lie', cert: async () => Buffer.from('3084ffffffff', 'hex'), reason: 'CERTIFICATE_INVALID' },
    {
      name: 'endless indefinite lengths',
      cert: async () => Buffer.alloc(60_000, '3080', 'hex'),
      reason: 'CERTIFICATE_INVALID',
    },
    {
      name: 'a key of 1024 bits',
      cert: () => createTestP12({ password: TEST_PASSWORD, bits: 1024, validFrom: new Date('2026-01-01') }),
      reason: 'CERTIFICATE_KEY_UNSUPPORTED',
    },
    { name: 'an emoji for a password', cert: testP12, password: '🔑', reason: 'CERTIFICATE_PASSWORD_INVALID' },
    {
      name: 'a password in another case',
      cert: testP12,
      password: 'Clavé de prueba',
      reason: 'CERTIFICATE_PASSWORD_INVALID',
    },
  ])(
    '[R144] [R157] [R158] registration and recovery reject a certificate with $name',
    async ({ cert, password, reason }) => {
      const before = await accountRows(server);
      const fields = { cert: await cert(), certPassword: password ?? TEST_PASSWORD };
      const registered = await send('/v1/register', fields);
      expect(await registered.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST', reason });
      const recovered = await send('/v1/recover', fields);
      const finer = reason === 'CERTIFICATE_KEY_UNSUPPORTED';
      expect(await recovered.json()).toMatchObject({
        status: 400,
        code: finer ? 'CERTIFICATE_INVALID' : reason,
        ...(finer ? { reason } : {}),
      });
      expect(await accountRows(server)).toEqual(before);
    },
  );

  it.each([null, '', '🔑 contraseña', ' blancos '])('opens a certificate under the password %j', async (password) => {
    const cert = await createTestP12({ password, validFrom: new Date('2026-01-01') });
    expect((await send('/v1/register', { cert, certPassword: password })).status).toBe(201);
  });

  it('rejects a certificate cut or changed anywhere, and the process continues', async () => {
    const p12 = Buffer.from(await testP12());
    const places = Array.from({ length: Math.floor(p12.length / 64) }, (_, index) => index * 64);
    const changed = places.map((place) => {
      const copy = Buffer.from(p12);
      copy[place] = (copy[place] ?? 0) ^ 0x40;
      return copy;
    });
    for (const cert of [...places.map((place) => p12.subarray(0, place)), ...changed]) {
      const response = await send('/v1/recover', { cert });
      const problem = (await response.json()) as { code?: string };
      // A change outside of the MAC may be harmless; the answer is then the one to an unknown address.
      if (response.status === 200) expect(problem).toEqual({ ok: true, message: expect.any(String) });
      else expect([response.status, problem.code]).toEqual([400, expect.stringMatching(/^CERTIFICATE_/)]);
    }
    expect((await send('/v1/register', {})).status).toBe(201);
  });

  it.each<{ name: string; path: string; fields: () => Promise<RegistrationFields>; status: number }>([
    { name: 'an ordinary registration', path: '/v1/register', fields: async () => ({}), status: 201 },
    { name: 'a recovery', path: '/v1/recover', fields: async () => ({}), status: 200 },
    {
      name: 'a costly certificate',
      path: '/v1/recover',
      fields: async () => ({ cert: costlyP12(600_000) }),
      status: 400,
    },
    {
      name: 'the largest certificate',
      path: '/v1/register',
      fields: async () => ({ cert: new Uint8Array(256 * 1024).fill(0x30) }),
      status: 400,
    },
    {
      name: 'a form of 10 MB',
      path: '/v1/register',
      fields: async () => ({ cert: new Uint8Array(10_000_000) }),
      status: 400,
    },
    {
      name: 'the largest picture',
      path: '/v1/register',
      fields: async () => ({ logo: emptyPng(4096, 4096) }),
      status: 201,
    },
  ])('$name does not delay others by 100 ms', async ({ path, fields, status }) => {
    const sent = await fields();
    await send('/v1/recover', {}); // starts the thread that opens certificates
    // The sender encodes the form first, since its time is not the server's.
    const encoded = new Response(await formOf(sent));
    const type = encoded.headers.get('content-type') ?? '';
    const bytes = await encoded.bytes();
    const body = ReadableStream.from(piecesOf(bytes));
    const longest = await longestHold(async () => {
      const answer = await server.request(path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
        duplex: 'half',
      });
      expect(answer.status).toBe(status);
    });
    expect(longest).toBeLessThan(100);
  });
});

// --- internal ---

/** Pieces of the size of a socket's reads. */
function* piecesOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/**
 * The longest time in milliseconds for which this thread ran without serving a timer. Measured in CPU time, since on a
 * busy machine a thread also waits idle.
 */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let last = used();
  let longest = 0;
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

function deepAsn1(levels: number): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0, level = 0; level < levels; level += 1) {
    const head =
      size < 128 ? Buffer.of(0x30, size) : Buffer.from([0x30, 0x83, size >> 16, (size >> 8) & 255, size & 255]);
    parts.push(head);
    size += head.length;
  }
  return Buffer.concat(parts.reverse());
}

/** A PNG in which every pixel is transparent. */
function emptyPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((width * 4 + 1) * height));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}
