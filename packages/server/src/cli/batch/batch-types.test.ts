import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DOCUMENT_TYPES, type DocumentType, ecuadorDate } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchServer, startBatchServer } from '../../testing/batch-server.js';
import { runCli, startCliProcess } from '../../testing/run-cli.js';
import { judgeEntry } from './check-entries.js';
import { readCsvFile } from './csv-file.js';
import { findTable } from './tables/index.js';
import { templateCsv } from './write-template.js';

const TODAY = ecuadorDate(new Date());

/** The template of a type as rows of cells by the names of the columns. */
function templateRows(code: DocumentType): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = templateCsv(findTable(code), TODAY).replace('\uFEFF', '').trim().split('\r\n');
  const names = head.split(';');
  return lines.map((line) => Object.fromEntries(line.split(';').map((cell, index) => [names[index], cell])));
}

function toCsv(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))].map((cells) => cells.join(';')).join('\n');
}

/** The template of a type with other cells in one of its rows, or in all of them. */
function changed(code: DocumentType, cells: Readonly<Record<string, string>>, row?: number): string {
  return toCsv(
    templateRows(code).map((each, index) => (row === undefined || index === row ? { ...each, ...cells } : each)),
  );
}

const faultsOf = (text: string, language: 'es' | 'en' = 'es') =>
  readCsvFile(text).entries.flatMap((entry) => judgeEntry(entry, language).fault ?? []);

describe('a bad cell', () => {
  /** Without a row, all rows have the cells. */
  it.each<{ code: DocumentType; cells: Readonly<Record<string, string>>; row?: number; reported: RegExp }>([
    { code: '03', cells: { identificacion: '9999999999999' }, reported: /^identificacion \(supplier\.idType\): / },
    { code: '03', cells: { iva: '12' }, row: 0, reported: /^iva, 2: 12 % no rige/ },
    { code: '03', cells: { cantidad: 'diez' }, row: 1, reported: /^cantidad, 3: «diez» no es un número\.$/ },
    {
      code: '04',
      cells: { documento_modificado: '1-1-1' },
      reported: /^documento_modificado: «1-1-1» no es un número como/,
    },
    {
      code: '04',
      cells: { fecha_documento_modificado: 'ayer' },
      reported: /^fecha_documento_modificado: «ayer» no es una/,
    },
    {
      code: '04',
      cells: { motivo: 'Otro' },
      row: 1,
      reported: /^motivo: difiere entre las líneas de la misma referencia/,
    },
    { code: '05', cells: { valor: '-1' }, row: 0, reported: /^valor, 2: «-1» no es un número/ },
    { code: '05', cells: { motivo: '' }, row: 1, reported: /^motivo, 3 \(reasons\[1\]\.reason\): / },
    { code: '05', cells: { correo: '' }, reported: /^correo: falta\. / },
    { code: '06', cells: { fecha_inicio: '01/01/2026' }, reported: /^fecha_inicio \(startDate\): / },
    { code: '06', cells: { direccion: '' }, row: 2, reported: /^direccion, 4 \(recipients\[1\]\.address\): / },
    {
      code: '06',
      cells: { nombre: 'Otra' },
      row: 1,
      reported: /^nombre, 2: difiere .* con lo mismo en «identificacion»/,
    },
    {
      code: '06',
      cells: { identificacion: '102030400' },
      row: 2,
      reported: /^identificacion, 4: .* escriba 0102030400\.$/,
    },
    {
      code: '06',
      cells: { identificacion: '992339411001' },
      row: 2,
      reported: /^identificacion, 4: .* 0992339411001\.$/,
    },
    { code: '06', cells: { cantidad: 'x' }, row: 2, reported: /^cantidad, 4: «x» no es un número/ },
    { code: '07', cells: { identificacion: '17' }, reported: /^identificacion: «17» no es una cédula/ },
    {
      code: '07',
      cells: { codigo_retencion: '721' },
      row: 1,
      reported: /^codigo_retencion, 3 \(supportingDocuments\[0\]\.withholdings\[1\]\.code\): /,
    },
    {
      code: '07',
      cells: { impuesto_retenido: 'ICE' },
      row: 0,
      reported: /^impuesto_retenido, 2: «ICE» no es renta, IVA ni/,
    },
    {
      code: '07',
      cells: { porcentaje_retencion: '13,25' },
      row: 0,
      reported: /^porcentaje_retencion, 2 \(supportingDocuments\[0\]\.withholdings\[0\]\.rate\): /,
    },
    { code: '07', cells: { codigo_sustento: '02' }, row: 1, reported: /^codigo_sustento, 2: difiere/ },
    {
      code: '07',
      cells: { codigo_sustento: '99' },
      reported: /^codigo_sustento, 2 \(supportingDocuments\[0\]\.supportCode\): /,
    },
    {
      code: '07',
      cells: { autorizacion_sustento: '1,12E+48' },
      reported: /^autorizacion_sustento, 2: Excel convirtió el núm/,
    },
    { code: '07', cells: { base_iva: '' }, row: 0, reported: /^base_iva, 2: «» no es un número/ },
  ])('a bad cell of type $code is named by row and column: $cells', ({ code, cells, row, reported }) => {
    expect(faultsOf(changed(code, cells, row)).join('\n')).toMatch(reported);
  });

  it('an English message names the same column', () => {
    expect(faultsOf(changed('07', { impuesto_retenido: 'ICE' }, 0), 'en')).toEqual([
      'impuesto_retenido, 2: «ICE» is not renta, IVA or ISD.',
    ]);
  });

  it('columns of another type lead to that type, and an unknown column leads to JSONL', () => {
    const withholding = toCsv(templateRows('07').map(({ tipo_comprobante: _, ...row }) => row));
    expect(() => readCsvFile(withholding)).toThrow(/These are the columns of another type: --type 07\./);
    expect(readCsvFile(withholding, { documentType: '07' }).entries).toHaveLength(1);
    expect(() => readCsvFile(changed('07', { dividendo: '1' }))).toThrow(
      /Without a column, and in a JSONL: .*dividends/,
    );
    expect(() => readCsvFile(changed('07', {}), { documentType: '06' })).toThrow('--type says 06');
    expect(() => readCsvFile(changed('07', { tipo_comprobante: '06' }, 1))).toThrow('more than one type');
    expect(() => readCsvFile(changed('07', { tipo_comprobante: '09' }, 1))).toThrow('more than one type');
  });

  it('a credit note accepts the rates of the day of its invoice', () => {
    const faults = (iva: string, day: string) => faultsOf(changed('04', { iva, fecha_documento_modificado: day }));
    expect(faults('12', '31/03/2024')).toEqual([]);
    expect(faults('15', '01/04/2024')).toEqual([]);
    const [first = {}, ...others] = templateRows('04');
    const day = { fecha_documento_modificado: '31/03/2024', iva: '12' };
    const below = others.map((row) => ({ ...row, ...day, fecha_documento_modificado: '' }));
    expect(below.length).toBeGreaterThan(0);
    expect(faultsOf(toCsv([{ ...first, ...day }, ...below]))).toEqual([]);
    expect(faults('15', '31/03/2024').join()).toContain('15 % no rige el 31/03/2024: 13, 12, 8, 0, exento');
  });

  it('a passport of nine digits is no error in the cell of a recipient', () => {
    expect(faultsOf(changed('06', { identificacion: '102030401' }, 2))).toEqual([]);
  });

  it('a type code without its zero is accepted, as Excel writes it', () => {
    const rows = templateRows('07').map((row) => ({ ...row, tipo_comprobante: '7', codigo_sustento: '1' }));
    expect(faultsOf(toCsv(rows))).toEqual([]);
  });
});

