import { describe, expect, it } from 'vitest';
import { findRefusal, findWarnings } from '../../sri/rules/content.js';
import { CONTEXT, failuresOf, submissionOf, write } from '../../testing/judged-bodies.js';
import { expectSound, pagesOf, textsOf } from '../../testing/ride-picture.js';
import { SAMPLE_ISSUER } from '../../testing/sample-bodies.js';
import { child, children, childText, readXml } from '../../xml/reader.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { WITHHOLDING_EXAMPLE, WITHHOLDING_EXAMPLES } from './examples.js';

const [DOCUMENT] = WITHHOLDING_EXAMPLE.supportingDocuments;
const [INCOME, IVA] = DOCUMENT.withholdings;
const [, ABROAD, DIVIDEND, BANANAS, REIMBURSEMENT] = WITHHOLDING_EXAMPLES;
const ENTRY = REIMBURSEMENT?.supportingDocuments[1]?.reimbursements?.[0];
const PAYMENT = ABROAD?.supportingDocuments[0]?.payment;
const AT = 'supportingDocuments[0]';

const body = (change: object) => ({ ...WITHHOLDING_EXAMPLE, ...change });
const subject = (change: object) => body({ subject: { ...WITHHOLDING_EXAMPLE.subject, ...change } });
const document = (change: object, more: object = {}) =>
  body({ ...more, supportingDocuments: [{ ...DOCUMENT, ...change }] });
const withheld = (change: object, more: object = {}) =>
  document({ withholdings: [{ ...INCOME, amount: undefined, ...change }] }, more);
const iva = (change: object) => document({ withholdings: [{ ...IVA, amount: undefined, ...change }] });
const abroad = (change: object, more: object = {}) => document({ payment: { ...PAYMENT, ...change } }, more);
const old = { version: '1.0.0' } as const;

const warningsOf = (input: unknown) =>
  prepareDocument(input, CONTEXT).warnings.map(({ field, code }) => `${field} ${code}`);

