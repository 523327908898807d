import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ecuadorDate, toIssueDate } from 'sri-core';
import { createClient, type Document, type DocumentInput, type InvoiceInput } from 'sri-core/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BatchServer, startBatchServer } from '../../testing/batch-server.js';
import { runAnswered, runCli } from '../../testing/run-cli.js';

let server: BatchServer;
let issued: Document[];
const BODY: InvoiceInput = {
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'Ana Pérez', email: 'ana@example.com' },
  items: [
    {
      mainCode: 'P',
      description: 'Pan de yuca',
      quantity: '2',
      unitPrice: '1.50',
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '3.00', taxAmount: '0.45' }],
    },
  ],
  payments: [{ method: '01', total: '3.45' }],
};

beforeAll(async () => {
  server = await startBatchServer();
  const { SRI_API_KEY: apiKey = '', SRI_ISSUER_ID: issuerId = '' } = server.settings;
  const { documents } = createClient({ baseUrl: server.url, apiKey, issuerId });
  const buyers: readonly InvoiceInput['buyer'][] = [
    BODY.buyer,
    { ...BODY.buyer, name: 'Beto Ñauta 2' },
    { ...BODY.buyer, idType: '06', id: 'SRI-RETURNED-35' },
  ];
  issued = [];
  for (const buyer of buyers) issued.push(await documents.issue({ ...BODY, buyer }));
});
afterAll(() => server?.close());

const run = (...words: readonly string[]) => runCli(server.settings, 'documents', ...words, '--lang', 'es');
const keyOf = (place: number) => issued[place]?.accessKey ?? '';
const at = (name: string) => join(server.folder, name);

describe('documents list', () => {
  it('documents list shows a table, newest first, and says that more documents exist', async () => {
    const { code, out, errors } = await run('list', '--limit', '2');
    const [head, first, second, ...more] = out.trim().split('\n');
    expect([code, more, errors]).toEqual([0, [], expect.stringContaining('Hay más')]);
    expect(head).toMatch(/^número +tipo +fecha +estado +total +contraparte +clave de acceso$/);
    expect(first).toMatch(new RegExp(`^001-001-000000003 +Factura .* RETURNED +3\\.45 .*${keyOf(2)}$`));
    expect(second).toContain('Beto Ñauta 2');
  });

  it.each<[string, readonly string[], readonly number[]]>([
    ['the status', ['--status', 'authorized'], [1, 0]],
    ['the type', ['--type', '04'], []],
    ['words', ['--q', 'ñauta'], [1]],
    ['an identification', ['--buyer', '1710034065'], [1, 0]],
    ['a name', ['--buyer', 'ana'], [2, 0]],
    ['a name with a digit', ['--buyer', 'ñauta 2'], [1]],
    ['a total', ['--total-from', '3.46'], []],
    ['a day', ['--to', '2020-01-31'], []],
    ['every issuer', ['--all-issuers', '--all'], [2, 1, 0]],
  ])('documents list filters by %s, and writes one document per line with --json', async (_name, words, places) => {
    const { code, out } = await run('list', ...words, '--json');
    const keys = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).accessKey]));
    expect([code, keys]).toEqual([0, places.map(keyOf)]);
  });

  it('the help of documents list explains --buyer in both languages', async () => {
    expect((await runCli({}, 'documents', 'list', '--help')).out).toContain(
      'whole; if it is no number, of a name that',
    );
    expect((await run('list', '--help')).out).toContain('completa; si no es un número, cuyo nombre');
  });

  it('documents list rejects invalid options', async () => {
    for (const words of [
      ['--status', 'PAID'],
      ['--from', 'ayer'],
      ['--limit', '0'],
      ['--type', '99'],
    ]) {
      expect((await run('list', ...words, '--json')).json(), words.join(' ')).toMatchObject({ code: 'USAGE' });
    }
    const refused = await run('list', '--total-from', 'mucho', '--json');
    expect([refused.code, refused.json()]).toMatchObject([1, { ok: false, code: 'VALIDATION_FAILED' }]);
  });
});

