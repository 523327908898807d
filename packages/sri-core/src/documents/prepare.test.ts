import { afterEach, describe, expect, it, vi } from 'vitest';
import { ValidationError } from '../errors.js';
import { failuresOf as failuresWith } from '../testing/judged-bodies.js';
import { SAMPLE_CREDIT_NOTE, SAMPLE_INVOICE, SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import type { PrepareContext } from './context.js';
import { MAX_FINDINGS } from './findings.js';
import { issuerSchema, validateIssuer } from './issuer-check.js';
import { prepareDocument } from './prepare.js';
import { createShape } from './shape.js';

const CONTEXT = { issuer: SAMPLE_ISSUER, today: '2026-11-21', requireAmounts: true } satisfies PrepareContext;
const [ITEM] = SAMPLE_INVOICE.items;
const [TAX] = ITEM.taxes;

const failuresOf = (body: unknown, context: Partial<PrepareContext> = {}) =>
  failuresWith(body, { requireAmounts: true, ...context });
const invoice = (change: object) => ({ ...SAMPLE_INVOICE, ...change });
const creditNote = (change: object) => ({ ...SAMPLE_CREDIT_NOTE, ...change });
const buyer = (change: object) => invoice({ buyer: { ...SAMPLE_INVOICE.buyer, ...change } });
const item = (change: object) => invoice({ items: [{ ...ITEM, ...change }] });
const tax = (change: object) => item({ taxes: [{ ...TAX, ...change }] });
const payment = (change: object) => invoice({ payments: [{ ...SAMPLE_INVOICE.payments[0], ...change }] });
const original = (change: object) =>
  creditNote({ originalDocument: { ...SAMPLE_CREDIT_NOTE.originalDocument, ...change } });

it.each(['21/11/2026', '2026-11-21T10:00:00Z', new Date(), undefined])(
  'a `today` of another form is a TypeError that names it: %s',
  (today) => {
    const context = { issuer: SAMPLE_ISSUER, today: today as never };
    expect(() => prepareDocument(SAMPLE_INVOICE, context)).toThrow('today has to be a day in the form YYYY-MM-DD.');
  },
);

describe('a blank optional text', () => {
  it.each(['', ' ', '\t\r\n', '\u00a0'])('a blank optional text counts as absent: %j', (blank) => {
    const tax = { code: '2', rateCode: '4', rate: '15' };
    const body = {
      documentType: '01',
      buyer: SAMPLE_INVOICE.buyer,
      items: [{ mainCode: 'A', description: 'Café', quantity: '1', unitPrice: '10', taxes: [tax] }],
      payments: [{ method: '01' }],
    };
    const blanks = {
      ...body,
      issueDate: blank,
      guiaRemision: blank,
      tip: blank,
      buyer: { ...body.buyer, address: blank },
      items: body.items.map((line) => ({
        ...line,
        auxiliaryCode: blank,
        auxCode: blank,
        discount: blank,
        taxes: [{ ...tax, taxableBase: blank, taxAmount: blank }],
      })),
      payments: [{ method: '01', total: blank, termUnit: blank }],
    };
    const issuer = {
      ...SAMPLE_ISSUER,
      tradeName: blank,
      specialTaxpayer: blank,
      withholdingAgent: blank,
      rimpe: blank,
    };
    const bare = { ...body, buyer: { ...body.buyer, address: null } };
    const context = { today: '2026-11-21', strict: true } as const;
    expect(prepareDocument(blanks, { ...context, issuer: issuer as typeof SAMPLE_ISSUER })).toEqual(
      prepareDocument(bare, { ...context, issuer: SAMPLE_ISSUER }),
    );
    expect(validateIssuer(issuer)).toMatchObject({ tradeName: null, specialTaxpayer: null, rimpe: null });
  });

  it('a blank optional text allows the other name of the code', () => {
    const body = item({ auxiliaryCode: '', auxCode: 'B-2' });
    expect(prepareDocument(body, CONTEXT).items[0]?.auxiliaryCode).toBe('B-2');
  });

  it('a blank text is rejected where the text is required, or of another type', () => {
    expect(failuresOf(buyer({ name: '' }))).toEqual(['buyer.name minLength']);
    expect(failuresOf(payment({ term: '' }))).toEqual(['payments[0].term type']);
    expect(failuresOf(invoice({ additionalInfo: '' }))).toEqual(['additionalInfo type']);
  });
});

describe('a valid body', () => {
  it('a valid invoice becomes a document without warnings', () => {
    const document = prepareDocument(SAMPLE_INVOICE, CONTEXT);
    expect(document).toMatchObject({
      documentType: '01',
      issueDate: '2026-11-21',
      total: '16.68',
      subtotal: 1450n,
      discount: 50n,
      tip: 0n,
      guiaRemision: '001-002-000000123',
      payments: [{ method: '20', total: 1668n, term: 30, termUnit: 'dias' }],
      warnings: [],
    });
    expect(document.items[0]).toMatchObject({ auxiliaryCode: '7861234567890', quantity: 2000000n, subtotal: 1450n });
    expect(prepareDocument(payment({ term: 0 }), CONTEXT)).toMatchObject({ payments: [{ term: 0 }] });
  });

  it('a valid credit note becomes a document without warnings', () => {
    expect(prepareDocument(SAMPLE_CREDIT_NOTE, CONTEXT)).toMatchObject({
      documentType: '04',
      total: '16.68',
      originalDocument: { documentType: '01', number: '001-001-000000123', issueDate: '2026-11-02' },
      motivo: 'Devolución',
      warnings: [],
    });
  });

  it.each([
    { name: 'no issue date: it is today', body: invoice({ issueDate: undefined }) },
    {
      name: 'null in every optional place',
      body: invoice({ issueDate: null, guiaRemision: null, tip: null, additionalInfo: null }),
    },
    {
      name: 'null in optional places of the lines',
      body: item({ auxiliaryCode: null, auxCode: null, discount: '0.50', additionalDetails: null }),
    },
    { name: 'a blank optional address', body: buyer({ address: '  ' }) },
    { name: 'unknown fields', body: { ...item({ color: 'red' }), extra: { deep: [1] }, __proto__: { tip: '99' } } },
    {
      name: 'a term without a unit, and a unit without a term',
      body: invoice({ payments: [{ method: '20', total: '16.68', term: 30 }] }),
    },
    {
      name: 'a unit without a term',
      body: invoice({ payments: [{ method: '20', total: '16.68', termUnit: 'meses' }] }),
    },
    { name: 'twenty characters of id', body: buyer({ idType: '06', id: 'X'.repeat(20) }) },
    { name: 'as many emoji as Java counts three hundred characters', body: buyer({ name: '😀'.repeat(150) }) },
    {
      name: 'a text whose line breaks shrink to the limit',
      body: buyer({ name: `${'x'.repeat(149)}\r\n\r\n${'x'.repeat(150)}\n` }),
    },
    {
      name: 'a credit note with payments and guía: not part of its shape',
      body: creditNote({ payments: 'x', guiaRemision: 7, tip: [] }),
    },
    {
      name: 'a credit note on more than the original (not checked)',
      body: creditNote({ items: Array(50).fill(ITEM) }),
    },
    {
      name: 'zero quantity',
      body: item({ quantity: '0', discount: '0', taxes: [{ ...TAX, taxableBase: '0', taxAmount: '0' }] }),
    },
    { name: 'many leading zeros', body: item({ quantity: '000000000002' }) },
    { name: 'six decimals', body: item({ quantity: '2.000000', unitPrice: '7.500000' }) },
  ])('a valid body may have $name', ({ body }) => {
    expect(failuresOf(body)).toEqual([]);
  });

  it('a valid body may have auxCode without auxiliaryCode', () => {
    const { items } = prepareDocument(item({ auxiliaryCode: undefined, auxCode: 'B' }), CONTEXT);
    expect(items[0]?.auxiliaryCode).toBe('B');
  });

  it('a document has the texts of its body with line breaks as spaces and without outer blanks', () => {
    const { items, buyer: who } = prepareDocument(
      { ...item({ description: ' two\r\n\tlines ' }), buyer: { ...SAMPLE_INVOICE.buyer, name: 'a\u2028b' } },
      CONTEXT,
    );
    expect(items[0]?.description).toBe('two lines');
    expect(who.name).toBe('a\u2028b');
  });
});

describe('a rejected body', () => {
  it.each([
    { name: 'nothing', body: undefined, failures: ['body required'] },
    { name: 'null', body: null, failures: ['body required'] },
    { name: 'a list', body: [SAMPLE_INVOICE], failures: ['body type'] },
    { name: 'text', body: JSON.stringify(SAMPLE_INVOICE), failures: ['body type'] },
    { name: 'a number', body: 7, failures: ['body type'] },
    { name: 'a function', body: () => SAMPLE_INVOICE, failures: ['body type'] },
  ])('rejects $name instead of an object', ({ body, failures }) => {
    expect(failuresOf(body)).toEqual(failures);
  });

  it.each([
    { body: invoice({ documentType: undefined }), failures: ['documentType required'] },
    { body: invoice({ documentType: 1 }), failures: ['documentType type'] },
    { body: invoice({ documentType: '02' }), failures: ['documentType oneOf'] },
    { body: invoice({ issueDate: '20/11/2026' }), failures: ['issueDate today'] },
    { body: invoice({ issueDate: '22/11/2026' }), failures: ['issueDate today'] },
    { body: invoice({ issueDate: '2026-11-21' }), failures: ['issueDate date'] },
    { body: invoice({ issueDate: '31/02/2026' }), failures: ['issueDate date'] },
    { body: invoice({ issueDate: '21/11/26' }), failures: ['issueDate date'] },
    { body: invoice({ issueDate: 20261121 }), failures: ['issueDate type'] },
    { body: invoice({ buyer: undefined }), failures: ['buyer required'] },
    { body: invoice({ buyer: null }), failures: ['buyer required'] },
    { body: invoice({ buyer: [] }), failures: ['buyer type'] },
    { body: invoice({ buyer: 'x' }), failures: ['buyer type'] },
    { body: buyer({ idType: undefined }), failures: ['buyer.idType required'] },
    { body: buyer({ idType: '5' }), failures: ['buyer.idType catalog'] },
    { body: buyer({ idType: 5 }), failures: ['buyer.idType type'] },
    { body: buyer({ id: '' }), failures: ['buyer.id minLength'] },
    { body: buyer({ id: 'X'.repeat(21) }), failures: ['buyer.id maxLength'] },
    { body: buyer({ name: undefined }), failures: ['buyer.name required'] },
    { body: buyer({ name: ' \n ' }), failures: ['buyer.name minLength'] },
    { body: buyer({ name: 'x'.repeat(301) }), failures: ['buyer.name maxLength'] },
    { body: buyer({ name: `${'x'.repeat(299)}😀` }), failures: ['buyer.name maxLength'] },
    { body: buyer({ name: '😀'.repeat(151) }), failures: ['buyer.name maxLength'] },
    { body: buyer({ name: 'a\0b' }), failures: ['buyer.name text'] },
    { body: buyer({ name: '\ud83d' }), failures: ['buyer.name text'] },
    { body: buyer({ name: '\ufffe' }), failures: ['buyer.name text'] },
    { body: buyer({ email: undefined }), failures: ['buyer.email required'] },
    { body: buyer({ address: 'x'.repeat(301) }), failures: ['buyer.address maxLength'] },
    { body: buyer({ address: 7 }), failures: ['buyer.address type'] },
    { body: invoice({ guiaRemision: '1-2-3' }), failures: ['guiaRemision pattern'] },
    { body: invoice({ items: undefined }), failures: ['items required'] },
    { body: invoice({ items: {} }), failures: ['items type'] },
    { body: invoice({ items: [] }), failures: ['items minItems'] },
    { body: invoice({ items: Array(1001).fill(ITEM) }), failures: ['items maxItems'] },
    { body: invoice({ items: [null] }), failures: ['items[0] required'] },
    { body: invoice({ items: [[]] }), failures: ['items[0] type'] },
    { body: item({ mainCode: undefined }), failures: ['items[0].mainCode required'] },
    { body: item({ mainCode: 'x'.repeat(26) }), failures: ['items[0].mainCode maxLength'] },
    { body: item({ auxCode: 'x'.repeat(26) }), failures: ['items[0].auxCode maxLength'] },
    { body: item({ description: undefined }), failures: ['items[0].description required'] },
    { body: item({ description: 'x'.repeat(301) }), failures: ['items[0].description maxLength'] },
    { body: item({ quantity: undefined }), failures: ['items[0].quantity required'] },
    { body: item({ quantity: 2 }), failures: ['items[0].quantity decimal'] },
    { body: item({ quantity: '2.0000001' }), failures: ['items[0].quantity decimal'] },
    { body: item({ unitPrice: '-1' }), failures: ['items[0].unitPrice decimal'] },
    { body: item({ unitPrice: '1e3' }), failures: ['items[0].unitPrice decimal'] },
    { body: item({ unitPrice: '1'.repeat(13) }), failures: ['items[0].unitPrice decimal'] },
    { body: item({ discount: '0.001' }), failures: ['items[0].discount decimal'] },
    { body: item({ discount: '15.01' }), failures: ['items[0].discount discount'] },
    { body: item({ taxes: undefined }), failures: ['items[0].taxes required'] },
    { body: item({ taxes: [] }), failures: ['items[0].taxes minItems'] },
    { body: item({ taxes: Array(11).fill(TAX) }), failures: ['items[0].taxes maxItems'] },
    {
      body: item({ additionalDetails: Array(4).fill({ name: 'a', value: 'b' }) }),
      failures: ['items[0].additionalDetails maxItems'],
    },
    {
      body: item({ additionalDetails: [{ name: '', value: 'b' }] }),
      failures: ['items[0].additionalDetails[0].name minLength'],
    },
    { body: item({ additionalDetails: [{ name: 'a' }] }), failures: ['items[0].additionalDetails[0].value required'] },
    { body: item({ additionalDetails: 'x' }), failures: ['items[0].additionalDetails type'] },
    { body: tax({ code: '4' }), failures: ['items[0].taxes[0].code catalog'] },
    { body: tax({ rateCode: '99' }), failures: ['items[0].taxes[0].rateCode catalog'] },
    { body: tax({ rateCode: '3011' }), failures: ['items[0].taxes[0].rateCode catalog'] },
    { body: tax({ rateCode: 'x' }), failures: ['items[0].taxes[0].rateCode pattern'] },
    { body: tax({ rate: '15%' }), failures: ['items[0].taxes[0].rate decimal'] },
    { body: tax({ rate: 15 }), failures: ['items[0].taxes[0].rate decimal'] },
    { body: tax({ rate: '123.45' }), failures: ['items[0].taxes[0].rate decimal'] },
    { body: tax({ rate: undefined }), failures: ['items[0].taxes[0].rate required'] },
    { body: tax({ taxableBase: undefined }), failures: ['items[0].taxes[0].taxableBase required'] },
    { body: tax({ taxAmount: null }), failures: ['items[0].taxes[0].taxAmount required'] },
    { body: tax({ taxAmount: '2.175' }), failures: ['items[0].taxes[0].taxAmount decimal'] },
    { body: invoice({ tip: '-1' }), failures: ['tip decimal'] },
    { body: invoice({ payments: undefined }), failures: ['payments required'] },
    { body: invoice({ payments: [] }), failures: ['payments minItems'] },
    { body: invoice({ payments: Array(51).fill({ method: '20', total: '1' }) }), failures: ['payments maxItems'] },
    { body: payment({ method: '02' }), failures: ['payments[0].method catalog'] },
    { body: payment({ method: undefined }), failures: ['payments[0].method required'] },
    { body: payment({ total: undefined }), failures: ['payments[0].total required'] },
    { body: payment({ total: 'x' }), failures: ['payments[0].total decimal'] },
    { body: payment({ term: '30' }), failures: ['payments[0].term type'] },
    { body: payment({ term: -1 }), failures: ['payments[0].term range'] },
    { body: payment({ term: 0.001 }), failures: ['payments[0].term range'] },
    { body: payment({ term: 1e21 }), failures: ['payments[0].term range'] },
    { body: payment({ term: Number.NaN }), failures: ['payments[0].term type'] },
    { body: payment({ termUnit: 'lustros' }), failures: ['payments[0].termUnit catalog'] },
    {
      body: invoice({ additionalInfo: Array(16).fill({ name: 'a', value: 'b' }) }),
      failures: ['additionalInfo maxItems'],
    },
    { body: invoice({ additionalInfo: [{ name: 'a', value: '' }] }), failures: ['additionalInfo[0].value minLength'] },
    { body: invoice({ additionalInfo: {} }), failures: ['additionalInfo type'] },
    { body: original({ issueDate: '22/11/2026' }), failures: ['originalDocument.issueDate notLater'] },
    { body: creditNote({ originalDocument: undefined }), failures: ['originalDocument required'] },
    { body: original({ documentType: '99' }), failures: ['originalDocument.documentType catalog'] },
    { body: original({ number: '001001000000123' }), failures: ['originalDocument.number pattern'] },
    { body: original({ number: undefined }), failures: ['originalDocument.number required'] },
    { body: original({ issueDate: '02-11-2026' }), failures: ['originalDocument.issueDate date'] },
    { body: original({ issueDate: '31/12/1999' }), failures: ['originalDocument.issueDate date'] },
    { body: creditNote({ motivo: undefined }), failures: ['motivo required'] },
    { body: creditNote({ motivo: 'x'.repeat(301) }), failures: ['motivo maxLength'] },
    {
      body: creditNote({ buyer: { ...SAMPLE_INVOICE.buyer, idType: '07', id: '9999999999999' } }),
      failures: ['buyer.idType finalConsumer'],
    },
  ])('a rejected body has $failures', ({ body, failures }) => {
    expect(failuresOf(body)).toEqual(failures);
  });

  it.each([
    'plain',
    '@b.ec',
    'a@',
    'a@b',
    'a@b.e',
    'a b@c.ec',
    'a@b..ec',
    '.a@b.ec',
    'a.@b.ec',
    'a..b@c.ec',
    '"a b"@c.ec',
    'a(x)@b.ec',
    'a@b.ec\r\nBcc: x@y.ec',
    'a@b.ec\n',
    ' a@b.ec',
    'A <a@b.ec>',
    'a@b.ec,c@d.ec',
    'a@-b.ec',
    'a@b-.ec',
    'a@[127.0.0.1]',
    'ñ@b.ec',
    `${'a'.repeat(65)}@b.ec`,
    `a@${'b'.repeat(64)}.ec`,
    `a@${'b.'.repeat(130)}ec`,
    '',
  ])('rejects an invalid e-mail, such as %j', (email) => {
    expect(failuresOf(buyer({ email }))).toEqual(['buyer.email email']);
  });

  it.each([
    'a@b.ec',
    "o'x+tag@sub.example.com.ec",
    `${'a'.repeat(64)}@b.ec`,
    'A.B@EXAMPLE.COM',
    'a@xn--bcher-kva.example',
  ])('accepts the e-mail %s', (email) => {
    expect(failuresOf(buyer({ email }))).toEqual([]);
  });

  it('reports an unknown rate next to the other failures of its line', () => {
    const failures = failuresOf(tax({ rateCode: '99', taxAmount: undefined }));
    expect(failures).toEqual(['items[0].taxes[0].taxAmount required', 'items[0].taxes[0].rateCode catalog']);
  });

  it('reports all failures at once, in any part, in the order of the body', () => {
    const body = {
      documentType: '04',
      issueDate: '20/11/2026',
      buyer: { idType: '07', id: '9999999999999', name: '', email: 'x' },
      items: [
        { ...ITEM, discount: '99' },
        { quantity: 1, taxes: [{ code: '2' }] },
        { ...ITEM, taxes: [{ ...TAX, rateCode: '99' }] },
      ],
      additionalInfo: [{}],
    };
    expect(failuresOf(body).toSorted()).toEqual(
      [
        'additionalInfo[0].name required',
        'additionalInfo[0].value required',
        'buyer.email email',
        'buyer.idType finalConsumer',
        'buyer.name minLength',
        'issueDate today',
        'items[0].discount discount',
        'items[1].description required',
        'items[1].mainCode required',
        'items[1].quantity decimal',
        'items[1].taxes[0].rate required',
        'items[1].taxes[0].rateCode required',
        'items[1].taxes[0].taxAmount required',
        'items[1].taxes[0].taxableBase required',
        'items[1].unitPrice required',
        'items[2].taxes[0].rateCode catalog',
        'motivo required',
        'originalDocument required',
      ].toSorted(),
    );
  });

  it('reports the common parts even without a valid document type', () => {
    expect(failuresOf({ issueDate: '20/11/2026', buyer: { name: 7 } })).toEqual([
      'documentType required',
      'buyer.idType required',
      'buyer.id required',
      'buyer.name type',
      'buyer.email required',
      'items required',
      'issueDate today',
    ]);
  });

  it(`reports up to ${MAX_FINDINGS} failures`, () => {
    expect(failuresOf(invoice({ items: Array(1000).fill({}) }))).toHaveLength(MAX_FINDINGS);
  });

  it('never shows the submitted value of a rejected body', () => {
    const secret = 'S3CR3T-VALUE';
    const body = invoice({
      issueDate: secret,
      buyer: { idType: secret, id: secret.repeat(9), name: `${secret}\0`, email: secret },
      guiaRemision: secret,
      items: [{ ...ITEM, quantity: secret, taxes: [{ ...TAX, code: secret, rate: secret }] }],
      payments: [{ method: secret, termUnit: secret }],
    });
    for (const language of ['es', 'en'] as const) {
      try {
        prepareDocument(body, { ...CONTEXT, language });
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
        if (error instanceof ValidationError)
          expect(JSON.stringify(error.failures) + error.message).not.toContain('S3CR3T');
      }
    }
  });

  it('reports a sum that exceeds the schemas', () => {
    const huge = { ...ITEM, quantity: '999999999999', unitPrice: '2', discount: '0' };
    expect(failuresOf(invoice({ items: [huge] }))).toEqual(['items[0] maxAmount']);
    const large = { ...huge, unitPrice: '0.6' };
    expect(failuresOf(invoice({ items: [large, large] }))).toEqual(['items maxAmount']);
    expect(failuresOf(creditNote({ items: [large, large] }))).toEqual(['items maxAmount']);
    const given = { ...large, discount: '599999999999.40' };
    expect(failuresOf(invoice({ items: [given, given] }))).toEqual(['items maxAmount']);
    const zero = { ...TAX, rateCode: '0', rate: '0', taxableBase: '999999999999.99', taxAmount: '0' };
    const untaxed = { ...ITEM, taxes: [zero] };
    expect(failuresOf(invoice({ items: [untaxed, untaxed] }))).toEqual(['items maxAmount']);
    const most = { ...untaxed, quantity: '1', unitPrice: '999999999999.99', discount: '0' };
    expect(failuresOf(invoice({ items: [most], tip: '0' }))).toEqual([]);
    expect(failuresOf(invoice({ tip: '999999999999.99' }))).toEqual(['tip maxAmount']);
    const taxed = { ...ITEM, taxes: [{ ...TAX, taxAmount: '999999999999.99' }] };
    expect(failuresOf(invoice({ items: [taxed] }))).toEqual(['items maxAmount']);
  });

  it('names the field of a failure with and without positions', () => {
    try {
      prepareDocument(tax({ rate: 'x' }), CONTEXT);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        failures: [
          {
            field: 'items[0].taxes[0].rate',
            rule: 'decimal',
            code: 'items.taxes.rate',
            message: 'Debe ser un número de hasta 2 decimales, como texto: "1.00".',
            params: { decimals: 2 },
          },
        ],
      });
    }
  });
});

