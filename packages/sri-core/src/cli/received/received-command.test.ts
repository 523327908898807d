import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readComprobante } from '../../documents/read-comprobante.js';
import { type Comprobante, DOCUMENT_TYPES } from '../../documents/registry.js';
import { parseReceivedList } from '../../received/received-list.js';
import { renderRide } from '../../ride/pdf.js';
import { readAuthorizationFile } from '../../sri/authorization-file.js';
import { type MagicKeyState, magicKey } from '../../sri/simulator/magic-keys.js';
import { toNodeListener } from '../../sri/simulator/node-listener.js';
import { createSimulator } from '../../sri/simulator/simulator.js';
import { runCoreCli } from '../testing/run-core-cli.js';
import { csvLine } from './csv.js';
import { tableHeadings, tableRow } from './table.js';

const simulator = createSimulator();
const server = createServer(toNodeListener(simulator.handle)).listen(0, '127.0.0.1');
await once(server, 'listening');
const sri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/comprobantes-electronicos-ws`;
const folder = await mkdtemp(join(tmpdir(), 'sri-received-'));
const at = (name: string) => join(folder, name);
let count = 0;
let out = '';

beforeEach(() => {
  simulator.reset();
  count += 1;
  out = at(`out-${count}`);
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

const keyOf = (state: MagicKeyState, sequential = 1, documentType = '01') =>
  magicKey({ state, documentType, issueDate: '05/11/2026', sequential });

async function received(keys: readonly string[], ...options: readonly string[]) {
  return receivedUntil(60_000, keys, ...options);
}

async function receivedUntil(stopAfterMs: number, keys: readonly string[], ...options: readonly string[]) {
  await writeFile(at('lista.txt'), keys.join('\n'));
  const words = ['received', at('lista.txt'), '--out', out, '--sri', sri, '--rate', '1000', '--lang', 'es', ...options];
  return runCoreCli(words, { stopAfterMs });
}

async function tableOf(): Promise<readonly Readonly<Record<string, string>>[]> {
  const text = await readFile(join(out, 'recibidos.csv'), 'utf8');
  const [headings = '', ...rows] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
  const names = headings.split(';');
  return rows.map((row) => Object.fromEntries(row.split(';').map((cell, index) => [names[index] ?? '', cell])));
}

const filesOf = async () => (await readdir(out)).toSorted();

describe('received', () => {
  it('`received` saves XML, RIDE and a row of each type', async () => {
    const keys = DOCUMENT_TYPES.map((type, index) => keyOf('authorized', index + 1, type));
    const { code, out: reported, errors } = await received(keys);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(reported).toContain(`${DOCUMENT_TYPES.length} AUTORIZADO`);
    const files = keys.flatMap((key) => [`${key}.pdf`, `${key}.xml`]);
    expect(await filesOf()).toEqual([...files, 'recibidos.csv', 'recibidos.jsonl'].toSorted());
    const rows = await tableOf();
    expect(rows).toMatchObject([
      {
        tipo: 'Factura',
        ruc_emisor: '1799999982001',
        razon_social_emisor: expect.stringMatching(/./),
        fecha_autorizacion: expect.stringMatching(/./),
        base_iva_15: '14,50',
        base_otras_tarifas: '',
        iva: '2,18',
        total: '16,68',
        firma: 'VÁLIDA',
        motivo: '',
      },
      { tipo: 'Liquidación de compra' },
      { tipo: 'Nota de crédito' },
      { tipo: 'Nota de débito' },
      { tipo: 'Guía de remisión', total: '' },
      { tipo: 'Comprobante de retención', retenido_renta: '2,00', retenido_iva: '4,50', total: '6,50' },
    ]);
    expect(rows.every(({ estado }) => estado === 'AUTORIZADO')).toBe(true);
    // `verify` accepts a saved file.
    const verified = await runCoreCli([
      'verify',
      join(out, `${keys[0]}.xml`),
      '--online',
      '--sri',
      sri,
      '--lang',
      'es',
    ]);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.out).toContain('El SRI lo tiene AUTORIZADO.');
  });

  it('`received` keeps the findings of `verify` when the SRI does not answer', async () => {
    const key = keyOf('authorized');
    await received([key]);
    const answer = await runCoreCli(['verify', join(out, `${key}.xml`), '--sri', `${sri}/nada`, '--lang', 'es']);
    expect(answer).toMatchObject({ code: 1 });
    expect(answer.out).toContain('La firma está bien');
    expect(answer.errors).toContain('El SRI no respondió');
  });

  it('`received` reports documents that are not valid, and fetches the rest', async () => {
    const states = ['authorized', 'annulled', 'pendingAnnulment', 'inProcess', 'notAuthorized'] as const;
    const unknown = '2111202601179999999000110010010000000071234567811';
    const { code, out: reported, errors } = await received([...states.map((state) => keyOf(state)), unknown]);
    expect(code).toBe(1);
    expect((await tableOf()).map(({ estado, firma, total }) => `${estado} ${firma} ${total}`)).toEqual([
      'AUTORIZADO VÁLIDA 16,68',
      'ANULADO VÁLIDA 16,68',
      'PENDIENTE DE ANULAR VÁLIDA 16,68',
      'EN PROCESO  ',
      'NO AUTORIZADO  ',
      'NO CONSTA  ',
    ]);
    const annulled = join(out, keyOf('annulled'));
    const { comprobante: xml, ...authorization } = readAuthorizationFile(await readFile(`${annulled}.xml`, 'utf8'));
    expect(await readFile(`${annulled}.pdf`)).toEqual(
      Buffer.from(await renderRide({ xml, authorization, voided: true })),
    );
    expect(reported).toContain('39 FIRMA INVALIDA');
    expect(errors).toContain('--resume');
  });

  it('`received` ends with 1 for a document that was changed after its signature', async () => {
    const changing = createServer(
      toNodeListener(async (request) => {
        const answer = await simulator.handle(request);
        return new Response((await answer.text()).replace('16.68', '17.68'), answer);
      }),
    );
    await once(changing.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(sri);
    url.port = String((changing.address() as AddressInfo).port);
    const { code, out: reported } = await received([keyOf('authorized')], '--sri', url.href);
    changing.close();
    expect([code, reported]).toEqual([1, expect.stringContaining('AUTORIZADO, FIRMA NO VÁLIDA')]);
  });

  it('`received` reports the faults of the list by line, and fetches the other rows', async () => {
    const good = keyOf('authorized');
    const { code, errors, out: json } = await received([good, `${good.slice(0, 48)}x`, good], '--json');
    expect(code).toBe(1);
    expect(errors).toMatch(/lista\.txt:2: La fila no tiene.*\n.*lista\.txt:3: La clave ya está/);
    expect(JSON.parse(json)).toMatchObject({ ok: false, documents: 1, counts: { AUTHORIZED: 1 }, failures: [] });
  });

  it('`received` ends with 0 when the list repeats a row, and reports it', async () => {
    const key = keyOf('authorized');
    const { code, errors } = await received([key, key]);
    expect([code, errors]).toEqual([0, expect.stringContaining('lista.txt:2: La clave ya está')]);
  });

  it('`received --resume` asks only for the missing documents', async () => {
    const keys = [1, 2, 3].map((sequential) => keyOf('authorized', sequential));
    expect(await receivedUntil(0, keys)).toMatchObject({ code: 1, errors: expect.stringContaining('--resume') });
    expect((await tableOf()).map(({ estado }) => estado)).toContain('NO CONSULTADO');
    expect(await received(keys)).toMatchObject({ code: 1, out: '' });
    expect(await received(keys, '--resume')).toMatchObject({ code: 0, errors: '' });
    const asked = simulator.journal.length;
    expect(await received(keys, '--resume')).toMatchObject({ code: 0, errors: '' });
    expect(simulator.journal).toHaveLength(asked);
    expect(await tableOf()).toHaveLength(3);
  });

  it('`received --resume` asks again for a refused key, which its correction keeps', async () => {
    const keys = [keyOf('authorized'), keyOf('notAuthorized')];
    await received(keys);
    const asked = simulator.journal.length;
    expect(await received(keys, '--resume')).toMatchObject({ code: 1 });
    expect(simulator.journal).toHaveLength(asked + 1);
  });

  it('`received --resume` fetches again a file that a killed run left incomplete or another program damaged', async () => {
    const [key, other, damaged] = [keyOf('authorized', 1), keyOf('authorized', 2), keyOf('authorized', 3)];
    await received([key, other, damaged]);
    await writeFile(join(out, `${damaged}.xml`), '');
    await writeFile(join(out, `${key}.xml.1a2b3c4d.part`), '<autorizacion>');
    await rm(join(out, `${other}.pdf`));
    const journal = await readFile(join(out, 'recibidos.jsonl'), 'utf8');
    await writeFile(join(out, 'recibidos.jsonl'), `${journal}{"accessKey":"05112`);
    expect(await received([key, other, damaged], '--resume')).toMatchObject({ code: 0 });
    const whole = [key, other, damaged].flatMap((each) => [`${each}.pdf`, `${each}.xml`]);
    expect(await filesOf()).toEqual([...whole, 'recibidos.csv', 'recibidos.jsonl'].toSorted());
    expect(await tableOf()).toHaveLength(3);
  });

  it('`received` names a file of the folder that cannot be written', async () => {
    const key = keyOf('authorized');
    const table = join(out, 'recibidos.csv');
    await mkdir(table, { recursive: true });
    const { code, out: json } = await received([key], '--json');
    expect([code, JSON.parse(json)]).toMatchObject([1, { code: 'FILE_NOT_WRITABLE' }]);
    await rm(table, { recursive: true });
    expect(await received([key], '--resume')).toMatchObject({ code: 0 });
  });

  it('`received` fetches the keys of one environment', async () => {
    const keys = (['sandbox', 'production'] as const).map((environment) =>
      magicKey({ state: 'authorized', issueDate: '05/11/2026', environment }),
    );
    expect(await received(keys, '--environment', 'sandbox')).toMatchObject({ code: 0 });
    expect(await tableOf()).toMatchObject([{ clave_acceso: keys[0] }]);
    const none = await received(keys.slice(0, 1), '--environment', 'production');
    expect(none).toMatchObject({ code: 1, errors: expect.stringContaining('LIST_EMPTY') });
  });

  it.each([
    { name: 'no folder', words: ['received', 'x.txt'], code: 2 },
    {
      name: 'a rate that is too high for the SRI',
      words: ['received', 'x.txt', '--out', 'o', '--rate', '11'],
      code: 2,
    },
    { name: 'another environment', words: ['received', 'x.txt', '--out', 'o', '--environment', 'x'], code: 2 },
    { name: 'no file', words: ['received', 'nothing.txt', '--out', 'o'], code: 1 },
  ])('`received` ends with $code for $name', async ({ words, code }) => {
    expect((await runCoreCli(words)).code).toBe(code);
  });
});