describe('documents get', () => {
  it('documents get shows lines, sums and the messages of the SRI', async () => {
    const { code, out } = await run('get', keyOf(2));
    expect(code).toBe(0);
    expect(out).toMatch(/número +001-001-000000003/);
    expect(out).toContain('Pan de yuca');
    expect(out).toMatch(/VALOR TOTAL +3\.45/);
    expect(out).toContain('35 ');
    const good = await run('get', keyOf(0), '--json');
    expect(good.json()).toMatchObject({ ok: true, document: { accessKey: keyOf(0), status: 'AUTHORIZED' } });
    expect(good.json()['sri']).toBeUndefined();
  });
});

describe('documents xml and ride', () => {
  it('documents xml and ride write to the standard output, or replace a file', async () => {
    const written = await run('xml', keyOf(0));
    expect([written.code, written.out]).toEqual([0, expect.stringMatching(/^<\?xml[\s\S]*<estado>AUTORIZADO/)]);
    const signed = await run('xml', keyOf(0), '--variant', 'signed', '--json');
    expect(signed.json()['xml']).toContain('<ds:Signature');
    await writeFile(at('f.pdf'), 'earlier');
    const sizes = [];
    for (const format of ['a4', 'ticket']) {
      const ride = await run('ride', keyOf(0), '--format', format, '--out', at('f.pdf'), '--json');
      const pdf = await readFile(at('f.pdf'));
      expect([ride.code, pdf.subarray(0, 5).toString()]).toEqual([0, '%PDF-']);
      expect(ride.json()).toMatchObject({ ok: true, file: at('f.pdf'), bytes: pdf.length });
      sizes.push(/MediaBox \[0 0 (\S+)/.exec(pdf.toString('latin1'))?.[1]);
    }
    expect(Number(sizes[0])).toBeGreaterThan(Number(sizes[1]) * 2);
    expect((await readdir(server.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('documents xml and ride leave no partial file after a failure', async () => {
    const unknown = `${keyOf(0).slice(0, 39)}99999999`;
    const bad = await run('ride', unknown, '--out', at('g.pdf'));
    expect([bad.code, bad.errors]).toEqual([2, expect.stringContaining('49')]);
    const nowhere = await run('xml', keyOf(0), '--out', at('none/x.xml'), '--json');
    expect([nowhere.code, nowhere.json()]).toMatchObject([1, { code: 'FILE_NOT_WRITABLE' }]);
    const folder = await run('xml', keyOf(0), '--out', server.folder, '--json');
    expect([folder.code, folder.json()]).toMatchObject([1, { code: 'FILE_NOT_WRITABLE' }]);
    expect((await run('ride', keyOf(0), '--json')).json()).toMatchObject({ code: 'USAGE' });
    expect((await readdir(server.folder)).filter((name) => /^g|part$/.test(name))).toEqual([]);
  });
});

describe('documents export', () => {
  it.each([
    ['csv', '\uFEFF'],
    ['xlsx', 'PK'],
    ['zip', 'PK'],
  ])('documents export saves a %s by the ending of the file name', async (ending, start) => {
    const path = at(`mes.${ending}`);
    const { code, json } = await run('export', '--status', 'AUTHORIZED', '--out', path, '--json');
    const bytes = await readFile(path);
    expect([code, json()]).toMatchObject([0, { ok: true, file: path, bytes: bytes.length }]);
    expect(bytes.toString().startsWith(start)).toBe(true);
    if (ending === 'csv') {
      expect(bytes.toString()).toContain(keyOf(0));
      expect(bytes.toString()).not.toContain(keyOf(2));
    }
    if (ending === 'zip') expect(bytes.toString('latin1')).toContain(`${keyOf(0)}.pdf`);
  });

  it('documents export keeps the earlier file when the server breaks off', async () => {
    const broken = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    await writeFile(at('antes.csv'), 'earlier');
    const { code, json } = await run('export', '--out', at('antes.csv'), '--url', url, '--json');
    broken.close();
    expect([code, json()]).toMatchObject([1, { ok: false, code: 'EXPORT_BROKEN_OFF' }]);
    expect(await readFile(at('antes.csv'), 'utf8')).toBe('earlier');
    expect((await readdir(server.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await run('export', '--out', at('mes.pdf'))).code).toBe(2);
  });
});

describe('documents void', () => {
  const call = () => ['documents', 'void', keyOf(1), '--reason', 'Error', '--lang', 'es'];

  it('documents void asks for the number, and changes nothing without it', async () => {
    const refused = await runAnswered(server.settings, 'no', ...call());
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringMatching(/Beto Ñauta 2, \$3\.45[\s\S]*NOT_CONFIRMED/),
    ]);
    expect((await runCli(server.settings, ...call())).code).toBe(2);
    expect((await run('void', keyOf(1))).errors).toContain('--reason');
    expect((await run('get', keyOf(1), '--json')).json()).toMatchObject({ document: { status: 'AUTHORIZED' } });
  });

  it('documents void marks a confirmed document, and rejects a second call', async () => {
    const done = await runAnswered(server.settings, '001-001-000000002', ...call());
    expect([done.code, done.out]).toEqual([0, expect.stringMatching(/VOIDED[\s\S]*motivo de la anulación +Error/)]);
    const again = await runCli(server.settings, ...call(), '--yes', '--json');
    expect([again.code, again.json()]).toMatchObject([1, { ok: false, code: 'DOCUMENT_NOT_AUTHORIZED' }]);
  });
});

describe('documents rebuild', () => {
  it('documents rebuild signs the stored body again, or a corrected body without derived sums', async () => {
    const same = await run('rebuild', keyOf(2), '--json');
    expect([same.code, same.json()]).toMatchObject([
      0,
      { ok: true, document: { status: 'SIGNED', sequential: '000000003' } },
    ]);
    const { document } = same.json<{ document: Document }>();
    expect((await run('rebuild', keyOf(0), '--json')).json()).toMatchObject({ ok: false });

    const { SRI_API_KEY: apiKey = '', SRI_ISSUER_ID: issuerId = '' } = server.settings;
    const { documents } = createClient({ baseUrl: server.url, apiKey, issuerId });
    await documents.send(document.accessKey);
    expect((await documents.wait(document.accessKey)).status).toBe('RETURNED');
    const items = BODY.items.map((item) => ({ ...item, taxes: [{ code: '2', rateCode: '4', rate: '15' }] }));
    const body = { ...BODY, items, payments: [{ method: '01' }] };
    await writeFile(at('corregido.json'), JSON.stringify(body));
    const mended = await run('rebuild', document.accessKey, at('corregido.json'), '--resequence');
    expect([mended.code, mended.out]).toEqual([0, expect.stringMatching(/001-001-000000004[\s\S]*Ana Pérez/)]);
  });

  it('documents get shows the newest answer of the SRI after a rebuild', async () => {
    const { SRI_API_KEY: apiKey = '', SRI_ISSUER_ID: issuerId = '' } = server.settings;
    const { documents } = createClient({ baseUrl: server.url, apiKey, issuerId });
    const bodyOf = (id: string): InvoiceInput => ({ ...BODY, buyer: { ...BODY.buyer, idType: '06', id } });
    const { accessKey } = await documents.issue(bodyOf('SRI-RETURNED-35'));
    await documents.rebuild(accessKey, { ...bodyOf('SRI-RETURNED-65') });
    await documents.sendOnce(accessKey);
    expect((await documents.wait(accessKey)).status).toBe('RETURNED');
    const shown = await run('get', accessKey, '--json');
    expect(shown.json()).toMatchObject({ sri: { messages: [{ identifier: '65' }] } });
  });

  it('documents get and invoice status end with the note that the SRI holds another document', async () => {
    const { SRI_API_KEY: apiKey = '', SRI_ISSUER_ID: issuerId = '' } = server.settings;
    const { documents } = createClient({ baseUrl: server.url, apiKey, issuerId });
    const buyer = { ...BODY.buyer, idType: '06', id: 'SRI-FOREIGN-43' } as const;
    const { accessKey, status } = await documents.issue({ ...BODY, buyer });
    expect(status).toBe('RETURNED');
    for (const words of [
      ['documents', 'get'],
      ['invoice', 'status'],
    ]) {
      const { out } = await runCli(server.settings, ...words, accessKey, '--lang', 'es');
      expect(out.trim().split('\n').at(-1)).toMatch(/^El SRI autorizó otro documento con esta clave .* uno nuevo\.$/);
      expect(out).not.toContain('Nada que hacer');
    }
  });
});

describe('the day after', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Moves the clock of the commands and of their server. */
  const tomorrow = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
  const today = () => toIssueDate(ecuadorDate(new Date()));
  const guide = (): DocumentInput & { readonly startDate: string } => ({
    documentType: '06',
    carrier: { idType: '05', id: '1710034065', name: 'José Peña' },
    licensePlate: 'PBA1234',
    departureAddress: 'Cuenca',
    startDate: today(),
    endDate: today(),
    recipients: [
      {
        id: '1710034065',
        name: 'Ana',
        address: 'Quito',
        reason: 'Venta',
        items: [{ description: 'Pan', quantity: '2' }],
      },
    ],
  });

  it('a delivery guide can be corrected after its transport has begun', async () => {
    const { SRI_API_KEY: apiKey = '', SRI_ISSUER_ID: issuerId = '' } = server.settings;
    const { documents } = createClient({ baseUrl: server.url, apiKey, issuerId });
    const body = guide();
    const { document } = await documents.create(body);
    await writeFile(at('guia.json'), JSON.stringify({ ...body, licensePlate: 'PBA9999' }));
    tomorrow();
    const mended = await run('rebuild', document.accessKey, at('guia.json'), '--json');
    expect(mended.json()).toMatchObject({ ok: true, document: { issueDate: body.startDate } });
    // The transport would begin before a new date.
    expect((await run('rebuild', document.accessKey, at('guia.json'), '--redate', '--json')).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'startDate' }],
    });
  });

  it.each([
    ['a delivery guide', guide],
    ['an invoice that names its day', () => ({ ...BODY, issueDate: today() })],
    [
      'an invoice with a transport',
      () => ({
        ...BODY,
        deliveryGuide: {
          departureAddress: 'Quito',
          arrivalAddress: 'Cuenca',
          startDate: today(),
          endDate: today(),
          carrier: { idType: '05', id: '1710034065', name: 'José Peña' },
          licensePlate: 'PBA1234',
          destinations: [{ reason: 'Venta', route: 'Quito – Cuenca' }],
        },
      }),
    ],
  ])('a repeated creation returns the first document on a later day: %s', async (name, bodyOf) => {
    await writeFile(at('repetido.json'), JSON.stringify(bodyOf()));
    const create = (...words: readonly string[]) =>
      runCli(server.settings, 'invoice', 'create', at('repetido.json'), ...words, '--json');
    const first = await create('--idempotency-key', name);
    expect(first.json()).toMatchObject({ ok: true, earlier: false });
    tomorrow();
    const again = await create('--idempotency-key', name);
    const { accessKey } = first.json<{ document: Document }>().document;
    expect(again.json()).toMatchObject({ ok: true, earlier: true, document: { accessKey } });
    // A create without the key or with another key makes a new document of today.
    expect((await create()).json()).toMatchObject({ ok: false, code: 'VALIDATION_FAILED' });
    expect((await create('--idempotency-key', `${name} 2`)).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