describe('rows', () => {
  it('rows join by their supporting document, and empty cells take the values of the row above', () => {
    const [first = {}, second = {}] = templateRows('07');
    const shared = [
      'tipo_comprobante',
      'identificacion',
      'nombre',
      'correo',
      'codigo_sustento',
      'tipo_documento_sustento',
      'forma_pago',
    ];
    const blank = Object.fromEntries(
      [...shared, 'documento_sustento', 'fecha_documento_sustento'].map((name) => [name, '']),
    );
    const other = { ...second, documento_sustento: '001-001-000000124', iva: '15', base_iva: '100' };
    const [entry] = readCsvFile(toCsv([first, { ...second, ...blank, autorizacion_sustento: '' }, other])).entries;
    expect(entry?.body).toMatchObject({
      supportingDocuments: [
        { number: '001-001-000000123', taxes: [{ rateCode: '4' }], withholdings: [{ tax: '1' }, { tax: '2' }] },
        { number: '001-001-000000124', taxes: [{ taxableBase: '100' }], withholdings: [{ tax: '2' }] },
      ],
    });
    expect(entry && judgeEntry(entry, 'es')).toEqual({ fault: null, warnings: [] });
  });

  it('rows accept the code of a withholding in small letters', () => {
    const [entry] = readCsvFile(changed('07', { codigo_retencion: '303a' }, 0)).entries;
    expect(entry?.body).toMatchObject({ supportingDocuments: [{ withholdings: [{ code: '303A' }, {}] }] });
  });

  it('rows that repeat a tax of their supporting document get a warning', () => {
    const [first = {}, second = {}] = templateRows('07');
    const [entry] = readCsvFile(toCsv([first, { ...second, iva: '15', base_iva: '100,00' }])).entries;
    expect(entry && judgeEntry(entry, 'es').warnings).toEqual([
      expect.stringMatching(/^iva, 3 .*: Ese impuesto con esa tarifa/),
    ]);
  });

  it('rows join by their recipient', () => {
    const [entry] = readCsvFile(toCsv(templateRows('06'))).entries;
    expect(entry?.body).toMatchObject({
      recipients: [{ items: [{}, {}], supportingDocument: { documentType: '01' } }, { items: [{}] }],
    });
    expect(JSON.stringify(entry?.body)).not.toMatch(/supportingDocument.*supportingDocument/);
  });
});

