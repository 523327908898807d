import fc from 'fast-check';
import { DOCUMENT_TYPES, DOCUMENTS, formatDecimal, MONEY_SCALE, parseDecimal, prepareDocument } from 'sri-core';
import { describe, expect, it } from 'vitest';

type Draft = Record<string, unknown>;
interface Original {
  readonly type: string;
  readonly number: string;
  readonly issueDate: string;
  readonly authorizationNumber: string | null;
  readonly body: Draft;
  readonly issuer: { readonly branchAddress: string } | null;
}

interface Form {
  readonly fields: readonly unknown[];
  readonly sums?: (draft: Draft) => { readonly total: bigint } | null;
}

const load = async (name: string) => import(new URL(`../../console/${name}`, import.meta.url).href);
/** The modules as the console's pages load them. */
const { DOCUMENT_FORMS, newBody, toDocumentBody } = (await load('document-forms.js')) as {
  DOCUMENT_FORMS: Readonly<Record<string, Form>>;
  newBody: (type: string, original: Original | null) => Draft;
  toDocumentBody: (type: string, draft: Draft) => Draft | null;
};
const { hiddenParts, openDraft } = (await load('form-body.js')) as {
  hiddenParts: (fields: readonly unknown[], body: Draft) => readonly string[];
  openDraft: (fields: readonly unknown[], body: Draft) => Draft;
};

/** What the form sends when one opens a body and changes nothing. */
const unchanged = (type: string, body: Draft) =>
  toDocumentBody(type, openDraft(DOCUMENT_FORMS[type]?.fields ?? [], body));

const ISSUER = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};

const PARTY = { idType: '05', id: '1710034065', name: 'María', email: 'maria@example.com' };
const SUBJECT = { subject: { ...PARTY, email: 'maria@example.com' } };
const FIFTEEN = { rateCode: '4', rate: '15' };
const RATES = [FIFTEEN, { rateCode: '0', rate: '0' }, { rateCode: '5', rate: '5' }];
const TRANSPORT = {
  carrier: { ...PARTY, email: '' },
  licensePlate: 'ABC0123',
  departureAddress: 'Quito',
  startDate: '21/11/2026',
  endDate: '22/11/2026',
};
/** The document that another is made on. */
const ORIGINAL = {
  number: '001-001-000000001',
  issueDate: '20/11/2026',
  authorizationNumber: '2011202601179001167400120010010000001231234567811',
  issuer: { branchAddress: 'Guayaquil' },
};
/** A purchase of 100.00 and what is withheld of it, as one types it. */
const PURCHASE = {
  ...SUBJECT,
  supportingDocuments: [
    {
      supportCode: '01',
      documentType: '01',
      number: '001-001-000000123',
      issueDate: '18/11/2026',
      taxes: [{ code: '2', ...FIFTEEN, taxableBase: '100' }],
      withholdings: [
        { tax: '1', code: '312', taxableBase: '100', rate: '1,75' },
        { tax: '2', code: '1', taxableBase: '15,00', rate: '30' },
      ],
      payments: [{ method: '20' }],
    },
  ],
};

/** The body as the server reads it. */
const prepared = (body: unknown) => prepareDocument(body, { issuer: ISSUER, today: '2026-11-21' });
const types = DOCUMENT_TYPES.filter((type) => type in DOCUMENT_FORMS);
const bodiesOf = (type: string) => DOCUMENTS[type as keyof typeof DOCUMENTS].examples as unknown as readonly Draft[];
/** Delivery guides have no total. */
const totalOf = (document: object): bigint =>
  'total' in document ? parseDecimal(String(document.total), MONEY_SCALE) : 0n;
const draftOf = (type: string, body: Draft) => openDraft(DOCUMENT_FORMS[type]?.fields ?? [], body);
const shownTotal = (type: string, draft: Draft) =>
  DOCUMENT_FORMS[type]?.sums ? DOCUMENT_FORMS[type].sums(draft)?.total : 0n;
/** Types the missing values into the fields of a draft, entry by entry. */
function fillIn(draft: unknown, typed: unknown): Draft {
  if (typeof typed !== 'object' || typed === null) return typed as Draft;
  const filled = Object.entries(typed).map(([name, value]) => [
    name,
    fillIn((draft as Draft | undefined)?.[name], value),
  ]);
  if (Array.isArray(typed)) return filled.map(([, value]) => value) as unknown as Draft;
  return { ...(draft as Draft | undefined), ...Object.fromEntries(filled) };
}

/** A decimal as it is typed here, with a comma or a point. */
const amounts = (max: number) =>
  fc
    .tuple(fc.integer({ min: 1, max }), fc.constantFrom(',', '.'))
    .map(([value, point]) => formatDecimal(BigInt(value), 2).replace('.', point));
const payments = fc.constant([{ method: '01' }]);
const lines = fc
  .record({
    mainCode: fc.constantFrom('A', 'B-2'),
    description: fc.constantFrom('Café', 'Transporte'),
    quantity: amounts(100_000),
    unitPrice: amounts(1_000_000).map((price) => `1${price}`),
    discount: fc.constantFrom('', '0,01'),
    unitOfMeasure: fc.constantFrom('', 'kg'),
    auxiliaryCode: fc.constantFrom('', 'X-1'),
    rate: fc.constantFrom(...RATES),
  })
  .map(({ rate, ...line }) => ({ ...line, ...rate }));
