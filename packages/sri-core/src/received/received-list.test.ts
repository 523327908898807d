import { describe, expect, it } from 'vitest';
import { type AccessKey, type AccessKeyParts, buildAccessKey } from '../access-key.js';
import { describeListProblem } from './describe-problem.js';
import { LIST_MAX_BYTES, parseReceivedList } from './received-list.js';

const HEADINGS =
  'RUC_EMISOR\tRAZON_SOCIAL_EMISOR\tTIPO_COMPROBANTE\tSERIE_COMPROBANTE\tCLAVE_ACCESO\tFECHA_AUTORIZACION\tFECHA_EMISION\tIDENTIFICACION_RECEPTOR\tVALOR_SIN_IMPUESTOS\tIVA\tIMPORTE_TOTAL\tNUMERO_DOCUMENTO_MODIFICADO';
const EARLIER_HEADINGS =
  'COMPROBANTE\tSERIE_COMPROBANTE\tRUC_EMISOR\tRAZON_SOCIAL_EMISOR\tFECHA_EMISION\tFECHA_AUTORIZACION\tTIPO_EMISION\tIDENTIFICACION_RECEPTOR\tCLAVE_ACCESO\tNUMERO_AUTORIZACION\nIMPORTE_TOTAL';

function keyOf(sequential: number, parts: Partial<AccessKeyParts> = {}): AccessKey {
  return buildAccessKey({
    issueDate: '01/07/2026',
    documentType: '01',
    ruc: '1790011674001',
    environment: 'production',
    branchCode: '015',
    issuePointCode: '027',
    sequential,
    numericCode: '12345678',
    ...parts,
  });
}

const numberOf = (sequential: number) => `015-027-${String(sequential).padStart(9, '0')}`;
const FIRST = keyOf(1);
const ROW = `1790011674001\tPEÑA Y MUÑOZ S.A.\tFactura\t${numberOf(1)}\t${FIRST}\t01/07/2026 21:06:55\t01/07/2026\t0350016432\t37.5\t.29\t20\t`;
const READ = {
  line: 2,
  accessKey: FIRST,
  documentType: '01',
  number: numberOf(1),
  issuerRuc: '1790011674001',
  issuerName: 'PEÑA Y MUÑOZ S.A.',
  issueDate: '01/07/2026',
  authorizationDate: '2026-07-01T21:06:55-05:00',
  receiverId: '0350016432',
  subtotal: '37.50',
  iva: '0.29',
  total: '20.00',
  modifiedNumber: null,
};
const EARLIER_ROW = `Factura\t${numberOf(1)}\t1790011674001\tPEÑA Y MUÑOZ S.A.\t01/07/2026\t01/07/2026 21:06:55\tNORMAL\t\t0350016432\t${FIRST}\t${FIRST}\n20`;
const EARLIER_READ = { ...READ, line: 3, subtotal: null, iva: null };

const problemsOf = (text: string) =>
  parseReceivedList(text).problems.map(({ line, field, rule }) => `${line} ${field} ${rule}`);