describe('key check', () => {
  it.each([
    { state: 'authorized', code: 0, text: 'AUTORIZADO' },
    { state: 'pendingAnnulment', code: 0, text: 'PENDIENTE DE ANULAR' },
    { state: 'annulled', code: 1, text: 'ANULADO' },
    { state: 'notAuthorized', code: 1, text: 'NO lo AUTORIZÓ' },
    { state: 'inProcess', code: 1, text: 'no muestra' },
  ] as const)('`key check` reports that a key is $state', async ({ state, code, text }) => {
    const typed = keyOf(state).replace(/.{7}/g, '$& ');
    const answer = await runCoreCli(['key', 'check', typed, '--sri', sri, '--lang', 'es']);
    expect(answer.code).toBe(code);
    expect(answer.out).toContain(text);
  });

  it('`key check` asks through the proxy of SRI_PROXY, and rejects another kind of address', async () => {
    const run = (proxy: string) =>
      runCoreCli(['key', 'check', keyOf('authorized'), '--sri', sri, '--lang', 'en'], { env: { SRI_PROXY: proxy } });
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }, socket: Socket) => {
      asked.push(url);
      const { port, hostname } = new URL(sri);
      const through = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
      socket.pipe(through).pipe(socket);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const answer = await run(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    proxy.close();
    expect(answer).toMatchObject({ code: 0, errors: '' });
    expect(asked).toEqual([new URL(sri).host]);
    expect(await run('https://proxy')).toMatchObject({ code: 2, errors: expect.stringContaining('SRI_PROXY') });
  });

  it('`key check` ends with 1 for a text that is no key', async () => {
    expect(await runCoreCli(['key', 'check', '123', '--lang', 'es'])).toMatchObject({ code: 1 });
  });
});

