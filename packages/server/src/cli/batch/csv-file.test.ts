import { describe, expect, it } from 'vitest';
import {
  readDate,
  readDecimal,
  readDigits,
  readDocumentNumber,
  readMonth,
  readUntypedId,
  readYesNo,
} from './cells/cell-values.js';
import { judgeEntry } from './check-entries.js';
import { readCsvFile } from './csv-file.js';
import { readJsonlFile } from './jsonl-file.js';

const HEAD = 'identificacion;nombre;correo;descripcion;cantidad;precio_unitario;iva';
const ROW = '1710034065;Ana;ana@example.com;Pan;2;1,50;15';

interface Body {
  readonly buyer: { readonly id: string; readonly idType: string; readonly name: string };
  readonly items: readonly { readonly quantity: string; readonly unitPrice: string; readonly description: string }[];
}
const bodies = (text: string) => readCsvFile(text).entries.map(({ body }): Body => JSON.parse(JSON.stringify(body)));
const faults = (text: string) => readCsvFile(text).entries.map((entry) => judgeEntry(entry, 'es').fault);

describe('a CSV', () => {
  it.each([
    ['as Excel in Ecuador saves it', `\uFEFF${HEAD}\r\n${ROW}\r\n`],
    ['with plain line ends and none at the end', `${HEAD}\n${ROW}`],
    ['of an old Mac', `${HEAD}\r${ROW}\r`],
    ['with a line sep=;', `sep=;\r\n${HEAD}\r\n${ROW}\r\n`],
    [
      'with commas, and numbers in quotes',
      `${HEAD.replaceAll(';', ',')}\n1710034065,Ana,ana@example.com,Pan,2,"1,50",15\n`,
    ],
    ['with commas and decimal points', `${HEAD.replaceAll(';', ',')}\n1710034065,Ana,ana@example.com,Pan,2,1.50,15\n`],
    ['with tabs', `${HEAD.replaceAll(';', '\t')}\n${ROW.replaceAll(';', '\t')}\n`],
    [
      'with capitals, accents and blanks in its names',
      `Identificación;NOMBRE;Correo Electrónico;Descripción;Cantidad;Precio Unitario;IVA\n${ROW}`,
    ],
    ['with English names', `buyer_id;buyer_name;email;description;quantity;unit_price;vat\n${ROW}`],
    ['with empty lines and empty cells at the end', `${HEAD};;\r\n\r\n${ROW};;\r\n;;;;;;;;\r\n`],
    ['with everything in quotes', `"${HEAD.replaceAll(';', '";"')}"\r\n"${ROW.replaceAll(';', '";"')}"\r\n`],
    ['with a dollar sign', `${HEAD}\n${ROW.replace('1,50', '$ 1,50')}`],
  ])('reads a CSV %s', (_name, text) => {
    const [body, ...more] = bodies(text);
    expect(more).toEqual([]);
    expect(body?.buyer).toMatchObject({ id: '1710034065', idType: '05', name: 'Ana' });
    expect(body?.items).toMatchObject([{ quantity: '2', unitPrice: '1.50', description: 'Pan' }]);
    expect(faults(text)).toEqual([null]);
  });

  it('keeps separators, quotes and line ends inside quotes, and unpaired quotes unchanged', () => {
    const text = `${HEAD}\r\n${ROW.replace('Pan', '"Pan; ""bueno""\r\nde ayer"')}\r\n${ROW.replace('Ana', 'Bar "El Ñandú"')}`;
    expect(bodies(text)[0]?.items[0]?.description).toBe('Pan; "bueno"\nde ayer');
    expect(bodies(text)[1]?.buyer.name).toBe('Bar "El Ñandú"');
    expect(readCsvFile(text).entries.map(({ lines }) => lines)).toEqual([[2], [4]]);
  });

  it('makes one invoice of the lines with the same reference, in any order', () => {
    const text = `referencia;${HEAD}\nA;${ROW}\nB;${ROW}\nA;;;;Queso;1;3,00;0\n;${ROW}\n;${ROW}`;
    const { entries } = readCsvFile(text);
    expect(entries.map(({ reference, lines }) => [reference, lines])).toEqual([
      ['A', [2, 4]],
      ['B', [3]],
      [null, [5]],
      [null, [6]],
    ]);
    // Two equal rows are two invoices, and keep their identities when lines move.
    expect(new Set(entries.map(({ identity }) => identity)).size).toBe(4);
    const moved = readCsvFile(`referencia;${HEAD}\n;${ROW}\nB;${ROW}\n;${ROW}\nA;${ROW}\nA;;;;Queso;1;3,00;0`);
    expect(new Set(moved.entries.map(({ identity }) => identity))).toEqual(
      new Set(entries.map(({ identity }) => identity)),
    );
  });

  it('makes bodies and identities byte for byte, since journals and idempotency keys depend on them', () => {
    const text = [
      'referencia;fecha_emision;identificacion;tipo_identificacion;nombre;correo;direccion;codigo;descripcion;cantidad;precio_unitario;descuento;iva;forma_pago;plazo;info:Vendedor',
      'A;21/11/2026;1710034065;;Ana;ana@example.com;Quito;P-1;Pan;2;1,50;0,10;15;tarjeta;30;J. Pérez',
      'A;;;;;;;;Queso;1;3;;0;;;',
      ';;AB-1;pasaporte;Bob;bob@example.com;;;Un texto de más de veinticinco letras;1;3;;exento;;;',
    ].join('\n');
    const { entries } = readCsvFile(text, { today: '2026-11-21' });
    expect(entries.map(({ body }) => JSON.stringify(body))).toEqual([
      '{"documentType":"01","issueDate":"21/11/2026","buyer":{"id":"1710034065","idType":"05","name":"Ana","email":"ana@example.com","address":"Quito"},"items":[{"mainCode":"P-1","description":"Pan","quantity":"2","unitPrice":"1.50","discount":"0.10","taxes":[{"code":"2","rateCode":"4","rate":"15"}]},{"mainCode":"Queso","description":"Queso","quantity":"1","unitPrice":"3","taxes":[{"code":"2","rateCode":"0","rate":"0"}]}],"payments":[{"method":"19","term":30,"termUnit":"dias"}],"additionalInfo":[{"name":"Vendedor","value":"J. Pérez"}]}',
      '{"documentType":"01","buyer":{"id":"AB-1","idType":"06","name":"Bob","email":"bob@example.com"},"items":[{"mainCode":"Un texto de más de veinti","description":"Un texto de más de veinticinco letras","quantity":"1","unitPrice":"3","taxes":[{"code":"2","rateCode":"7","rate":"0"}]}],"payments":[{"method":"01"}]}',
    ]);
    expect(entries.map(({ identity }) => identity)).toEqual([
      'ref:A',
      'row:326f5d1a13225dd4a20211d46094575601d0a298a2bc54dc44bed9f1975c8923:1',
    ]);
  });

  it('reads thousands of lines under one reference, and a cell of blanks, within seconds', () => {
    const began = performance.now();
    const [head, row] = [`referencia;fecha;${HEAD}`, `A;;${ROW}`];
    expect(bodies(`${head}\n${`${row}\n`.repeat(8_000)}`)[0]?.items).toHaveLength(8_000);
    expect(faults(`${HEAD}\n${ROW.replace(/15$/, `1${' '.repeat(40_000)}x`)}`)[0]).toContain('no es');
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('reports additional information that differs between the rows of a document', () => {
    const rows = (first: string, second: string) =>
      `referencia;${HEAD};info:Pedido\nA;${ROW};${first}\nA;${ROW};${second}`;
    expect(faults(rows('7', '7'))).toEqual([null]);
    expect(faults(rows('', '7'))).toEqual([null]);
    expect(faults(rows('7', '8'))[0]).toMatch(/^info:Pedido: difiere entre las líneas/);
  });

  it('makes a code of a description without cutting through an emoji', () => {
    const letters = 'x'.repeat(24);
    const text = `${HEAD}\n${ROW.replace('Pan', `${letters}🥖 de ayer`)}`;
    expect(bodies(text)[0]?.items).toMatchObject([{ mainCode: letters }]);
    expect(faults(text)).toEqual([null]);
  });

  it.each([
    ['a cédula without its zero', ROW.replace('1710034065', '102030405'), '0102030405'],
    ['a RUC without its zero', ROW.replace('1710034065', '992339411001'), '0992339411001'],
    ['a RUC that Excel has rounded', ROW.replace('1710034065', '1,79E+12'), 'escríbala de nuevo'],
    ['a passport of nine letters without its type', ROW.replace('1710034065', 'AB1234567'), 'tipo_identificacion'],
    ['an identification of another length', ROW.replace('1710034065', '12345'), 'tipo_identificacion'],
    ['a number in words', ROW.replace('1,50', 'uno'), 'no es un número'],
    ['a number that can be read in two ways', ROW.replace('1,50', '1.234'), 'dos maneras'],
    ['a negative number', ROW.replace('1,50', '-1'), 'no es un número'],
    ['an unknown rate', ROW.replace(/15$/, '14,5'), 'tarifa de IVA'],
    ['no name', ROW.replace('Ana', ''), 'buyer.name'],
    ['an invalid address', ROW.replace('ana@example.com', 'ana'), 'buyer.email'],
    ['a cell too many', `${ROW};más`, 'más celdas'],
    ['a wrong day', `${ROW}`, null],
  ])('reports %s in its row', (_name, row, reported) => {
    const [fault] = faults(`${HEAD}\n${row}`);
    if (reported === null) expect(fault).toBeNull();
    else expect(fault).toContain(reported);
  });

  it('reports a lost zero of a typed identification, and accepts a passport of nine digits', () => {
    const typed = (type: string, id: string) =>
      faults(`tipo_identificacion;${HEAD}\n${type};${ROW.replace('1710034065', id)}`)[0];
    expect(typed('cédula', '102030405')).toContain('0102030405');
    expect(typed('RUC', '992339411001')).toContain('0992339411001');
    expect(typed('pasaporte', '102030405')).toBeNull();
  });

  it('reports a wrong term once, and nothing else of its payment', () => {
    expect(faults(`${HEAD};plazo\n${ROW};30 días`)).toEqual(['plazo: El plazo es un número de días.']);
  });

  it('reports «crédito» alone as ambiguous, and accepts «tarjeta de crédito»', () => {
    expect(faults(`${HEAD};forma_pago;plazo\n${ROW};Crédito;30`)[0]).toContain('No hay una forma de pago «Crédito»');
    expect(faults(`${HEAD};forma_pago;plazo\n${ROW};Tarjeta de crédito;30`)).toEqual([null]);
  });

  it('reports all errors of a row at once, each by the name of its column', () => {
    const head = 'Fecha emisión;identificacion;nombre;E-mail;descripcion;cantidad;precio_unitario;IVA'.replace(
      'E-mail',
      'Correo',
    );
    const [fault] = faults(`${head}\n30/02/2026;9999999999999;;;Pan;2;x;12`);
    expect(fault).toMatch(/Fecha emisión: «30\/02\/2026» no es hoy \(\d\d\/\d\d\/\d{4}\)/);
    expect(fault).toContain('Correo: falta. Hace falta siempre, también para consumidor final');
    expect(fault).toContain('precio_unitario: «x» no es un número.');
    expect(fault).toContain('IVA: 12 % ');
    expect(fault).toContain('nombre (buyer.name): ');
    // Each error appears once, without its consequences.
    expect(fault).not.toMatch(/Es obligatorio|items\[|buyer\.email|issueDate/);
  });

  it('accepts the percentages in force on the day of the invoice, and lists them', () => {
    const fault = (rate: string, day: string) => {
      const text = `fecha_emision;${HEAD}\n${day};${ROW.replace(/15$/, rate)}`;
      const entry = readCsvFile(text, { today: day.split('/').toReversed().join('-') }).entries[0];
      return entry?.errors.map(({ message }) => (typeof message === 'string' ? message : message.es)).join();
    };
    expect(fault('12', '21/11/2026')).toBe('12 % no rige el 21/11/2026: 15, 13, 8, 5, 0, exento o no objeto.');
    expect(fault('15', '31/03/2024')).toContain('15 % no rige el 31/03/2024');
    expect(['12', '0', 'exento'].map((rate) => fault(rate, '31/03/2024'))).toEqual(['', '', '']);
    expect(['15', '8', '5', 'no objeto'].map((rate) => fault(rate, '21/11/2026'))).toEqual(['', '', '', '']);
  });

  it('warns of a likely mistake that may be intended', () => {
    const warnings = (row: string) =>
      readCsvFile(`referencia;${HEAD}\n${row}`).entries.map((entry) => judgeEntry(entry, 'es').warnings);
    expect(warnings(`A;${ROW}`)).toEqual([[]]);
    expect(warnings(`A;${ROW.replace(';2;', ';0;')}`)).toEqual([['El total es 0.00.']]);
    expect(warnings(`A;${ROW}\nA;${ROW.replace(';2;', ';0;')}`)).toEqual([
      ['cantidad, 3 (items[1].quantity): la línea suma 0.00.'],
    ]);
  });

  it('reports lines of one invoice with different buyers', () => {
    const text = `referencia;${HEAD}\nA;${ROW}\nA;${ROW.replace('Ana', 'Eva')}`;
    expect(faults(text)[0]).toContain('nombre: difiere');
  });

  it.each([
    ['nothing', '', 'CSV_INVALID'],
    ['names only', HEAD, 'CSV_INVALID'],
    ['other names', `a;b\n1;2`, 'COLUMNS_INVALID'],
    ['a name twice', `${HEAD};iva\n${ROW};15`, 'COLUMNS_INVALID'],
    ['no names', `${ROW}\n${ROW}`, 'COLUMNS_INVALID'],
    ['a quote that is not closed', `${HEAD}\n"${ROW}\n${ROW}`, 'CSV_INVALID'],
    ['a cell without end', `${HEAD}\n${ROW}${'x'.repeat(600_000)}`, 'CSV_INVALID'],
  ])('rejects a CSV with %s as a whole', (_name, text, code) => {
    expect(() => readCsvFile(text)).toThrow(expect.objectContaining({ code }));
  });

  it('names both columns of one meaning as the file names them', () => {
    expect(() => readCsvFile(`${HEAD};VAT\n${ROW};15`)).toThrow('Of one meaning: "iva", "VAT".');
  });

  it('returns the rows with errors unchanged, to be corrected and read again', () => {
    const bad = ROW.replace('Pan', '"Pan; ""bueno"""').replace('1,50', 'x');
    const file = readCsvFile(`${HEAD}\n${ROW}\n${bad}`);
    const entry = file.entries[1];
    if (!entry) throw new Error('no entry');
    const errors = file.writeErrors([{ entry, error: 'precio; malo' }]);
    expect(errors).toBe(`\uFEFF${HEAD};linea;error\r\n${bad};3;"precio; malo"\r\n`);
    const again = readCsvFile(errors.replace(';x;', ';1,5;'));
    expect(again.entries.map((one) => judgeEntry(one, 'es').fault)).toEqual([null]);
  });
});

describe('a number', () => {
  it.each([
    ['12,50', ';', '12.50'],
    ['12.50', ';', '12.50'],
    ['12.50', ',', '12.50'],
    ['12,50', ',', '12.50'],
    ['1.234,56', ';', '1234.56'],
    ['12.345,6', ';', '12345.6'],
    ['1,234.56', ';', '1234.56'],
    ['12,345,678.9', ';', '12345678.9'],
    ['1.234.567,8', ',', '1234567.8'],
    ['0,125', ';', '0.125'],
    ['0.125', ';', '0.125'],
    ['1234.567', ';', '1234.567'],
    ['1,234', ';', '1.234'],
    ['1.234', ',', '1.234'],
    ['$1 234,5', ';', '1234.5'],
    ['USD 7', ';', '7'],
    ['$ -', ';', '0'],
  ])('%s in a file with %s is read as %s', (text, delimiter, value) => {
    expect(readDecimal(text, delimiter)).toEqual({ value });
  });

  it.each([
    ['1.234', ';'],
    ['1,234', ','],
    ['', ';'],
    ['1,2,3', ';'],
    ['1.23,4', ';'],
    ['1.234,5x', ';'],
    ['x1.234,5', ';'],
    ['1,234.5x', ';'],
    ['x1,234.5', ';'],
    ['5 USD 5', ';'],
    ['1e5', ';'],
    ['٣', ';'],
    ['--', ';'],
    ['.5', ';'],
  ])('«%s» in a file with %s is rejected, not guessed', (text, delimiter) => {
    expect(readDecimal(text, delimiter)).toHaveProperty('wrong');
  });
});

it('an error of an ambiguous number shows both readings', () => {
  expect(readDecimal('$ 1.234', ';')).toHaveProperty('wrong.es', expect.stringContaining('escriba 1234 o 1,234.'));
  expect(readDecimal('1,234', ',')).toHaveProperty('wrong.en', expect.stringContaining('write 1234 or 1.234.'));
});

describe('a cell', () => {
  it.each([
    { read: readDocumentNumber, cell: '001-002-123', value: '001-002-000000123' },
    { read: readDocumentNumber, cell: "'001002000000123", value: '001-002-000000123' },
    { read: readDocumentNumber, cell: '001 - 002 - 000000123', value: '001-002-000000123' },
    { read: readMonth, cell: '1/2026', value: '01/2026' },
    { read: readMonth, cell: '12-2026', value: '12/2026' },
    { read: readMonth, cell: '2026-11', value: '11/2026' },
    { read: readDate, cell: '1/2/2026', value: '01/02/2026' },
    { read: readDate, cell: '21-11-2026', value: '21/11/2026' },
    { read: readDate, cell: '2026-11-21', value: '21/11/2026' },
    { read: readYesNo, cell: 'SÍ', value: true },
    { read: readYesNo, cell: 'true', value: true },
    { read: readYesNo, cell: 'No', value: false },
    { read: readYesNo, cell: '0', value: false },
    { read: readDigits, cell: "'2111 2026", value: '21112026' },
    { read: readUntypedId, cell: 'AB123456', value: 'AB123456' },
    { read: readUntypedId, cell: '1710034065', value: '1710034065' },
  ])('the cell «$cell» is read as $value', ({ read, cell, value }) => {
    expect(read(cell)).toEqual({ value });
  });

  it.each([
    { read: readDocumentNumber, cell: '001-002-0000001234' },
    { read: readDocumentNumber, cell: '0001-002-123' },
    { read: readDocumentNumber, cell: '00100200000012' },
    { read: readDocumentNumber, cell: '1,00E+12' },
    { read: readMonth, cell: '13/2026' },
    { read: readMonth, cell: '0/2026' },
    { read: readMonth, cell: '2026-13' },
    { read: readMonth, cell: '11/26' },
    { read: readDate, cell: '21/11/26' },
    { read: readDate, cell: '2026-11-21 00:00' },
    { read: readYesNo, cell: 'sino' },
    { read: readYesNo, cell: 'nosotros' },
    { read: readDigits, cell: '2,11E+48' },
    { read: readUntypedId, cell: '1.79E+12' },
    { read: readUntypedId, cell: '102030400' },
  ])('the cell «$cell» is rejected, not guessed', ({ read, cell }) => {
    expect(read(cell)).toHaveProperty('wrong');
  });
});

describe('a JSONL', () => {
  it('a JSONL is read line by line, with references apart and errors for invalid lines', () => {
    const { entries, writeErrors } = readJsonlFile('\uFEFF{"a":1,"reference":"X"}\r\n\n[1]\n{"a":\n{"a":1}');
    expect(entries.map(({ reference, lines, errors }) => [reference, lines, errors.length])).toEqual([
      ['X', [1], 0],
      [null, [3], 1],
      [null, [4], 1],
      [null, [5], 0],
    ]);
    expect(entries[0]?.body).toEqual({ a: 1 });
    const entry = entries[2];
    if (entry) expect(writeErrors([{ entry, error: '' }])).toBe('{"a":\n');
  });

  it('a JSONL may not repeat a reference, since the server would return the first document again', () => {
    const { entries } = readJsonlFile('{"a":1,"reference":"X"}\n{"a":2,"reference":"X"}\n{"a":3,"reference":"Y"}');
    expect(entries.map(({ reference, errors }) => [reference, errors[0]?.message])).toEqual([
      ['X', undefined],
      [null, expect.objectContaining({ en: '«X» is already the reference of line 1: each document has its own.' })],
      ['Y', undefined],
    ]);
  });
});