describe('parseReceivedList', () => {
  it.each([
    { name: 'the present layout', text: `${HEADINGS}\n${ROW}\n`, read: READ },
    { name: 'no headings', text: ROW, read: { ...READ, line: 1 } },
    { name: 'CRLF', text: `${HEADINGS}\r\n${ROW}\r\n`, read: READ },
    { name: 'CR', text: `${HEADINGS}\r${ROW}\r`, read: READ },
    { name: 'blank lines', text: `\n${HEADINGS}\n\n \t\n""\t""\n${ROW}\n\n`, read: { ...READ, line: 6 } },
    { name: 'a row without its blank end', text: `${HEADINGS}\n${ROW.trimEnd()}`, read: READ },
    {
      name: 'a date without its time',
      text: ROW.replace(' 21:06:55', ''),
      read: { ...READ, line: 1, authorizationDate: '2026-07-01' },
    },
    {
      name: 'dates in the order of ISO',
      text: `${HEADINGS}\n${ROW.replace('01/07/2026 21:06:55\t01/07/2026', '2026-07-01 21:06:55\t2026-07-01')}`,
      read: READ,
    },
    { name: 'a total on a line of its own', text: `${HEADINGS}\n${ROW.replace('\t20\t', '\n20\t')}`, read: READ },
    {
      name: 'a total on a line of its own after a tab',
      text: `${HEADINGS}\n${ROW.replace('\t20\t', '\t\n20\t')}`,
      read: READ,
    },
    { name: 'a name of two lines', text: `${HEADINGS}\n${ROW.replace('PEÑA Y', 'PEÑA\nY')}`, read: READ },
    { name: 'both', text: `${HEADINGS}\n${ROW.replace('PEÑA Y', 'PEÑA\nY').replace('\t20\t', '\n20\t')}`, read: READ },
    {
      name: 'every value on a line of its own',
      text: `${HEADINGS}\n${ROW.trimEnd().replace('0350016432', '0350016432001').replaceAll('\t', '\n')}`,
      read: { ...READ, receiverId: '0350016432001' },
    },
    { name: 'the earlier layout', text: `${EARLIER_HEADINGS}\n${EARLIER_ROW}\n`, read: EARLIER_READ },
    { name: 'the earlier layout without headings', text: EARLIER_ROW, read: { ...EARLIER_READ, line: 1 } },
    {
      name: 'the earlier layout on one line',
      text: `${EARLIER_HEADINGS}\n${EARLIER_ROW.replace('\n', '\t')}`,
      read: EARLIER_READ,
    },
    {
      name: 'the earlier layout with all its headings',
      text: `${EARLIER_HEADINGS.replace('TIPO_EMISION', 'TIPO_EMISION\tNUMERO_DOCUMENTO_MODIFICADO')}\n${EARLIER_ROW}`,
      read: EARLIER_READ,
    },
    {
      name: 'a key alone',
      text: `${FIRST}\n`,
      read: {
        ...READ,
        line: 1,
        issuerName: '',
        authorizationDate: null,
        receiverId: null,
        subtotal: null,
        iva: null,
        total: null,
      },
    },
    {
      name: 'columns in another order, and a new column',
      text: `Identificacion receptor\tIVA\tNUEVA_COLUMNA\tclave acceso\tValor sin impuestos\n0350016432\t1\tx\t${FIRST}\t37.5`,
      read: { ...READ, issuerName: '', authorizationDate: null, iva: '1.00', total: null },
    },
    {
      name: 'quotes and apostrophes of a spreadsheet',
      text: `${HEADINGS}\n${ROW.replace(FIRST, `'${FIRST}`).replace('PEÑA Y MUÑOZ S.A.', '"PEÑA Y MUÑOZ S.A."')}`,
      read: READ,
    },
    {
      name: 'quotes of a spreadsheet around a name with quotes',
      text: `${HEADINGS}\n${ROW.replace('PEÑA Y MUÑOZ S.A.', '"PEÑA ""EL REY"""')}`,
      read: { ...READ, issuerName: 'PEÑA "EL REY"' },
    },
    {
      name: 'a name that begins and ends with quotes of its own',
      text: `${HEADINGS}\n${ROW.replace('PEÑA Y MUÑOZ S.A.', '"PEÑA" Y "MUÑOZ"')}`,
      read: { ...READ, issuerName: '"PEÑA" Y "MUÑOZ"' },
    },
    {
      name: 'an apostrophe before a letter, and a long name as far as 400 characters',
      text: `${HEADINGS}\n${ROW.replace('PEÑA Y MUÑOZ S.A.', `'${'Ñ'.repeat(500)}`)}`,
      read: { ...READ, issuerName: `'${'Ñ'.repeat(399)}` },
    },
    {
      name: 'a RUC without its zero',
      text: ROW.replace(/^\d+/, '0990004196001')
        .replace(FIRST, keyOf(1, { ruc: '0990004196001' }))
        .replace(/^0/, ''),
      read: { ...READ, line: 1, issuerRuc: '0990004196001', accessKey: keyOf(1, { ruc: '0990004196001' }) },
    },
    { name: 'a decimal comma', text: `${HEADINGS}\n${ROW.replace('37.5', '37,5')}`, read: READ },
    {
      name: 'a negative amount',
      text: `${HEADINGS}\n${ROW.replace('37.5', '-37.495')}`,
      read: { ...READ, subtotal: '-37.50' },
    },
    { name: 'blank cells behind the last column', text: `${HEADINGS}\n${ROW}\t\t`, read: READ },
    {
      name: 'an authorization number of 37 digits',
      text: `${EARLIER_HEADINGS}\n${EARLIER_ROW.replace(`${FIRST}\n`, `${'1'.repeat(37)}\n`)}`,
      read: EARLIER_READ,
    },
    { name: 'more decimals than cents', text: `${HEADINGS}\n${ROW.replace('37.5', '37.495')}`, read: READ },
  ])('reads a list with $name', ({ text, read }) => {
    expect(parseReceivedList(text)).toEqual({ rows: [read], problems: [], furtherProblems: 0 });
  });

  it.each([
    { name: 'UTF-8', bytes: Buffer.from(`${HEADINGS}\n${ROW}`) },
    { name: 'UTF-8 with its mark', bytes: Buffer.from(`\uFEFF${HEADINGS}\n${ROW}`) },
    { name: 'latin-1', bytes: Buffer.from(`${HEADINGS}\n${ROW}`, 'latin1') },
    { name: 'UTF-16', bytes: Buffer.from(`\uFEFF${HEADINGS}\n${ROW}`, 'utf16le') },
    { name: 'UTF-16, big end first', bytes: Buffer.from(`\uFEFF${HEADINGS}\n${ROW}`, 'utf16le').swap16() },
  ])('reads a list in $name', ({ bytes }) => {
    expect(parseReceivedList(bytes).rows).toEqual([READ]);
  });

  it.each([
    ['Factura', '01'],
    ['Liquidación de compra de bienes y prestación de servicios', '03'],
    ['Nota de Crédito', '04'],
    ['NOTA DE DEBITO', '05'],
    ['Guía de Remisión', '06'],
    ['GuÃ­a de RemisiÃ³n', '06'],
    ['Comprobante de Retención', '07'],
  ] as const)('knows the type by the name %s', (label, documentType) => {
    const key = keyOf(1, { documentType });
    const { rows, problems } = parseReceivedList(ROW.replace('Factura', label).replace(FIRST, key));
    expect(rows).toMatchObject([{ documentType, accessKey: key }]);
    expect(problems).toEqual([]);
  });

  it('reads joined lists of both layouts, whose rows follow each other', () => {
    const second = EARLIER_ROW.replaceAll(FIRST, keyOf(2)).replace(numberOf(1), numberOf(2));
    const third = ROW.replace(FIRST, keyOf(3)).replace(numberOf(1), numberOf(3));
    const { rows, problems } = parseReceivedList(
      `${HEADINGS}\n${ROW}\n${EARLIER_HEADINGS}\n${second}\n${HEADINGS}\n${third}`,
    );
    expect(rows.map(({ line, number, total }) => `${line} ${number} ${total}`)).toEqual([
      `2 ${numberOf(1)} 20.00`,
      `5 ${numberOf(2)} 20.00`,
      `8 ${numberOf(3)} 20.00`,
    ]);
    expect(problems).toEqual([]);
  });

  it.each([
    {
      name: 'a wrong check digit',
      row: ROW.replace(FIRST, `${FIRST.slice(0, 48)}${(Number(FIRST[48]) + 1) % 10}`),
      reported: '2 accessKey accessKey',
    },
    { name: 'a key of 48 digits', row: ROW.replace(FIRST, FIRST.slice(1)), reported: '2 accessKey accessKey' },
    {
      name: 'a key that a spreadsheet has spoilt',
      row: ROW.replace(FIRST, '1,07202601179E+47'),
      reported: '2 accessKey spreadsheet',
    },
    { name: 'another RUC', row: ROW.replace('1790011674001', '1790011674002'), reported: '2 issuerRuc disagrees' },
    { name: 'another number', row: ROW.replace(numberOf(1), numberOf(2)), reported: '2 number disagrees' },
    { name: 'another day', row: ROW.replace('\t01/07/2026\t', '\t02/07/2026\t'), reported: '2 issueDate disagrees' },
    { name: 'another type', row: ROW.replace('Factura', 'Nota de Crédito'), reported: '2 documentType disagrees' },
    {
      name: 'a type that is not supported',
      row: ROW.replace('Factura', '').replace(FIRST, keyOf(1, { documentType: '02' })),
      reported: '2 accessKey type',
    },
    { name: 'half a row', row: ROW.slice(0, 40), reported: '2 null columns' },
    { name: 'a key of 50 digits', row: `${FIRST}0`, reported: '2 null columns' },
    { name: 'a sentence', row: 'No existen datos para los parámetros ingresados', reported: '2 null columns' },
    { name: 'a very long line', row: 'x\t'.repeat(5_000), reported: '2 null columns' },
  ])('reports $name, and reads the next row', ({ row, reported }) => {
    const next = ROW.replace(FIRST, keyOf(7)).replace(numberOf(1), numberOf(7));
    const { rows, problems } = parseReceivedList(`${HEADINGS}\n${row}\n${next}`);
    expect(rows).toMatchObject([{ line: 3, number: numberOf(7) }]);
    expect(problems.map(({ line, field, rule }) => `${line} ${field} ${rule}`)).toEqual([reported]);
    for (const problem of problems) {
      expect(describeListProblem(problem, 'es')).toMatch(/^[A-ZÁÉÍÓÚ].*\.$/);
      expect(describeListProblem(problem, 'en')).not.toMatch(/\{|undefined/);
    }
  });

  it.each([
    {
      name: 'an amount',
      row: ROW.replace('37.5', 'gratis'),
      reported: '2 subtotal amount',
      read: { ...READ, subtotal: null },
    },
    {
      name: 'a sign',
      row: ROW.replace('37.5', '-'),
      reported: '2 subtotal amount',
      read: { ...READ, subtotal: null },
    },
    {
      name: 'a date',
      row: ROW.replace('01/07/2026 21', '41/07/2026 21'),
      reported: '2 authorizationDate date',
      read: { ...READ, authorizationDate: null },
    },
    {
      name: 'a time',
      row: ROW.replace('2026 21', '2026 25'),
      reported: '2 authorizationDate date',
      read: { ...READ, authorizationDate: null },
    },
    { name: 'a day', row: ROW.replace('\t01/07/2026\t', '\t41/07/2026\t'), reported: '2 issueDate date', read: READ },
    { name: 'a type’s name', row: ROW.replace('Factura', 'Vale'), reported: '2 documentType type', read: READ },
    { name: 'a further value', row: `${ROW}\tx`, reported: '2 null columns', read: READ },
  ])('keeps a row with $name that cannot be read', ({ row, reported, read }) => {
    expect(parseReceivedList(`${HEADINGS}\n${row}`).rows).toEqual([read]);
    expect(problemsOf(`${HEADINGS}\n${row}`)).toEqual([reported]);
  });

  it('reads keys whose other columns are blank, each in its row', () => {
    const { rows } = parseReceivedList(`CLAVE_ACCESO\tIVA\tIMPORTE_TOTAL\n${FIRST}\n${keyOf(2)}`);
    expect(rows.map(({ accessKey }) => accessKey)).toEqual([FIRST, keyOf(2)]);
  });

  it('leaves out a row with the authorization of another key', () => {
    const row = EARLIER_ROW.replace(`${FIRST}\n`, `${keyOf(2)}\n`);
    expect(problemsOf(`${EARLIER_HEADINGS}\n${row}`)).toEqual(['3 authorizationNumber disagrees']);
  });

  it('finds the rows of a list without headings between other texts', () => {
    const { rows, problems } = parseReceivedList(`Comprobantes recibidos\n${ROW}\nFin del reporte`);
    expect(rows).toEqual([READ]);
    expect(problems.map(({ line, rule }) => `${line} ${rule}`)).toEqual(['1 columns', '3 columns']);
  });

  it('reads a list whose headings are broken behind keys alone', () => {
    const second = ROW.replace(FIRST, keyOf(2)).replace(numberOf(1), numberOf(2));
    const { rows, problems } = parseReceivedList(`${FIRST}\n${HEADINGS.replace('\t', '\n')}\n${second}`);
    expect(rows.map(({ line, number, total }) => `${line} ${number} ${total}`)).toEqual([
      `1 ${numberOf(1)} null`,
      `4 ${numberOf(2)} 20.00`,
    ]);
    expect(problems).toEqual([]);
  });

  it('returns each key once, and reports its repetition once', () => {
    const { rows, problems } = parseReceivedList([HEADINGS, ROW, ROW, ROW].join('\n'));
    expect(rows).toHaveLength(1);
    expect(problems).toEqual([{ line: 3, field: 'accessKey', rule: 'duplicate' }]);
  });

  it.each([
    { name: 'nothing', input: '' },
    { name: 'headings alone', input: HEADINGS },
  ])('reads $name as an empty list', ({ input }) => {
    expect(parseReceivedList(input)).toEqual({ rows: [], problems: [], furtherProblems: 0 });
  });

  it('reports a file that is no text, and a file that is too large', () => {
    expect(problemsOf('PK\u0003\u0004\0\0')).toEqual(['1 null binary']);
    expect(parseReceivedList(new Uint8Array(LIST_MAX_BYTES + 1)).problems).toEqual([
      { line: 1, field: null, rule: 'size' },
    ]);
  });

  it('throws for no damaged list, and never returns a row with another key', () => {
    const list = [
      HEADINGS,
      ROW,
      EARLIER_HEADINGS,
      EARLIER_ROW.replaceAll(FIRST, keyOf(2)).replace(numberOf(1), numberOf(2)),
    ].join('\n');
    const pieces = ['', '\t', '\n', '\r', '"', '\0', '\uFFFD', '9', 'ñ', '\t\t\t', FIRST, HEADINGS, '=cmd()', '\u2028'];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 2_000; round += 1) {
      let damaged = list;
      for (let times = random(4); times >= 0; times -= 1) {
        const at = random(damaged.length);
        damaged = damaged.slice(0, at) + pieces[random(pieces.length)] + damaged.slice(at + random(6));
      }
      const { rows, problems } = parseReceivedList(random(2) === 0 ? damaged : Buffer.from(damaged, 'latin1'));
      for (const { accessKey } of rows) expect([FIRST, keyOf(2)]).toContain(accessKey);
      if (rows.length < 2) expect(problems.length, JSON.stringify(damaged)).toBeGreaterThan(0);
    }
  });

  it('reports a thousand problems, and counts the rest', () => {
    const { problems, furtherProblems } = parseReceivedList(`${HEADINGS}\n${`${ROW.slice(0, 60)}\n`.repeat(5_000)}`);
    expect(problems).toHaveLength(1_000);
    expect(problems.length + furtherProblems).toBe(5_000);
  });

  it('reads up to a hundred thousand rows, good or bad', () => {
    const { problems, furtherProblems } = parseReceivedList('x\n'.repeat(200_000));
    expect(problems.at(-1)).toMatchObject({ rule: 'tooMany' });
    expect(problems.length + furtherProblems).toBe(100_001);
  });

  it.each([
    ['tabs', '\t'],
    ['line ends', '\n'],
    ['line ends and tabs', '\n\t'],
    ['beginnings of rows', '1790011674001\tA\n'],
    ['digits', '1'],
    ['quotes', '"'],
    ['headings', 'CLAVE_ACCESO\n'],
  ])('takes time in proportion to the size of a list of nothing but %s', (_, piece) => {
    const timeOf = (bytes: number) => {
      const text = piece.repeat(bytes / piece.length);
      const began = process.cpuUsage();
      parseReceivedList(text);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    };
    timeOf(256 * 1024);
    expect(timeOf(1024 * 1024)).toBeLessThan(Math.max(200, 12 * timeOf(256 * 1024)));
  });
});