/** A row of the table of an authorized document, by the headings. */
function rowOf(
  comprobante: Comprobante | null,
  row = parseReceivedList(keyOf('authorized')).rows[0],
): Readonly<Record<string, string>> {
  const accessKey = keyOf('authorized');
  if (!row) throw new Error('The list has no row.');
  const verdict = { accessKey, signatureValid: true, authorizationDate: null, reason: null };
  const cells = tableRow({ row, verdict: { ...verdict, status: 'AUTHORIZED' }, comprobante }).split(';');
  const names = tableHeadings().split(';');
  return Object.fromEntries(cells.map((cell, index) => [names[index], cell]));
}

const fixture = (name: string) => readFile(new URL(`../../../fixtures/${name}`, import.meta.url), 'utf8');

describe('a row of the table', () => {
  it('a row of the table has the withholdings of an invoice, and the base of a rate beyond the catalogue', async () => {
    const fuel = await fixture('examples/invoice-3.xml');
    const comprobante = readComprobante(fuel.replaceAll('<codigoPorcentaje>4<', '<codigoPorcentaje>11<'));
    expect(rowOf(comprobante)).toMatchObject({
      base_iva_15: '',
      base_otras_tarifas: '1502,00',
      iva: '225,30',
      retenido_renta: '3,00',
      retenido_iva: '9,01',
    });
  });

  it('a row of the table has the amounts of the list when the document is missing', () => {
    const [row] = parseReceivedList(`CLAVE_ACCESO\tVALOR_SIN_IMPUESTOS\tIVA\n${keyOf('authorized')}\t14.5\t2.18`).rows;
    expect(rowOf(null, row)).toMatchObject({ subtotal: '14,50', iva: '2,18', ice: '' });
  });

  it('a row of the table has each base and tax in its own column, and all amounts withheld', async () => {
    expect(rowOf(readComprobante(await fixture('ride/factura-completa.xml')))).toMatchObject({
      base_no_objeto_iva: '300,00',
      base_exento_iva: '350,00',
      ice: '30,00',
      irbpnr: '0,20',
    });
    expect(rowOf(readComprobante(await fixture('examples/withholding-1.xml')))).toMatchObject({
      retenido_renta: '250,00',
      retenido_isd: '50,00',
      total: '300,00',
    });
  });
});

describe('a cell of the table', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'a cell of the table never becomes a formula: %j',
    (text) => {
      expect(csvLine([text, `a,${text}`])).toBe(`"'${text}";"a,'${text}"\r\n`);
      // Divided at the comma, the doubled quote would open and close a cell that goes on with the formula.
      expect(csvLine([`a,"${text}`])).toBe(`"a,""'${text}"\r\n`);
    },
  );

  it('a cell of the table quotes separators and quotes', () => {
    expect(csvLine(['a;b', 'say "x"', 'ñ'])).toBe('"a;b";"say ""x""";ñ\r\n');
  });
});