describe('a rejected withholding', () => {
  it.each([
    { name: 'without documents', input: body({ supportingDocuments: [] }), failures: ['supportingDocuments minItems'] },
    { name: 'in another version', input: body({ version: '1.1.0' }), failures: ['version oneOf'] },
    { name: 'for an unnamed consumer', input: subject({ idType: '07' }), failures: ['subject.idType oneOf'] },
    {
      name: 'without the mail of its subject',
      input: subject({ email: undefined }),
      failures: ['subject.email required'],
    },
    {
      name: 'for a foreign subject without kind',
      input: subject({ idType: '08', id: 'X-1' }),
      failures: ['subject.kind required'],
    },
    {
      name: 'for a local subject with kind',
      input: subject({ kind: '02' }),
      failures: ['subject.kind foreignSubject'],
    },
    {
      name: 'for another kind',
      input: subject({ idType: '08', id: 'X-1', kind: '03' }),
      failures: ['subject.kind oneOf'],
    },
    {
      name: 'with a relation that is text',
      input: subject({ relatedParty: 'SI' }),
      failures: ['subject.relatedParty type'],
    },
    { name: 'for a thirteenth month', input: body({ fiscalPeriod: '13/2026' }), failures: ['fiscalPeriod pattern'] },
    {
      name: 'in a tax haven, whose code is of another table',
      input: abroad({ country: '068', regime: '02' }),
      failures: [],
    },
    {
      name: 'in Ecuador with the facts of a payment abroad',
      input: abroad({ location: '01' }),
      failures: ['regime', 'country', 'treaty', 'subjectToWithholding', 'taxHaven'].map(
        (field) => `${AT}.payment.${field} paymentAbroad`,
      ),
    },
  ])('validates a withholding $name', ({ input, failures }) => {
    expect(failuresOf(input)).toEqual(failures);
  });

  it.each([
    { name: 'with an unknown support code', input: document({ supportCode: '16' }), failures: ['supportCode catalog'] },
    { name: 'on an unknown type', input: document({ documentType: '99' }), failures: ['documentType catalog'] },
    { name: 'on a number of 15 digits', input: document({ number: '001001000000123' }), failures: ['number pattern'] },
    { name: 'on a document without number', input: document({ number: undefined }), failures: ['number required'] },
    { name: 'on a later document', input: document({ issueDate: '22/11/2026' }), failures: ['issueDate notLater'] },
    {
      name: 'on an authorization of nine digits',
      input: document({ authorizationNumber: '123456789' }),
      failures: ['authorizationNumber pattern'],
    },
    { name: 'without payments', input: document({ payments: undefined }), failures: ['payments required'] },
    { name: 'with no payment', input: document({ payments: [] }), failures: ['payments minItems'] },
    {
      name: 'with two payments, one without total',
      input: document({ payments: [{ method: '20', total: '100.00' }, { method: '01' }] }),
      failures: ['payments[1].total required'],
    },
    {
      name: 'with an unknown payment',
      input: document({ payments: [{ method: '02' }] }),
      failures: ['payments[0].method catalog'],
    },
    { name: 'without taxes', input: document({ taxes: [] }), failures: ['taxes minItems'] },
    {
      name: 'with a tax of four digits',
      input: document({ taxes: [{ code: '2', rateCode: '4', rate: '15.25', taxableBase: '100.00' }] }),
      failures: ['taxes[0].rate digits'],
    },
    {
      name: 'with a rate code of no table',
      input: document({ taxes: [{ code: '2', rateCode: '9', rate: '15', taxableBase: '100.00', taxAmount: '15.00' }] }),
      failures: ['taxes[0].rateCode catalog'],
    },
    {
      name: 'with IRBPNR alone and no subtotal',
      input: document({
        subtotal: undefined,
        taxes: [{ code: '5', rateCode: '5001', taxableBase: '10' }],
        withholdings: [{ ...INCOME, taxableBase: '0', amount: '0' }],
        total: undefined,
        payments: [{ method: '20' }],
      }),
      failures: ['subtotal required'],
    },
    { name: 'without withholdings', input: document({ withholdings: [] }), failures: ['withholdings minItems'] },
    { name: 'of another tax', input: withheld({ tax: '3' }), failures: ['withholdings[0].tax catalog'] },
    {
      name: 'with a code of six characters',
      input: withheld({ code: '312-00' }),
      failures: ['withholdings[0].code maxLength'],
    },
    { name: 'at 13.25 %', input: withheld({ rate: '13.25' }), failures: ['withholdings[0].rate digits'] },
    { name: 'at 1000 %', input: withheld({ rate: '1000' }), failures: ['withholdings[0].rate digits'] },
    ...['721', '723', '725', '727', '729', '731'].map((code) => ({
      name: `of IVA with ${code}, a box of form 104`,
      input: iva({ code }),
      failures: ['withholdings[0].code form104Code'],
    })),
    {
      name: 'of more than a schema holds',
      input: withheld({ taxableBase: '999999999999.99', rate: '999' }),
      failures: ['withholdings[0].taxableBase maxAmount'],
    },
    { name: 'abroad without regime', input: abroad({ regime: undefined }), failures: ['payment.regime required'] },
    { name: 'abroad without country', input: abroad({ country: undefined }), failures: ['payment.country required'] },
    {
      name: 'abroad with the code of a tax haven in the general regime',
      input: abroad({ country: '068' }),
      failures: ['payment.country catalog'],
    },
    { name: 'abroad in no country', input: abroad({ country: '999' }), failures: ['payment.country catalog'] },
    {
      name: 'abroad in Ecuador, in a preferential regime',
      input: abroad({ country: '593', regime: '03' }),
      failures: ['payment.country countryAbroad'],
    },
    {
      name: 'abroad without a word on treaties',
      input: abroad({ treaty: undefined }),
      failures: ['payment.treaty required'],
    },
    {
      name: 'abroad without a treaty and a word on its law',
      input: abroad({ subjectToWithholding: undefined }),
      failures: ['payment.subjectToWithholding required'],
    },
    {
      name: 'abroad with a treaty and a word on its law',
      input: abroad({ treaty: true }),
      failures: ['payment.subjectToWithholding withoutTreaty'],
    },
    {
      name: 'on a reimbursement without its documents',
      input: document({ documentType: '41' }),
      failures: ['reimbursements required'],
    },
    {
      name: 'on an invoice with reimbursed documents',
      input: document({ reimbursements: [ENTRY] }),
      failures: ['reimbursements reimbursingType'],
    },
    {
      name: 'on a reimbursed type of three digits, later than the withholding, at a rate with decimals',
      input: document({
        documentType: '41',
        reimbursements: [
          {
            ...ENTRY,
            documentType: '344',
            issueDate: '22/11/2026',
            taxes: [{ code: '3', rateCode: '3610', rate: '12.5', taxableBase: '8' }],
          },
        ],
      }),
      failures: [
        'reimbursements[0].issueDate notLater',
        'reimbursements[0].documentType reimbursedType',
        'reimbursements[0].taxes[0].rate wholeRate',
      ],
    },
    {
      name: 'on a dividend without its facts',
      input: document({ supportCode: '10', documentType: '19' }),
      failures: ['withholdings[0].dividend required'],
    },
    {
      name: 'on a purchase with a dividend',
      input: withheld({ dividend: DIVIDEND?.supportingDocuments[0]?.withholdings[0]?.dividend }),
      failures: ['withholdings[0].dividend dividendSupport'],
    },
    ...['338', '340', '341', '342', '342A', '342B'].map((code) => ({
      name: `on bananas ${code} without their boxes`,
      input: withheld({ code }),
      failures: ['withholdings[0].bananas required'],
    })),
    {
      name: 'on goods with boxes of bananas',
      input: withheld({ bananas: { boxes: '1', boxPrice: '1' } }),
      failures: ['withholdings[0].bananas bananaCode'],
    },
    {
      name: 'on eight digits of boxes',
      input: withheld({ code: '338', bananas: { boxes: '12345678', boxPrice: '-1' } }),
      failures: ['withholdings[0].bananas.boxes pattern', 'withholdings[0].bananas.boxPrice decimal'],
    },
    {
      name: '1.0.0: a type of three digits',
      input: document({ documentType: '344' }, old),
      failures: ['documentType onlyVersion2'],
    },
    {
      name: '1.0.0: reimbursements',
      input: document({ documentType: '41', reimbursements: [ENTRY] }, old),
      failures: ['reimbursements onlyVersion2'],
    },
    { name: '1.0.0: a payment abroad', input: abroad({}, old), failures: ['payment.location onlyVersion2'] },
    { name: '1.0.0: a dividend', input: { ...DIVIDEND, ...old }, failures: ['withholdings[0].dividend onlyVersion2'] },
    { name: '1.0.0: bananas', input: { ...BANANAS, ...old }, failures: ['withholdings[0].bananas onlyVersion2'] },
  ])('rejects a withholding $name', ({ input, failures }) => {
    expect(failuresOf(input)).toEqual(failures.map((failure) => `${AT}.${failure}`));
  });

  it('rejects a special taxpayer number that schema 2.0.0 does not hold', () => {
    const issuer = { ...SAMPLE_ISSUER, specialTaxpayer: '123456' };
    expect(failuresOf(WITHHOLDING_EXAMPLE, { issuer })).toEqual(['issuer.specialTaxpayer specialTaxpayerLength']);
    expect(failuresOf(body(old), { issuer })).toEqual([]);
  });

  it.each(['41', '47', '48'])('accepts reimbursed documents on a supporting document of type %s', (documentType) => {
    expect(failuresOf(document({ documentType, reimbursements: [ENTRY] }))).toEqual([]);
  });

  it('reports every fault of a withholding at once, also in a body of the wrong shape', () => {
    const broken = {
      ...document({
        issueDate: '22/11/2026',
        number: 7,
        payment: { location: '01', treaty: true },
        withholdings: [{ ...IVA, code: '725' }, { tax: '9' }],
        payments: [{ method: '20' }, { method: '20' }],
      }),
      issueDate: '20/11/2026',
      subject: { ...WITHHOLDING_EXAMPLE.subject, kind: '01' },
    };
    expect(failuresOf(broken)).toEqual([
      `${AT}.number type`,
      `${AT}.withholdings[1].tax catalog`,
      `${AT}.withholdings[1].code required`,
      `${AT}.withholdings[1].taxableBase required`,
      `${AT}.withholdings[1].rate required`,
      'issueDate today',
      'subject.kind foreignSubject',
      `${AT}.issueDate notLater`,
      `${AT}.payment.treaty paymentAbroad`,
      `${AT}.withholdings[0].code form104Code`,
      `${AT}.payments[0].total required`,
      `${AT}.payments[1].total required`,
    ]);
  });

  it.each([
    { rate: '30.00', words: 'use: 1.' },
    { rate: '70', words: 'use: 2.' },
    { rate: '0', words: 'use: 7, 8.' },
    { rate: '12', words: 'use: 9 (10 %), 10 (20 %), 1 (30 %), 11 (50 %), 2 (70 %), 3 (100 %), 7 (0 %), 8 (0 %).' },
  ])('names the code of table 20 with $rate % in the message', ({ rate, words }) => {
    expect(() => prepareDocument(iva({ code: '725', rate }), CONTEXT)).toThrow(words);
  });
});