const supports = fc
  .record({
    taxes: fc.array(fc.record({ taxableBase: amounts(10_000_000), rate: fc.constantFrom(...RATES) }), {
      minLength: 1,
      maxLength: 3,
    }),
    rates: fc.array(fc.constantFrom('1', '1,75', '2', '0.2', '10'), { minLength: 1, maxLength: 4 }),
    base: amounts(100_000),
  })
  .map(({ taxes, rates, base }) => ({
    ...PURCHASE.supportingDocuments[0],
    taxes: taxes.map(({ taxableBase, rate }) => ({ code: '2', ...rate, taxableBase })),
    withholdings: rates.map((rate) => ({ tax: '1', code: '346', taxableBase: base, rate })),
  }));
/** What one may type in the form of a type. */
const typedBodies: Readonly<Record<string, fc.Arbitrary<Draft>>> = {
  '03': fc.record({ supplier: fc.constant(PARTY), items: fc.array(lines, { minLength: 1, maxLength: 6 }), payments }),
  '05': fc.record({
    buyer: fc.constant(PARTY),
    originalDocument: fc.constant({ documentType: '01', number: '001-001-000000001', issueDate: '20/11/2026' }),
    reasons: fc.array(
      fc
        .record({
          reason: fc.constantFrom('Interés', 'Embalaje'),
          amount: amounts(10_000_000),
          rate: fc.constantFrom(...RATES),
        })
        .map(({ rate, ...reason }) => ({ ...reason, ...rate })),
      { minLength: 1, maxLength: 6 },
    ),
    payments,
  }),
  '07': fc.record({
    subject: fc.constant(PARTY),
    supportingDocuments: fc.array(supports, { minLength: 1, maxLength: 3 }),
  }),
};

const examples = types.flatMap((type) =>
  DOCUMENTS[type].examples.map((body, index) => ({ type, index, body: body as unknown as Draft })),
);

describe('the forms of the console', () => {
  it('exist for every type of document', () => {
    expect(Object.keys(DOCUMENT_FORMS).toSorted()).toEqual([...DOCUMENT_TYPES]);
  });

  it.each(examples)('keep the whole body of example $index of $type', ({ type, body }) => {
    const sent = unchanged(type, body);
    expect(prepared(sent)).toEqual(prepared(body));
    // A form that holds what it sent sends the same.
    expect(unchanged(type, sent as Draft)).toEqual(sent);
  });

  it.each(examples)('show the total of example $index of $type that the server computes', ({ type, body }) => {
    expect(shownTotal(type, draftOf(type, body))).toBe(totalOf(prepared(body)));
  });

  it.each(examples)('copy example $index of $type without its date', ({ type, body }) => {
    const copy = newBody(type, { ...ORIGINAL, type, body });
    expect({ ...body, ...copy }).toEqual(body);
    expect(copy).not.toHaveProperty('issueDate');
    expect(copy).not.toHaveProperty('fiscalPeriod');
  });

  it('name what they keep without showing it', () => {
    const kept = examples.flatMap(({ type, body }) => hiddenParts(DOCUMENT_FORMS[type]?.fields ?? [], body));
    expect([...new Set(kept)].toSorted()).toEqual(['version', 'withholdings']);
  });

  it.each([
    { from: '01', to: '04', typed: { motivo: 'Devolución' } },
    {
      from: '01',
      to: '05',
      typed: { reasons: [{ reason: 'Interés', amount: '1,5', ...FIFTEEN }], payments: [{ method: '01' }] },
    },
    {
      from: '01',
      to: '06',
      typed: { ...TRANSPORT, recipients: [{ address: 'Quito', reason: 'Venta' }] },
    },
    {
      from: '03',
      to: '07',
      typed: {
        supportingDocuments: [
          { supportCode: '02', withholdings: [{ tax: '2', code: '3', taxableBase: '1', rate: '100' }] },
        ],
      },
    },
  ])('create a valid $to on each $from, once the rest is typed', ({ from, to, typed }) => {
    for (const body of bodiesOf(from)) {
      const draft = draftOf(to, newBody(to, { ...ORIGINAL, type: from, body }));
      const sent = toDocumentBody(to, fillIn(draft, { ...typed, ...(to === '07' ? SUBJECT : {}) }));
      expect(prepared(sent)).toMatchObject({ documentType: to });
    }
  });

  it('create the same withholding as on paper', () => {
    const sent = toDocumentBody('07', draftOf('07', PURCHASE)) as { supportingDocuments: readonly Draft[] };
    expect(sent.supportingDocuments).toMatchObject([
      {
        withholdings: [{ amount: '1.75' }, { amount: '4.50' }],
        payments: [{ method: '20', total: '115.00' }],
      },
    ]);
  });

  it('send no document with an amount that is missing', () => {
    for (const type of ['01', '03', '04', '05', '07']) expect(toDocumentBody(type, draftOf(type, {}))).toBeNull();
  });

  it.each(Object.keys(typedBodies))('send a valid body of %s for whatever is typed, with the total shown', (type) => {
    fc.assert(
      fc.property(typedBodies[type] as fc.Arbitrary<Draft>, (typed) => {
        const draft = fillIn(draftOf(type, {}), typed);
        const sent = toDocumentBody(type, draft);
        const document = prepared(sent);
        expect(shownTotal(type, draft)).toBe(totalOf(document));
        expect(document.warnings.filter(({ code }) => code.endsWith('MISMATCH'))).toEqual([]);
        expect(unchanged(type, sent as Draft)).toEqual(sent);
      }),
      { numRuns: 200 },
    );
  });
});