describe('batch issue', () => {
  let server: BatchServer;
  beforeAll(async () => {
    server = await startBatchServer();
  });
  afterAll(() => server.close());
  const at = (name: string) => join(server.folder, name);

  it.each(DOCUMENT_TYPES)('issues the templates of type %s, CSV and JSONL, and saves their files', async (code) => {
    for (const kind of ['csv', 'jsonl']) {
      const path = at(`${code}.${kind}`);
      const jsonl = kind === 'jsonl' ? ['--jsonl'] : [];
      expect((await runCli({}, 'batch', 'template', code, '--out', path, ...jsonl)).code).toBe(0);
      const folders = ['--ride', at(`${code}-${kind}-pdf`), '--xml', at(`${code}-${kind}-xml`)];
      const issued = await runCli(server.settings, 'batch', 'issue', path, '--json', ...folders);
      const summary = issued.json<{ documents: number; issued: readonly { accessKey: string }[] }>();
      expect([issued.code, summary], issued.out).toMatchObject([0, { ok: true, authorized: summary.documents }]);
      expect(summary.issued.map(({ accessKey }) => accessKey.slice(8, 10))).toEqual(summary.issued.map(() => code));
      const saved = await Promise.all(['pdf', 'xml'].map((folder) => readdir(at(`${code}-${kind}-${folder}`))));
      expect(saved.map((names) => names.length)).toEqual([summary.documents, summary.documents]);
    }
    const again = await runCli(server.settings, 'batch', 'issue', at(`${code}.csv`), '--json', '--resume');
    expect(again.json()).toMatchObject({ ok: true, earlier: again.json<{ documents: number }>().documents });
  });

  it('a batch that is killed repeatedly issues each withholding once', async () => {
    const [first = {}, second = {}] = templateRows('07');
    const rows = Array.from({ length: 20 }, (_, index) => {
      const own = { referencia: `R${index}`, nombre: `Cortada ${index}` };
      return [
        { ...first, ...own },
        { ...second, ...own },
      ];
    }).flat();
    const path = at('corte.csv');
    await writeFile(path, toCsv(rows));
    const codes: number[] = [];
    for (const after of [1, 5]) {
      const { child, answer } = startCliProcess(server.settings, ['batch', 'issue', path, '--resume'], server.folder);
      let seen = 0;
      for await (const _line of createInterface(child.stderr)) {
        seen += 1;
        if (seen === after) child.kill('SIGKILL');
      }
      codes.push((await answer).code);
    }
    expect(codes).toContain(-1);
    const end = await runCli(server.settings, 'batch', 'issue', path, '--resume', '--json');
    expect(end.json()).toMatchObject({ ok: true, authorized: 20, wrong: 0 });
    const headers = {
      authorization: `Bearer ${server.settings['SRI_API_KEY']}`,
      'x-issuer-id': server.settings['SRI_ISSUER_ID'] ?? '',
    };
    const response = await fetch(`${server.url}/v1/documents?limit=100&buyerName=Cortada`, { headers });
    const { data } = (await response.json()) as { data: readonly { sequential: string }[] };
    const numbers = data.map(({ sequential }) => Number(sequential)).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => (numbers[0] ?? 0) + index));
  }, 120_000);

  it('returns the rows of a withholding with an error, and issues them after the correction', async () => {
    const path = at('mal.csv');
    await writeFile(path, changed('07', { porcentaje_retencion: 'dos' }, 0).replaceAll('RET-1', 'M'));
    const failed = await runCli(server.settings, 'batch', 'issue', path, '--lang', 'es');
    expect(failed.out).toMatch(/^M \(líneas 2, 3\): porcentaje_retencion, 2: «dos» no es un número\.$/m);
    const errors = await readFile(at('mal.errors.csv'), 'utf8');
    expect(errors).toContain(';dos;');
    await writeFile(at('mal.errors.csv'), errors.replace(';dos;', ';2;'));
    const mended = await runCli(server.settings, 'batch', 'issue', at('mal.errors.csv'), '--json');
    expect(mended.json()).toMatchObject({ ok: true, authorized: 1 });
  });

  it('invoice create takes a body of any type, and requires --type if the body states none', async () => {
    const path = at('guia.json');
    const [entry] = readCsvFile(toCsv(templateRows('06'))).entries;
    const { documentType: _, ...body } = entry?.body ?? {};
    await writeFile(path, JSON.stringify(body));
    const refused = await runCli(server.settings, 'invoice', 'create', path, '--type', '07', '--json');
    expect(refused.json()).toMatchObject({ ok: false, code: 'VALIDATION_FAILED' });
    const created = await runCli(server.settings, 'invoice', 'create', path, '--type', '06', '--wait', '--json');
    expect(created.json()).toMatchObject({ ok: true, document: { documentType: '06', status: 'AUTHORIZED' } });
    await writeFile(path, JSON.stringify(entry?.body));
    const differing = await runCli(server.settings, 'invoice', 'create', path, '--type', '07', '--lang', 'es');
    expect([differing.code, differing.errors]).toEqual([2, expect.stringContaining('dice que es de tipo "06"')]);
  });
});