describe('the warnings of a withholding', () => {
  const OLD_IVA = { code: '2', rateCode: '2', rate: '12', taxableBase: '100.00' };
  /** Warnings that strict checking lets pass: a code of the table, or a number of another country. */
  const UNCERTAIN = /WITHHOLDING_(RATE_MISMATCH|CODE_UNKNOWN)|LOCAL_ID_AS_FOREIGN|TAX_REPEATED|SUPPORT_CODE_MISMATCH/;

  it.each([
    { name: 'nothing when sums are left out', input: withheld({}), warnings: [] },
    { name: 'no amount a cent off', input: withheld({ amount: '2.01' }), warnings: [] },
    {
      name: 'an amount two cents off',
      input: withheld({ amount: '2.02' }),
      warnings: [`${AT}.withholdings[0].amount WITHHOLDING_AMOUNT_MISMATCH`],
    },
    { name: 'no percentage of today on an older document', input: document({ issueDate: '27/02/2026' }), warnings: [] },
    {
      name: 'a percentage of before',
      input: withheld({ rate: '1.75' }),
      warnings: [`${AT}.withholdings[0].rate WITHHOLDING_RATE_MISMATCH`],
    },
    {
      name: 'a closed code',
      input: withheld({ code: '344' }),
      warnings: [`${AT}.withholdings[0].code WITHHOLDING_CODE_UNKNOWN`],
    },
    {
      name: 'a code in small letters',
      input: withheld({ code: '303a' }),
      warnings: [`${AT}.withholdings[0].code WITHHOLDING_CODE_UNKNOWN`],
    },
    {
      name: 'a code of income tax for IVA',
      input: iva({ code: '312' }),
      warnings: [`${AT}.withholdings[0].code WITHHOLDING_CODE_UNKNOWN`],
    },
    { name: 'no code of two percentages at either', input: withheld({ code: '310', rate: '0' }), warnings: [] },
    {
      name: 'a code of two percentages at another',
      input: withheld({ code: '310', rate: '2' }),
      warnings: [`${AT}.withholdings[0].rate WITHHOLDING_RATE_MISMATCH`],
    },
    { name: 'no variable percentage', input: withheld({ code: '346', rate: '8' }), warnings: [] },
    {
      name: 'a base of IVA above the IVA',
      input: iva({ taxableBase: '100.00' }),
      warnings: [`${AT}.withholdings[0].taxableBase WITHHOLDING_BASE_LIMIT`],
    },
    {
      name: 'no bases of income tax a cent above the document',
      input: document({ withholdings: [INCOME, { ...INCOME, taxableBase: '0.01', amount: '0' }] }),
      warnings: [],
    },
    {
      name: 'bases of income tax above the document, once',
      input: document({ withholdings: [INCOME, ...Array(2).fill({ ...INCOME, taxableBase: '0.02', amount: '0' })] }),
      warnings: [`${AT}.withholdings[1].taxableBase WITHHOLDING_BASE_LIMIT`],
    },
    {
      name: 'no invoice that occurs once for each tax',
      input: body({ supportingDocuments: [INCOME, IVA].map((one) => ({ ...DOCUMENT, withholdings: [one] })) }),
      warnings: [],
    },
    {
      name: 'a type that does not support the use',
      input: document({ documentType: '02' }),
      warnings: [`${AT}.documentType SUPPORT_CODE_MISMATCH`],
    },
    {
      name: 'a wrong subtotal',
      input: document({ subtotal: '99.98' }),
      warnings: [
        `${AT}.subtotal SUM_MISMATCH`,
        `${AT}.total SUM_MISMATCH`,
        `${AT}.withholdings[0].taxableBase WITHHOLDING_BASE_LIMIT`,
      ],
    },
    {
      name: 'a wrong total',
      input: document({ total: '115.02' }),
      warnings: [`${AT}.total SUM_MISMATCH`, `${AT}.payments PAYMENTS_MISMATCH`],
    },
    {
      name: 'payments that do not add up',
      input: document({ payments: [{ method: '20', total: '114.00' }] }),
      warnings: [`${AT}.payments PAYMENTS_MISMATCH`],
    },
    {
      name: 'a tax that is not base × rate',
      input: document({
        taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '100.00', taxAmount: '16.00' }],
        total: '116.00',
        payments: [{ method: '20' }],
      }),
      warnings: [`${AT}.taxes[0].taxAmount TAX_MISMATCH`],
    },
    {
      name: 'no ICE that is not base × rate',
      input: document({
        taxes: [
          { code: '2', rateCode: '4', rate: '15', taxableBase: '100.00' },
          { code: '3', rateCode: '3610', rate: '20', taxableBase: '100.00', taxAmount: '5.00' },
        ],
        subtotal: null,
        total: null,
        withholdings: [{ ...INCOME, taxableBase: '95.00', amount: '1.90' }],
        payments: [{ method: '20' }],
      }),
      warnings: [],
    },
    {
      name: 'a tax that occurs twice',
      input: document({
        taxes: [OLD_IVA, OLD_IVA].map((tax) => ({ ...tax, rateCode: '4', rate: '15' })),
        subtotal: null,
        total: null,
        payments: [{ method: '20' }],
      }),
      warnings: [`${AT}.taxes[1].rateCode TAX_REPEATED`],
    },
    {
      name: 'an old rate of an invoice',
      input: document({ taxes: [OLD_IVA], total: null, withholdings: [INCOME], payments: [{ method: '20' }] }),
      warnings: [`${AT}.taxes[0].rateCode TAX_RATE_MISMATCH`],
    },
    {
      name: 'a local number as foreign',
      input: subject({ idType: '08', id: '1790011674001', kind: '02' }),
      warnings: ['subject.id LOCAL_ID_AS_FOREIGN'],
    },
    { name: 'no registration after the issue', input: document({ registrationDate: '28/11/2026' }), warnings: [] },
    { name: 'a misspelt field', input: document({ suportCode: '01' }), warnings: [`${AT}.suportCode UNKNOWN_FIELD`] },
    {
      name: 'a self-withholding on the invoice of another',
      input: withheld({ code: '3481', rate: '1.75' }),
      warnings: [
        'subject.id SELF_WITHHOLDING_MISMATCH',
        `${AT}.documentType SELF_WITHHOLDING_MISMATCH`,
        `${AT}.supportCode SELF_WITHHOLDING_MISMATCH`,
      ],
    },
  ])('warns about $name', ({ input, warnings }) => {
    expect(warningsOf(input)).toEqual(warnings);
    const refused = warnings.filter((warning) => !UNCERTAIN.test(warning));
    if (refused.length > 0) expect(failuresOf(input, { strict: true })).toHaveLength(refused.length);
    else expect(prepareDocument(input, { ...CONTEXT, strict: true }).warnings).toHaveLength(warnings.length);
  });

  it('warns about an invoice that is withheld from twice, and accepts it in strict checking', () => {
    const input = body({ supportingDocuments: [DOCUMENT, DOCUMENT] });
    const warnings = [0, 1].map(
      (at) => `supportingDocuments[1].withholdings[${at}].taxableBase WITHHOLDING_BASE_LIMIT`,
    );
    expect(warningsOf(input)).toEqual(warnings);
    expect(prepareDocument(input, { ...CONTEXT, strict: true }).warnings).toHaveLength(2);
    expect(warningsOf(body({ supportingDocuments: [DOCUMENT, { ...DOCUMENT, supportCode: '06' }] }))).toEqual([]);

    // Its second part alone has more than the invoice.
    const part = { ...DOCUMENT, withholdings: [INCOME, { ...INCOME, taxableBase: '0.02', amount: '0' }] };
    const again = body({ supportingDocuments: [DOCUMENT, part] });
    expect(failuresOf(again, { strict: true })).toEqual([
      'supportingDocuments[1].withholdings[1].taxableBase withholdingBaseLimit',
    ]);
  });

  it.each(['04', '05', '23', '24', '47', '48', '51', '52'])(
    'warns about no old rate of a note of type %s',
    (documentType) => {
      const noted = {
        documentType,
        taxes: [OLD_IVA],
        total: null,
        withholdings: [INCOME],
        payments: [{ method: '20' }],
      };
      expect(warningsOf(document(noted)).join()).not.toContain('TAX_RATE_MISMATCH');
    },
  );
});

