import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../testing/run-cli.js';
import { testFolder } from '../testing/test-folder.js';

const folder = testFolder('invoice-cli');

/** A body without the sums that can be derived. */
const BODY = {
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'Ana', email: 'ana@example.com' },
  items: [
    {
      mainCode: 'P',
      description: 'Pan',
      quantity: '2',
      unitPrice: '1.50',
      taxes: [{ code: '2', rateCode: '4', rate: '15' }],
    },
  ],
  payments: [{ method: '01' }],
};

// No server listens at this address, since errors of the file are reported before any request.
const NOWHERE = 'http://127.0.0.1:9';

function create(text: string, ...options: readonly string[]) {
  return createAt(NOWHERE, text, ...options);
}

async function createAt(url: string, text: string, ...options: readonly string[]) {
  const path = join(folder, 'factura.json');
  await writeFile(path, text);
  const settings = { SRI_URL: url, SRI_API_KEY: 'sri_test_x', SRI_ISSUER_ID: 'x' };
  return runCli(settings, 'invoice', 'create', path, ...options);
}

describe('invoice create', () => {
  it.each([
    ['es', 'Falta SRI_API_KEY.'],
    ['en', 'SRI_API_KEY is missing.'],
  ])('reports a missing API key in one line, with the command of the help: %s', async (language, reported) => {
    const { code, errors } = await runCli({}, 'invoice', 'create', 'x.json', '--lang', language);
    expect([code, errors.trim().split('\n')]).toEqual([
      2,
      [expect.stringContaining(reported), expect.stringMatching(/: sri-server invoice create --help$/)],
    ]);
  });

  it('names the errors of a body, but not the sums that it may omit', async () => {
    const [item] = BODY.items;
    const wrong = { ...BODY, items: [{ ...item, quantity: 2 }] };
    const answer = await create(JSON.stringify(wrong), '--json', '--lang', 'es');
    expect(answer.code).toBe(1);
    expect(answer.json()).toMatchObject({ ok: false, code: 'VALIDATION_FAILED' });
    const { errors } = answer.json<{ errors: readonly { field: string; message: string }[] }>();
    expect(errors.map(({ field }) => field)).toEqual(['items[0].quantity']);
    expect(errors[0]?.message).toContain('Debe ser');
    const english = await create(JSON.stringify(wrong), '--lang', 'en');
    expect(english.errors).toMatch(/items\[0\]\.quantity: Must be/);
  });

  it.each([
    ['is cut short', '{"buyer": {', 'se corta antes de terminar'],
    ['has a comma too many', '{\n  "buyer": {},\n}', 'línea 3, columna 1'],
    ['is invalid', 'hola', '«h» está fuera de lugar'],
  ])('reports a JSON that %s in Spanish', async (_name, text, reported) => {
    const { code, errors } = await create(text, '--lang', 'es');
    expect(code).toBe(1);
    expect(errors).toContain(reported);
    expect(errors).not.toMatch(/Unexpected|Expected|JSON at/);
  });

  it('refuses an unwritable output file before it creates the document', async () => {
    const { code, errors } = await create(JSON.stringify(BODY), '--wait', '--ride', '-', '--lang', 'en');
    expect([code, errors]).toEqual([2, expect.stringContaining('does not write to standard output')]);
  });
});

describe('invoice create, when the server fails', () => {
  /** Starts a server with one answer for every request. @returns its address, and the keys of the creates. */
  async function openServer(answer: (method: string, path: string, response: ServerResponse) => void) {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      if (method === 'POST' && url === '/v1/documents') keys.push(headers['idempotency-key']);
      request.resume().on('end', () => answer(method, url, response));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
  }

  const away = (response: ServerResponse) =>
    response.writeHead(502, { 'content-type': 'text/html', 'retry-after': '0' }).end('<h1>Bad Gateway</h1>');

  it('names the idempotency key of a repetition, whether the create or a later request fails', async () => {
    const created = { accessKey: '1', status: 'SIGNED', total: '3.45' };
    for (const doesCreate of [false, true]) {
      const { url, keys } = await openServer((_method, path, response) => {
        if (!doesCreate || path !== '/v1/documents') away(response);
        else response.writeHead(201).end(JSON.stringify({ ok: true, document: created }));
      });
      const { code, errors } = await createAt(url, JSON.stringify(BODY), '--wait', '--lang', 'en');
      expect(new Set(keys).size).toBe(1);
      expect([code, errors]).toEqual([1, expect.stringContaining(`--idempotency-key ${keys[0]}`)]);
      expect(errors).toContain(`SERVER_UNREACHABLE: ${url} does not answer (HTTP 502).`);
    }
  });

  it('names the idempotency key if the last attempt was refused and an earlier attempt had no answer', async () => {
    const { url, keys } = await openServer((_method, _path, response) => {
      if (keys.length === 1) return response.destroy();
      response
        .writeHead(429, { 'retry-after': '0' })
        .end(JSON.stringify({ code: 'RATE_LIMITED', detail: 'Too many.' }));
    });
    const { code, errors } = await createAt(url, JSON.stringify(BODY), '--lang', 'en');
    expect([code, errors]).toEqual([1, expect.stringContaining(`--idempotency-key ${keys[0]}`)]);
  });

  it('names no idempotency key if no server exists at the address', async () => {
    const { code, errors } = await createAt('http://sri.invalid', JSON.stringify(BODY), '--lang', 'en');
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^SERVER_UNREACHABLE: .* \((?:ENOTFOUND|EAI_AGAIN)\)\..*\n$/),
    ]);
  }, 30_000);

  it('names no idempotency key after a refusal', async () => {
    const problem = { code: 'ISSUER_NOT_FOUND', detail: 'There is no such issuer.' };
    const { url } = await openServer((_method, _path, response) =>
      response.writeHead(404).end(JSON.stringify(problem)),
    );
    const { code, errors } = await createAt(url, JSON.stringify(BODY), '--lang', 'en');
    expect([code, errors]).toEqual([1, 'ISSUER_NOT_FOUND: There is no such issuer.\n']);
  });
});