describe('the issue date', () => {
  it('the issue date stays the same in a rebuild, whether the body names today or the old date', () => {
    const again = { ...CONTEXT, keepIssueDate: '2026-11-19' };
    for (const issueDate of ['21/11/2026', '19/11/2026', undefined]) {
      expect(prepareDocument(invoice({ issueDate }), again).issueDate).toBe('2026-11-19');
    }
    expect(failuresOf(invoice({ issueDate: '20/11/2026' }), { keepIssueDate: '2026-11-19' })).toEqual([
      'issueDate today',
    ]);
  });
});

describe('RUC Proveedor', () => {
  const softwareProviderRuc = '1791234561001';
  const info = (body: unknown) => prepareDocument(body, { ...CONTEXT, softwareProviderRuc }).additionalInfo;

  it('the RUC of the provider follows the pairs of the body', () => {
    expect(info(SAMPLE_INVOICE)).toEqual([
      { name: 'Vendedor', value: 'J. Pérez' },
      { name: 'RUC Proveedor', value: softwareProviderRuc },
    ]);
    expect(info(creditNote({ additionalInfo: undefined }))).toEqual([
      { name: 'RUC Proveedor', value: softwareProviderRuc },
    ]);
  });

  it('the RUC of the provider leaves a pair of that exact name unchanged', () => {
    const own = [{ name: 'RUC Proveedor', value: '0190123456001' }];
    expect(info(invoice({ additionalInfo: own }))).toEqual(own);
    expect(info(invoice({ additionalInfo: [{ name: 'Ruc proveedor', value: 'x' }] }))).toHaveLength(2);
  });

  it('the pair of the provider counts among the 15', () => {
    const full = invoice({ additionalInfo: Array(15).fill({ name: 'a', value: 'b' }) });
    expect(failuresOf(full)).toEqual([]);
    expect(failuresOf(full, { softwareProviderRuc })).toEqual(['additionalInfo maxItems']);
  });

  it('the provider needs a valid RUC', () => {
    expect(failuresOf(SAMPLE_INVOICE, { softwareProviderRuc: '<x>' })).toEqual(['softwareProviderRuc pattern']);
  });
});

describe('a shape', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('a shape checks without code from texts where the process forbids it', () => {
    vi.stubGlobal('Function', () => {
      throw new EvalError('Code generation from strings disallowed for this context');
    });
    const shape = createShape(issuerSchema);
    expect(shape.fits(shape.copy(SAMPLE_ISSUER))).toBe(true);
    const wrong = shape.copy({ ...SAMPLE_ISSUER, ruc: '1' });
    expect(shape.fits(wrong)).toBe(false);
    expect([...shape.faults(wrong)].map(({ field, fault }) => [field, fault.rule])).toEqual([['ruc', 'pattern']]);
  });
});