describe('the sums of a supporting document', () => {
  it('the subtotal of a supporting document leaves out ICE, which the base of IVA includes', () => {
    const xml = write(
      document({
        subtotal: undefined,
        total: undefined,
        taxes: [
          { code: '3', rateCode: '3610', rate: '20', taxableBase: '100.00' },
          { code: '2', rateCode: '4', taxableBase: '120.00' },
        ],
        payments: [{ method: '20' }],
      }),
    );
    expect(xml).toContain('<totalSinImpuestos>100.00</totalSinImpuestos><importeTotal>138.00</importeTotal>');
    expect(xml).toContain('<total>138.00</total>');
  });

  it('a subtotal of zero is computed from ICE as large as the bases of IVA, and required above it', () => {
    const taxed = (ice: string, subtotal?: string) =>
      document({
        subtotal,
        total: undefined,
        taxes: [
          { code: '2', rateCode: '4', taxableBase: '100.00' },
          { code: '3', rateCode: '3610', rate: '20', taxableBase: '500.00', taxAmount: ice },
        ],
        withholdings: [{ ...IVA, amount: undefined }],
        payments: [{ method: '20' }],
      });
    expect(write(taxed('100.00'))).toContain('<totalSinImpuestos>0.00</totalSinImpuestos>');
    expect(failuresOf(taxed('100.01'))).toEqual([`${AT}.subtotal required`]);
    expect(warningsOf(taxed('100.01', '5.00'))).toEqual([]);
  });

  it('the amount withheld is rounded half up', () => {
    expect(write(withheld({ taxableBase: '12.25', rate: '10' }))).toContain('<valorRetenido>1.23</valorRetenido>');
    const whole = '<porcentajeRetener>100</porcentajeRetener><valorRetenido>12.25</valorRetenido>';
    expect(write(withheld({ taxableBase: '12.25', rate: '100' }))).toContain(whole);
  });
});

