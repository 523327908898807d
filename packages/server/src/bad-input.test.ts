import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer, testP12 } from './testing/test-server.js';
import { registerTenant, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';

type Body = NonNullable<RequestInit['body']>;

let server: TestServer;
let tenant: TestTenant;
const faults: unknown[] = [];

beforeAll(async () => {
  const logger = { info: () => {}, warn: () => {}, error: (fields: unknown) => void faults.push(fields) };
  server = await openTestServer(null, { logger, settings: { ONBOARDING_RATE: '100000/1h' } });
  tenant = await registerTenant(server);
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

/** Every answer to malformed input is a problem of the 4xx kind, says its rule, and tells nothing of the inside. */
async function expectRefused(response: Response, allowed: readonly number[] = [400]): Promise<string> {
  const text = await response.text();
  expect(allowed, text).toContain(response.status);
  expect(text).not.toMatch(/\bat .+:\d+:\d+|SQLITE|sqlite|select |node_modules|\/src\//);
  return text;
}

describe('bodies of POST /v1/documents', () => {
  const post = (body: Body, headers: Record<string, string> = {}) =>
    server.request('/v1/documents', {
      method: 'POST',
      headers: { ...tenant.headers, 'content-type': 'application/json', ...headers },
      body,
    });
  const good = JSON.stringify(SIMPLE_INVOICE);

  it.each<[string, Body]>([
    ['nothing', ''],
    ['blanks', '   '],
    ['an array', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['a number', '1e400'],
    ['truncated', good.slice(0, -1)],
    ['trailing garbage', `${good}}`],
    ['two values', `${good}${good}`],
    ['a comment', `/* x */${good}`],
    ['a byte order mark', `\ufeff${good}`],
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff, 0xc0), Buffer.from('"}')])],
    ['an overlong encoding', Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')])],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['NUL', Buffer.of(0)],
    ['a thousand levels', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`],
    ['ten thousand lists', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['half a million lists', '['.repeat(500_000)],
    ['__proto__', '{"__proto__":{"documentType":"01"}}'],
    ['a hidden constructor', '{"items":[{"a":{"constructor":{"prototype":{}}}}]}'],
    ['a hundred thousand fields', `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['the same field twice, the last one wrong', `${good.slice(0, -1)},"items":[]}`],
    ['deep unknown fields', JSON.stringify({ ...SIMPLE_INVOICE, x: JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) })],
  ])('%s', async (_name, body) => {
    expect(await expectRefused(await post(body))).toContain('VALIDATION_FAILED');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=iso-8859-1',
    'multipart/form-data; boundary=x',
    '',
    ';',
    'x'.repeat(5000),
  ])('content type %j', async (type) => {
    expect(await expectRefused(await post(good, { 'content-type': type }))).toContain('header:Content-Type');
  });

  it.each(['application/json', 'application/json;charset=UTF-8', 'APPLICATION/JSON; charset="utf-8"; x=y'])(
    'content type %j is fine',
    async (type) => {
      expect((await post(good, { 'content-type': type })).status).toBe(201);
    },
  );

  it.each(['gzip', 'deflate', 'br', 'identity, gzip'])('content encoding %s', async (encoding) => {
    expect(await expectRefused(await post(good, { 'content-encoding': encoding }))).toContain(
      'header:Content-Encoding',
    );
  });

  it('odd numbers and texts in fields nobody knows are kept or harmless', async () => {
    const extra = '"x":[1e400,-0,1e-400,"\\u0000\\ud800\\uffff",{"a":{"b":[]}}]';
    const response = await post(`${good.slice(0, -1)},${extra}}`);
    expect(response.status).toBe(201);
    const { document } = (await response.json()) as { document: { accessKey: string } };
    const read = await server.request(`/v1/documents/${document.accessKey}`, { headers: tenant.headers });
    expect(read.status).toBe(200);
  });

  const values = [
    null,
    '',
    ' ',
    true,
    0,
    -1,
    1.5,
    1e21,
    [],
    {},
    [[]],
    'x'.repeat(10_000),
    '\u0000',
    '\ud800',
    '\uffff',
    '١٢',
    '１',
    'NaN',
    '1e5',
    '+1',
    '-0',
    '0x1',
    '1,5',
    '1.',
    '.5',
    '9'.repeat(400),
    '1.1234567',
    '31/02/2026',
    '<a/>',
    ']]>',
    '&x;',
    "' OR 1=1--",
    '__proto__',
    'constructor',
  ];
  it.each(fieldPaths(SIMPLE_INVOICE))('field %s, whatever it holds', async (path) => {
    for (const value of values) {
      const response = await post(JSON.stringify(withValue(SIMPLE_INVOICE, path.split('.'), value)));
      const text = await response.text();
      expect([201, 400], `${path} = ${JSON.stringify(value)}: ${text}`).toContain(response.status);
      if (response.status === 201) continue;
      const { errors } = JSON.parse(text) as { errors: { field: string; message: string }[] };
      const top = path.split('.')[0] ?? '';
      expect(errors.length).toBeGreaterThan(0);
      expect(
        errors.some(({ field }) => field.startsWith(top) || top === 'documentType'),
        text,
      ).toBe(true);
      if (typeof value === 'string' && value.length > 5) expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
    }
  });
});

describe('headers', () => {
  it.each([
    ['authorization', `bearer  ${'x'.repeat(16_000)}`],
    ['authorization', 'Bearer a b c'],
    ['authorization', 'Bearer \u00ff\u00fe'],
    ['authorization', `Bearer ${'0'.repeat(64)}, Bearer ${'1'.repeat(64)}`],
  ])('%s: %s', async (name, value) => {
    await expectRefused(await server.request('/v1/tenants/me', { headers: { [name]: value } }), [401]);
  });

  it('a lower-case scheme is a scheme', async () => {
    const headers = { authorization: `bearer ${tenant.apiKey}` };
    expect((await server.request('/v1/tenants/me', { headers })).status).toBe(200);
  });

  it('a key in a non-ASCII idempotency key is taken as it is', async () => {
    const headers = { ...tenant.headers, 'content-type': 'application/json', 'idempotency-key': 'cl\u00e1v\u00e9' };
    const init = { method: 'POST', headers, body: JSON.stringify(SIMPLE_INVOICE) };
    const statuses = [await server.request('/v1/documents', init), await server.request('/v1/documents', init)];
    expect(statuses.map(({ status }) => status)).toEqual([201, 200]);
  });

  it.each([',,,', 'es;q=x', '*', '\u00ff', 'en;q=0.5;q=0.1', 'x'.repeat(10_000)])(
    'accept-language %j',
    async (value) => {
      const response = await server.request('/nowhere', { headers: { 'accept-language': value } });
      expect([response.status, response.headers.get('content-language')]).toEqual([404, 'es']);
    },
  );

  it.each(['', 'unknown', '1.1.1.1, 2.2.2.2', ',,,', '::1', 'x'.repeat(10_000)])(
    'x-forwarded-for %j',
    async (value) => {
      const response = await server.request('/v1/register', { method: 'POST', headers: { 'x-forwarded-for': value } });
      await expectRefused(response);
    },
  );
});

describe('forms of POST /v1/register', () => {
  const post = (body: Body, type: string) =>
    server.request('/v1/register', { method: 'POST', headers: { 'content-type': type }, body });
  const part = (name: string, content: string, extra = '') =>
    `--B\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\n${content}\r\n`;

  it.each<[string, string, string]>([
    ['no boundary', 'multipart/form-data', 'x'],
    ['an empty boundary', 'multipart/form-data; boundary=', 'x'],
    ['a boundary of 300 characters', `multipart/form-data; boundary=${'b'.repeat(300)}`, 'x'],
    ['no body', 'multipart/form-data; boundary=B', ''],
    ['another boundary', 'multipart/form-data; boundary=C', `${part('a', 'x')}--B--`],
    ['no end', 'multipart/form-data; boundary=B', part('email', 'x')],
    ['no name', 'multipart/form-data; boundary=B', '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--'],
    ['no headers', 'multipart/form-data; boundary=B', '--B\r\n\r\nx\r\n--B--'],
    ['broken headers', 'multipart/form-data; boundary=B', '--B\r\nContent-Disposition\r\n\r\nx\r\n--B--'],
    ['a megabyte of headers', 'multipart/form-data; boundary=B', `--B\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n\r\n--B--`],
    ['only an end', 'multipart/form-data; boundary=B', '--B--\r\n'],
    ['31 parts', 'multipart/form-data; boundary=B', `${part('a', 'x').repeat(31)}--B--`],
    ['ten thousand parts', 'multipart/form-data; boundary=B', `${part('a', 'x').repeat(10_000)}--B--`],
    ['a nested form', 'multipart/form-data; boundary=B', `${part('cert', '--C\r\n\r\n--C--', '; filename="a"')}--B--`],
    ['another charset', 'multipart/form-data; boundary=B; charset=utf-16', `${part('a', 'x')}--B--`],
    ['JSON', 'application/json', '{}'],
  ])('%s', async (_name, type, body) => {
    expect(await expectRefused(await post(body, type))).toContain('VALIDATION_FAILED');
  });

  it.each(['../../etc/passwd', 'a\u0000b', 'a"b', 'x'.repeat(60_000), "a'; drop table tenants", '%2e%2e'])(
    'a file called %j is not asked for its name',
    async (filename) => {
      const form = new FormData();
      form.set('cert', new Blob([Uint8Array.from(await testP12())]), filename);
      const response = await server.request('/v1/register', { method: 'POST', body: form });
      expect(await expectRefused(response)).not.toContain('"field":"cert"');
    },
  );

  it('P12 files cut and changed at many places end with a reason', async () => {
    const p12 = await testP12();
    const fields = {
      certPassword: 'x',
      email: 'mala@ejemplo.ec',
      ruc: '1700000000001',
      businessName: 'X',
      branchCode: '001',
      issuePointCode: '001',
      emissionType: '1',
      requiredAccounting: '1',
    };
    const broken = [
      ...Array.from({ length: 20 }, (_, index) => p12.subarray(0, Math.floor((p12.length * index) / 20))),
      ...Array.from({ length: 20 }, (_, index) => flipped(p12, Math.floor((p12.length * index) / 20))),
    ];
    for (const bytes of broken) {
      const form = new FormData();
      form.set('cert', new Blob([Uint8Array.from(bytes)]), 'a.p12');
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const text = await expectRefused(await server.request('/v1/register', { method: 'POST', body: form }));
      expect(JSON.parse(text)).toMatchObject({ code: 'BAD_REQUEST', reason: expect.stringMatching(/^CERTIFICATE_/) });
    }
  });
});

// --- internal ---

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0x55;
  return copy;
}

/** `a`, `a.b`, `a.0.b` … of every value in it. */
function fieldPaths(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [`${prefix}${key}`, ...fieldPaths(entry, `${prefix}${key}.`)]);
}

function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((entry, index) => (String(index) === key ? withValue(entry, rest, value) : entry));
  }
  const entries = typeof target === 'object' && target !== null ? Object.entries(target) : [];
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, name === key ? withValue(entry, rest, value) : entry]),
  );
}
