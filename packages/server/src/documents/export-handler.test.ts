import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { DOCUMENT_TYPES, ecuadorTimestamp, StorageUnavailableError } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WORK_THREADS } from '../platform/threads/threads.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant, type ShownDocument, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { ALL_TYPES, bodyOf } from '../testing/type-bodies.js';
import { readRows } from './export-documents.js';
import { writeZip } from './write-zip.js';

const HOSTILE_NAME = '=HYPERLINK("http://x.example"), "Ñ" & <b>;"=1+1;x';

/** Lists the files of an archive with their checksums tried, or the rows of a workbook's sheets, with Python's own readers. */
const JUDGE = `
import json, re, sys, zipfile
import xml.etree.ElementTree as tree
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
names = archive.namelist()
assert len(set(names)) == len(names)
if sys.argv[2] == 'files':
    print(json.dumps({name: archive.read(name).decode('latin-1') for name in names}))
elif sys.argv[2] == 'times':
    print(json.dumps(['%04d-%02d-%02dT%02d:%02d' % entry.date_time[:5] for entry in archive.infolist()]))
else:
    for name in names: tree.fromstring(archive.read(name))
    space = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
    def cell(each):
        inline = each.find(space + 'is')
        text = each.find(space + 'v').text if inline is None else inline.find(space + 't').text
        return re.sub('[0-9]', '', each.get('r')), [each.get('t') or 'n', text]
    sheets = [name for name in names if name.startswith('xl/worksheets/')]
    print(json.dumps([[dict(cell(each) for each in row) for row in tree.fromstring(archive.read(name)).iter(space + 'row')] for name in sheets]))
`;

type SheetCell = readonly [kind: string, text: string];

const writeXmls: (...of: Parameters<typeof readRows>) => AsyncIterable<unknown> = (services, wanted) =>
  writeZip(services, wanted, { withRides: false, language: 'es' });