describe('a self-withholding', () => {
  const own = {
    ...document({
      supportCode: '12',
      documentType: '42',
      number: undefined,
      authorizationNumber: undefined,
      withholdings: [{ tax: '1', code: '3481', taxableBase: '100.00', rate: '1.75' }],
    }),
    subject: { ...WITHHOLDING_EXAMPLE.subject, id: SAMPLE_ISSUER.ruc },
  };

  it('a self-withholding takes its own number, whatever its body says', () => {
    const withNumber = {
      ...own,
      supportingDocuments: [{ ...own.supportingDocuments[0], number: '009-009-000000009' }],
    };
    for (const input of [own, withNumber]) {
      expect(failuresOf(input)).toEqual([]);
      expect(write(input)).toContain('<numDocSustento>001001000000007</numDocSustento>');
    }
  });

  it('a self-withholding leaves another document its number', () => {
    const xml = write(withheld({ code: '3481', rate: '1.75' }));
    expect(xml).toContain('<numDocSustento>001001000000123</numDocSustento>');
  });

  it('a self-withholding has its own number in schema 1.0.0 too', () => {
    expect(write({ ...own, ...old })).toContain('<numDocSustento>001001000000007</numDocSustento>');
  });
});

describe("the SRI's checks", () => {
  const xml = write(WITHHOLDING_EXAMPLE);
  const oldXml = write(body(old));
  const settlement = write(document({ documentType: '03' }));

  function judge(text: string, known = true) {
    const submission = submissionOf(text);
    const context = { knows: () => known };
    return [findRefusal(submission, context), ...findWarnings(submission, context)].flatMap((message) =>
      message ? [`${message.identifier} ${message.additionalInfo ?? ''}`] : [],
    );
  }

  const WRONG_AMOUNT = {
    from: '<valorRetenido>4.50',
    to: '<valorRetenido>4.52',
    says: 'El valor retenido del documento de sustento 001001000000123, código 1, 4.52 debe ser igual al calculado 4.50',
  };

  it.each([
    { name: 'nothing', from: '', to: '', says: null },
    { name: 'nothing in 1.0.0', from: '', to: '', text: oldXml, says: null },
    { name: 'an amount that is not base × percentage', ...WRONG_AMOUNT },
    { name: 'the same in 1.0.0', ...WRONG_AMOUNT, text: oldXml },
    { name: 'a wrong total', from: '<importeTotal>115.00', to: '<importeTotal>116.00', says: 'El importe total' },
    { name: 'a wrong tax', from: '<valorImpuesto>15.00', to: '<valorImpuesto>12.00', says: 'El valor del impuesto' },
    {
      name: 'a foreign subject without its kind',
      from: 'SujetoRetenido>04<',
      to: 'SujetoRetenido>08<',
      says: '52 \n\n--- Inventario de errores ---\n\n- Comprobante de Retención:\n\tEl tipo de sujeto retenido es obligatorio',
    },
    { name: 'no kind in 1.0.0', from: 'SujetoRetenido>04<', to: 'SujetoRetenido>08<', text: oldXml, says: null },
    { name: 'an unknown type', from: '<codDocSustento>01', to: '<codDocSustento>99', says: '64 codDocSustento: 99' },
    {
      name: 'an unknown type in 1.0.0',
      from: '<codDocSustento>01',
      to: '<codDocSustento>99',
      text: oldXml,
      says: '64',
    },
    {
      name: 'a wrong check digit',
      from: '>04</tipoIdentificacionSujetoRetenido><parteRel>NO</parteRel><razonSocialSujetoRetenido>Suministros Andinos S.A.</razonSocialSujetoRetenido><identificacionSujetoRetenido>1790011674001',
      to: '>05</tipoIdentificacionSujetoRetenido><parteRel>NO</parteRel><razonSocialSujetoRetenido>Suministros Andinos S.A.</razonSocialSujetoRetenido><identificacionSujetoRetenido>1710034064',
      says: '62',
    },
  ])('the SRI’s checks find $name', ({ from, to, text = xml, says }) => {
    const changed = text.replace(from, to);
    if (says === null) expect(judge(changed)).toEqual([]);
    else {
      expect(changed).not.toBe(text);
      expect(judge(changed).join('\n')).toContain(says);
    }
  });

  it('the SRI’s checks accept ICE by unit, and a withholding of schema 1.0.0 without its type of document', () => {
    const ice = { code: '3', rateCode: '3011', rate: '0.16', taxableBase: '100.00', taxAmount: '40.00' };
    const taxed = document({ taxes: [ice], subtotal: '100.00', total: '140.00', payments: [{ method: '20' }] });
    expect(judge(write(taxed))).toEqual([]);
    expect(judge(write(body(old)).replace(/<codDocSustento>[^<]*<\/codDocSustento>/g, ''))).toEqual([]);
  });

  it('the SRI’s checks find reimbursement totals that do not add up', () => {
    const text = write(REIMBURSEMENT).replace('Reembolso>115.00', 'Reembolso>116.00');
    expect(judge(text).join()).toContain('El total de los comprobantes de reembolso del documento de sustento');
  });

  it('the SRI’s checks find totals that agree with each other and not with the reimbursed documents', () => {
    const text = write(REIMBURSEMENT)
      .replace('Reembolso>115.00', 'Reembolso>1115.00')
      .replace('<totalBaseImponibleReembolso>100.00', '<totalBaseImponibleReembolso>1100.00');
    expect(text).toContain('Reembolso>1100.00');
    expect(judge(text).join()).toContain('El total de la base imponible de reembolso del documento de sustento');
  });

  it('the SRI’s checks warn of a purchase settlement that this issuer did not make', () => {
    expect(judge(settlement, false)).toEqual(['68 001-001-000000123']);
    expect(judge(xml, false)).toEqual([]);
  });
});

describe('schema 1.0.0', () => {
  it('writes each withholding in schema 1.0.0 with its document, and no field of 2.0.0', () => {
    const root = readXml(
      write({ ...REIMBURSEMENT, ...old, supportingDocuments: REIMBURSEMENT?.supportingDocuments.slice(0, 1) }),
    );
    expect(root.attributes['version']).toBe('1.0.0');
    expect(child(root, 'docsSustento')).toBeNull();
    expect(childText(child(root, 'infoCompRetencion'), 'parteRel')).toBeNull();
    const impuestos = children(child(root, 'impuestos'), 'impuesto');
    expect(impuestos.map((each) => each.children.map(({ text }) => text))).toEqual([
      ['1', '303A', '300.00', '5.00', '15.00', '01', '001001000000124', '18/11/2026'],
      ['2', '2', '45.00', '70.00', '31.50', '01', '001001000000124', '18/11/2026'],
    ]);
  });
});

it('reads the place of a payment as it was written', () => {
  const [written] = ABROAD?.supportingDocuments ?? [];
  expect(readComprobante(write(ABROAD))).toMatchObject({ supportingDocuments: [{ payment: written?.payment }] });
});

describe('the RIDE', () => {
  it('the RIDE spreads 60 supporting documents over several pages, each with the headings and the whole number', () => {
    const supportingDocuments = Array.from({ length: 60 }, (_, index) => ({
      ...DOCUMENT,
      number: `001-001-${String(index + 1).padStart(9, '0')}`,
    }));
    const pages = pagesOf(write(body({ supportingDocuments })));
    expectSound(pages);
    expect(pages.length).toBeGreaterThan(1);
    const texts = pages.map(textsOf);
    for (const page of texts) expect(page).toContain('Comprobante');
    for (const page of texts.slice(1)) expect(page.join(' ')).toContain('No. 001-001-000000007');
    const numbers = texts.flat().filter((text) => /^001-001-0000000[0-6]\d$/.test(text));
    expect(new Set(numbers).size).toBe(60);
    expect(texts.flat().filter((text) => text === 'TOTAL RETENIDO')).toHaveLength(1);
    expect(texts.at(-1)).toContain('390.00');
  });
});