describeOnDatabases('an export', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  let folder: string;
  const created: ShownDocument[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-'));
    server = await open();
    tenant = await verifiedTenant(server, { documentTypes: ALL_TYPES, language: 'es', email: 'owner@ejemplo.ec' });
    documents = documentsOf(server, tenant);
    for (const code of DOCUMENT_TYPES) created.push(await documents.authorized(bodyOf(code)));
    const buyer = { ...SIMPLE_INVOICE.buyer, name: HOSTILE_NAME };
    created.push(await documents.create({ ...SIMPLE_INVOICE, buyer }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const keysOf = (list: readonly ShownDocument[]) => list.map(({ accessKey }) => accessKey).toSorted();

  async function records(query: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await documents.get(`export?${query}`, headers);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    return parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
  }

  async function judged<T>(query: string, kind: 'files' | 'sheets' | 'times'): Promise<T> {
    const response = await documents.get(`export?${query}`);
    expect(response.status).toBe(200);
    const path = join(folder, 'export.zip');
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
    return JSON.parse(execFileSync('python3', ['-c', JUDGE, path, kind], { encoding: 'utf8' })) as T;
  }

  const judgedFiles = (query: string) => judged<Record<string, string>>(query, 'files');

  describe('a CSV', () => {
    it('a CSV has a row for each document, with its amounts by tax', async () => {
      const response = await documents.get('export');
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="documentos-2026-11-21.csv"');
      await response.body?.cancel();
      const rows = await records('format=csv');
      expect(rows.map((row) => row['Clave de acceso']).toSorted()).toEqual(keysOf(created));
      const accessKey = created[0]?.accessKey;
      expect(rows.find((row) => row['Clave de acceso'] === accessKey)).toEqual({
        'Fecha de emisión': '2026-11-21',
        Tipo: '01',
        Documento: 'Factura',
        Número: '001-002-000000001',
        Estado: 'AUTHORIZED',
        Signo: '1',
        'Tipo de identificación': '05',
        Identificación: '1710034065',
        Nombre: 'María Muñoz & Cía.',
        'Base: IVA 15 %': '14.50',
        'Base: IVA diferenciado 8 %': '0.00',
        'Base: IVA 5 %': '0.00',
        'Base: IVA 0 %': '0.00',
        'Base: No objeto de IVA': '0.00',
        'Base: Exento de IVA': '0.00',
        'Base: IVA 13 %': '0.00',
        'Base: IVA 14 %': '0.00',
        'Base: IVA 12 %': '0.00',
        'Base: otras tarifas': '0.00',
        IVA: '2.18',
        'IVA devuelto': '0.00',
        ICE: '0.00',
        IRBPNR: '0.00',
        Propina: '0.00',
        'Retención de renta': '0.00',
        'Retención de IVA': '0.00',
        'Retención de ISD': '0.00',
        Total: '16.68',
        'Tipo del documento modificado': '',
        'Documento modificado': '',
        'Número de autorización': accessKey,
        'Fecha de autorización': '2026-11-21T10:00:00-05:00',
        'Clave de acceso': accessKey,
        'RUC del emisor': expect.stringMatching(/^17920\d{5}001$/),
        'Id del emisor': tenant.issuerId,
        Creado: '2026-11-21T10:00:00-05:00',
      });
    });

    it('a CSV states the sign of a document, its modified document and its withholdings', async () => {
      const [note] = await records('documentType=04');
      expect(note).toMatchObject({ Signo: '-1', 'Tipo del documento modificado': '01' });
      expect(note?.['Documento modificado']).toMatch(/^\d{3}-\d{3}-\d{9}$/);
      expect(Number(note?.['Total'])).toBeGreaterThan(0);
      const [receipt] = await records('documentType=07');
      expect(receipt?.['Signo']).toBe('0');
      const withheld = ['Retención de renta', 'Retención de IVA', 'Retención de ISD'].map((name) => receipt?.[name]);
      expect(withheld.reduce((sum, each) => sum + Number(each), 0)).toBeCloseTo(Number(receipt?.['Total']), 2);
    });

    it('a CSV quotes a text that a spreadsheet would take for a formula', async () => {
      const [row] = await records('status=SIGNED');
      expect(row?.['Nombre']).toBe(`'=HYPERLINK("http://x.example"), "Ñ" & <b>;"'=1+1;x`);
    });

    it('a CSV has its heads and names in the language of the request', async () => {
      const [row] = await records('documentType=06', { 'accept-language': 'en' });
      expect(row).toMatchObject({ 'Issue date': '2026-11-21', Document: 'Delivery guide', 'Base: IVA 15%': '0.00' });
    });

    it('an export takes the filters of the list and every issuer, but no document of other accounts', async () => {
      expect((await records('documentType=01&status=AUTHORIZED')).map((row) => row['Clave de acceso'])).toEqual([
        created[0]?.accessKey,
      ]);
      expect(await records('from=22/11/2026')).toEqual([]);
      const { 'x-issuer-id': _one, ...auth } = tenant.headers;
      const all = await server.request('/v1/documents/export?issuerId=all', { headers: auth });
      expect((await all.text()).split('\r\n')).toHaveLength(created.length + 2);
      const stranger = await registerTenant(server);
      const theirs = await server.request('/v1/documents/export?issuerId=all', { headers: stranger.auth });
      expect((await theirs.text()).split('\r\n')).toHaveLength(2);
    });
  });

  describe('an XLSX', () => {
    it('an XLSX has the cells of the CSV, with numbers for amounts and days and text for the rest', async () => {
      const [sheet = []] = await judged<Record<string, SheetCell>[][]>('format=xlsx', 'sheets');
      const [heads = {}, ...rows] = sheet;
      const shown = rows.map((row) =>
        Object.fromEntries(Object.entries(heads).map(([place, [, head]]) => [head, row[place] ?? ['inlineStr', '']])),
      );
      const numbers = /^(Base|IVA|ICE|IRBPNR|Propina|Retención|Total|Signo|Fecha de emisión)/;
      const expected = (await records('')).map((record) =>
        Object.fromEntries(
          Object.entries(record).map(([head, text]) => [
            head,
            numbers.test(head) ? ['n', text === '2026-11-21' ? '46347' : text] : ['inlineStr', text],
          ]),
        ),
      );
      expect(shown).toEqual(expected);
    });

    it('an XLSX without documents is a sheet with its head', async () => {
      const [sheet] = await judged<object[][]>('format=xlsx&from=22/11/2026', 'sheets');
      expect(sheet).toHaveLength(1);
    });
  });

  describe('a ZIP', () => {
    it('a ZIP has the XML and the RIDE of each document', async () => {
      const files = await judgedFiles('format=zip');
      expect(Object.keys(files).toSorted()).toEqual(
        keysOf(created).flatMap((accessKey) => [`${accessKey}.pdf`, `${accessKey}.xml`]),
      );
      for (const { accessKey, status } of created) {
        expect(files[`${accessKey}.pdf`]).toMatch(/^%PDF-/);
        const xml = Buffer.from(files[`${accessKey}.xml`] ?? '', 'latin1').toString();
        expect(xml).toBe(await (await documents.get(`${accessKey}/xml`)).text());
        expect(xml.includes('<estado>AUTORIZADO</estado>')).toBe(status === 'AUTHORIZED');
      }
    });

    it('a ZIP gives its files the time in Ecuador', async () => {
      const times = await judged<string[]>('format=zip&ride=off', 'times');
      expect(new Set(times)).toEqual(new Set([ecuadorTimestamp(server.clock.now()).slice(0, 16)]));
    });

    it('a ZIP reads its documents while other callers print', async () => {
      const { services } = server;
      const allRead = Promise.withResolvers<void>();
      const others = Array.from({ length: WORK_THREADS }, () =>
        services.printQueue.runPatiently('others', () => allRead.promise),
      );
      let read = 0;
      const printPatiently: typeof services.printPatiently = (caller, ride) => {
        read += 1;
        if (read === created.length) allRead.resolve();
        return services.printPatiently(caller, ride);
      };
      const wanted = {
        scope: { issuerIds: [tenant.issuerId], environment: 'sandbox' as const },
        filter: {},
        caller: 'me',
      };
      const pieces = writeZip({ ...services, printPatiently }, wanted, { withRides: true, language: 'es' });
      const archive: Uint8Array[] = [];
      for await (const piece of pieces) archive.push(piece);
      await Promise.all(others);
      expect(keysOf(created).every((accessKey) => Buffer.concat(archive).includes(`${accessKey}.pdf`))).toBe(true);
    });

    it('a ZIP breaks off without the database, and leaves no rejection unhandled', async () => {
      const { services } = server;
      const unhandled = vi.fn();
      process.on('unhandledRejection', unhandled);
      const away = () => Promise.reject(new StorageUnavailableError('The database is away.'));
      const wanted = {
        scope: { issuerIds: [tenant.issuerId], environment: 'sandbox' as const },
        filter: {},
        caller: 'me',
      };
      const engine = { ...services.engine, xml: away, ride: away };
      const pieces = writeZip({ ...services, engine }, wanted, { withRides: true, language: 'es' });
      const drain = async () => {
        for await (const _ of pieces);
      };
      await expect(drain()).rejects.toThrow('The database is away.');
      await setImmediate();
      process.off('unhandledRejection', unhandled);
      expect(unhandled).not.toHaveBeenCalled();
    });

    it('a ZIP can omit the RIDE', async () => {
      const files = await judgedFiles('format=zip&ride=off&documentType=01');
      expect(Object.keys(files)).toHaveLength(2);
      expect(Object.keys(files).every((name) => name.endsWith('.xml'))).toBe(true);
    });

    it('a ZIP without documents is an empty archive', async () => {
      expect(await judgedFiles('format=zip&from=22/11/2026')).toEqual({});
    });
  });

  it('an export requests many documents in one turn of the event loop, so that they are one query', async () => {
    const { services } = server;
    let turn = 0;
    let isDone = false;
    const turning = (async () => {
      for (; !isDone; turn += 1) await setImmediate();
    })();
    const scope = { issuerIds: [tenant.issuerId], environment: 'sandbox' as const };
    for (const read of [writeXmls, readRows]) {
      const turns: number[] = [];
      const noting =
        (name: 'xml' | 'contents') =>
        (...asked: Parameters<typeof services.engine.xml>) => {
          turns.push(turn);
          return services.engine[name](...asked);
        };
      const engine = { ...services.engine, xml: noting('xml'), contents: noting('contents') } as typeof services.engine;
      for await (const _ of read({ ...services, engine }, { scope, filter: {}, caller: 'me' }));
      expect(turns).toHaveLength(created.length);
      expect(new Set(turns).size).toBe(1);
    }
    isDone = true;
    await turning;
  });

  it('an export names a document with damaged content, and has all others', async () => {
    const [{ accessKey } = { accessKey: '' }] = created;
    await server.services.database.transaction(async (tables) => {
      const { id } = await tables
        .selectFrom('sri_documents')
        .select('id')
        .where('access_key', '=', accessKey)
        .executeTakeFirstOrThrow();
      await tables
        .updateTable('sri_contents')
        .set({ signed_xml: Buffer.from('damaged') })
        .where('document_id', '=', id)
        .execute();
    });
    const files = await judgedFiles('format=zip');
    expect(Object.keys(files)).toHaveLength(2 * created.length - 1);
    expect(files['archivos-que-faltan.txt']?.split('\r\n').slice(1)).toEqual([
      `${accessKey}.xml`,
      `${accessKey}.pdf`,
      '',
    ]);
    const row = (await records('')).find((each) => each['Clave de acceso'] === accessKey);
    expect(row).toMatchObject({ Total: '16.68', IVA: '', 'Base: IVA 15 %': '' });
  });

  it('an account has two exports at once; HEAD takes no place, and a cancelled export frees its place', async () => {
    for (let each = 0; each < 3; each += 1) {
      const head = await server.request('/v1/documents/export', { method: 'HEAD', headers: tenant.headers });
      expect(head.status).toBe(200);
    }
    const [first, second] = [await documents.get('export'), await documents.get('export?format=xlsx')];
    const third = await documents.get('export');
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '10']);
    await first.body?.cancel();
    const fourth = await documents.get('export?format=zip');
    expect([second.status, fourth.status]).toEqual([200, 200]);
    // An export also frees its place after its last byte.
    await Promise.all([second.arrayBuffer(), fourth.arrayBuffer()]);
    expect(await records('')).toHaveLength(created.length);
    expect(await records('')).toHaveLength(created.length);
    expect(await records('')).toHaveLength(created.length);
  });
});
