import fc from 'fast-check';
import { DOCUMENT_TYPES, DOCUMENTS, formatDecimal, prepareDocument } from 'sri-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fillSums } from '../documents/fill-sums.js';
import { invoices } from '../testing/random-invoices.js';

type Draft = Readonly<Record<string, unknown>>;
interface Form {
  readonly fields: readonly { readonly name: string }[];
  readonly on: Readonly<Record<string, { readonly open: (original: object) => Draft }>>;
}

const load = async (name: string) => import(new URL(`../../console/src/forms/${name}`, import.meta.url).href);
/** The modules as the console's pages have them: they need no browser. */
const { FORMS, newBody, findForm } = (await load('forms.ts')) as {
  FORMS: Readonly<Record<string, Form>>;
  newBody: (form: Form, original: object | null, corrects?: boolean) => Draft;
  findForm: (type: string) => Form | null;
};
const { isAmbiguous, openDraft, pickRow, plain, readBody } = (await load('form.ts')) as {
  isAmbiguous: (text: string) => boolean;
  openDraft: (fields: Form['fields'], body: Draft) => Draft;
  pickRow: (list: object, line: Draft, row: Draft) => Draft;
  plain: (text: string) => string;
  readBody: (fields: Form['fields'], draft: Draft, catalogs: object) => Draft;
};

type Fill = (row: Draft) => Draft;
interface Inner {
  readonly name: string;
  readonly fill?: Fill;
  readonly fields?: readonly Inner[];
}
/** The filling function of a field inside the named parent field. */
function fillOf(fields: readonly Inner[], inside: string, name: string): Fill | undefined {
  const inner = fields
    .flatMap((each) => [each, ...(each.fields ?? [])])
    .flatMap((each) => [each, ...(each.fields ?? [])]);
  return inner.find((each) => each.name === inside)?.fields?.find((each) => each.name === name)?.fill;
}

interface TaxTotal {
  readonly code: string;
  readonly rateCode: string;
  readonly taxableBase: bigint;
  readonly taxAmount: bigint;
}

interface Earlier {
  suggestParties(text: string): Promise<readonly Draft[]>;
  suggestItems(text: string): Promise<readonly Draft[]>;
  pickParty(accessKey: string): Promise<Draft>;
  pickItem(key: string): Draft;
  learn(body: Draft): void;
}

const ISSUER = {
  ruc: '1790012345001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
const BUYER = { idType: '05', id: '1710034065', name: 'María', email: 'maria@example.com' };
const IVA = { code: '2', rateCode: '4', rate: '15.00' };
/** Ten per cent of the value; two cents a bottle. */
const ICE = { code: '3', rateCode: '3092', rate: '10.00' };
const BOTTLES = { code: '5', rateCode: '5001', rate: '0.02' };
/** The catalog entries that the form needs, with the basis of each tax. */
const CATALOGS = {
  'tax-rates': [
    { taxCode: '3', rateCode: '3092', rate: '10', basis: 'value' },
    { taxCode: '5', rateCode: '5001', rate: '0.02', basis: 'unit' },
    { taxCode: '3', rateCode: '3610', rate: null, basis: 'mixed' },
    { taxCode: '3', rateCode: '3680', rate: null, basis: 'unit' },
  ],
};

const prepared = (body: unknown) => prepareDocument(body, { issuer: ISSUER, today: '2026-11-21' });
const formOf = (type: string) => FORMS[type] ?? expect.fail(`console/src/forms/forms.ts has no form for ${type}`);
/** The body that a form sends for a draft, with the sums that the server fills in. */
const sent = (type: string, draft: Draft) =>
  fillSums({ ...readBody(formOf(type).fields, draft, CATALOGS), documentType: type }, 'es', '2026-11-21');
const draftOf = (type: string, body: Draft) => openDraft(formOf(type).fields, body);
const examples = DOCUMENT_TYPES.flatMap((type) =>
  (DOCUMENTS[type].examples as unknown as readonly Draft[]).map((body, place) => ({ type, place, body })),
);

describe('the form of every type', () => {
  it.each(examples)('the form of $type sends its example $place unchanged', ({ type, body }) => {
    const filled = fillSums(body, 'es', '2026-11-21') as Draft;
    expect(prepared(sent(type, draftOf(type, filled)))).toEqual(prepared(filled));
    // As typed, without sums.
    expect(prepared(sent(type, draftOf(type, body)))).toEqual(prepared(filled));
  });

  it.each(DOCUMENT_TYPES)('the form of %s starts with its defaults', (type) => {
    const draft = draftOf(type, newBody(formOf(type), null));
    expect(JSON.stringify(draft)).not.toContain('undefined');
    expect(readBody(formOf(type).fields, draft, CATALOGS)).toBeTypeOf('object');
  });
});

it('the copy of an invoice has neither its delivery guide number nor its refund', () => {
  const body = { buyer: BUYER, guiaRemision: '001-001-000000009', ivaRefund: '1.50' };
  expect(newBody(formOf('01'), { type: '01', body })).toEqual({ buyer: BUYER });
  // The copy has no days of transport, which are over.
  const days = { startDate: '20/11/2026', endDate: '21/11/2026' };
  const moved = { buyer: BUYER, deliveryGuide: { licensePlate: 'PBA1234', destinations: [{}], ...days } };
  expect(newBody(formOf('01'), { type: '01', body: moved })).toEqual({
    buyer: BUYER,
    deliveryGuide: { licensePlate: 'PBA1234', destinations: [{}] },
  });
  expect(newBody(formOf('01'), { type: '01', body: moved }, true)).toEqual(moved);
});

it('the copy of a document names the documents of the original only if the original is voided', () => {
  const named = { number: '001-001-000000123', issueDate: '18/11/2026', authorizationNumber: '1123456789' };
  const { authorizationNumber: _, ...modified } = named;
  const cases = [
    ['01', { reimbursements: [{ ...named, documentType: '01' }] }, { reimbursements: [{ documentType: '01' }] }],
    ['03', { reimbursements: [{ ...named, documentType: '01' }] }, { reimbursements: [{ documentType: '01' }] }],
    ['04', { originalDocument: { ...modified, documentType: '01' } }, { originalDocument: { documentType: '01' } }],
    ['05', { originalDocument: { ...modified, documentType: '01' } }, { originalDocument: { documentType: '01' } }],
    [
      '06',
      { recipients: [{ id: '1', supportingDocument: named, customsDocument: '028' }] },
      { recipients: [{ id: '1' }] },
    ],
    [
      '07',
      {
        supportingDocuments: [{ ...named, supportCode: '01', registrationDate: '19/11/2026', reimbursements: [named] }],
      },
      { supportingDocuments: [{ supportCode: '01', reimbursements: [{}] }] },
    ],
  ] as const;
  for (const [type, body, copied] of cases) {
    expect(newBody(formOf(type), { type, body }), type).toEqual(copied);
    expect(newBody(formOf(type), { type, body, status: 'VOIDED' }), type).toEqual(body);
    expect(newBody(formOf(type), { type, body }, true), type).toEqual(body);
  }
});

it('the correction of a document keeps everything except its day', () => {
  const body = { buyer: BUYER, guiaRemision: '001-001-000000009', issueDate: '20/11/2026' };
  const { issueDate: _, ...rest } = body;
  expect(newBody(formOf('01'), { type: '01', body }, true)).toEqual(rest);
});

it('three digits after a separator may be decimals or thousands', () => {
  const texts = ['1,234', '1.234', ' 12,500 ', '0.125', '1234', '1234.567', '1,23', '1.2345', '1.234,50', ''];
  expect(texts.filter(isAmbiguous)).toEqual(['1,234', '1.234', ' 12,500 ']);
});

it('the last of two separators separates the decimals', () => {
  const texts = ['1.234,56', '1,234.56', ' 1.234.567,8 ', '12,50', '1,234', '12.5,3', '1.234.567', '1,2,3'];
  const read = ['1234.56', '1234.56', '1234567.8', '12.50', '1.234', '12.5.3', '1.234.567', '1.2,3'];
  expect(texts.map(plain)).toEqual(read);
});

it('findForm accepts no name that every object has', () => {
  expect(findForm('constructor')).toBeNull();
});

it('a suggested line replaces the row whole, except for quantity and discount, within the fields of its list', () => {
  const lists = ['01', '06'].map((type) => {
    const named = (fields: readonly object[]) =>
      fields.find((field) => 'completes' in field && field.completes === 'item');
    const { recipients, ...rest } = Object.fromEntries(formOf(type).fields.map((field) => [field.name, field]));
    return named((recipients as Form | undefined)?.fields ?? Object.values(rest)) ?? {};
  });
  const [lines = {}, goods = {}] = lists;
  const line = {
    mainCode: 'P',
    description: 'Pan',
    unitPrice: '1.00',
    taxes: [{ code: '2', rateCode: '0', rate: '0' }],
  };
  const row = { quantity: '3', discount: '0.10', auxiliaryCode: 'X', unitOfMeasure: 'kilo', unsubsidizedPrice: '9' };
  const picked = pickRow(lines, line, row);
  expect(picked).toMatchObject({ quantity: '3', discount: '0.10', unitPrice: '1.00', rateCode: '0', rate: '0' });
  expect(Object.keys(row).filter((name) => picked[name] !== undefined)).toEqual(['quantity', 'discount']);
  expect(JSON.parse(JSON.stringify(pickRow(goods, line, { quantity: '3' })))).toEqual({
    ...{ mainCode: 'P', description: 'Pan' },
    quantity: '3',
  });
  // Goods of a delivery guide have no tax; their line has the usual one.
  expect(pickRow(lines, { mainCode: 'P', description: 'Pan' }, row)).toMatchObject({ rateCode: '4', rate: '15' });
});

it('reads thirteen digits as a RUC and ten as a cédula, also in a pasted cell with a blank', () => {
  const [buyer] = formOf('01').fields as unknown as readonly { fields: readonly { name: string; fill: unknown }[] }[];
  const fill = buyer?.fields.find(({ name }) => name === 'id')?.fill as (row: Draft) => Draft;
  expect(fill({ idType: '05', id: '1790012345001 ' })).toEqual({ idType: '04' });
  expect(fill({ idType: '04', id: '\t1710034065' })).toEqual({ idType: '05' });
  expect(fill({ idType: '05', id: '17100340' })).toEqual({ idType: '05' });
  expect(fill({ idType: '06', id: '1710034065' })).toEqual({});
});

it.each(['incoterm', 'subtotalIncoterm'])('the %s of an export is in capital letters', (name) => {
  expect(fillOf(formOf('01').fields, 'export', name)?.({ [name]: 'fob' })).toEqual({ [name]: 'FOB' });
});

it('goods of a delivery guide may have a serial number', () => {
  const { recipients } = Object.fromEntries(formOf('06').fields.map((field) => [field.name, field]));
  const goods = (recipients as Form | undefined)?.fields.find(({ name }) => name === 'items') as Form | undefined;
  expect(goods?.fields.map(({ name }) => name)).toContain('additionalDetails');
});

it.each(['04', '05'])('a note %s shows the IVA that the SRI returned, and its copy has none', (type) => {
  const fields = formOf(type).fields as readonly { fields?: readonly { name: string }[] }[];
  expect(fields.flatMap((field) => field.fields ?? []).map(({ name }) => name)).toContain('ivaRefund');
  const original = { type, body: { buyer: BUYER, ivaRefund: '1.50' } };
  expect(newBody(formOf(type), original)).toEqual({ buyer: BUYER });
  expect(newBody(formOf(type), original, true)).toEqual(original.body);
});

it('a withholding has the country of its regime if it is paid abroad, otherwise none', () => {
  const countryOf = (payment: Draft) => {
    const draft = draftOf('07', { supportingDocuments: [{ payment }] });
    const [support] = readBody(formOf('07').fields, draft, CATALOGS)['supportingDocuments'] as {
      payment?: { country?: string };
    }[];
    return support?.payment?.country;
  };
  expect(countryOf({ location: '02', regime: '01', country: '118' })).toBe('118');
  expect(countryOf({ location: '02', regime: '02', country: '068' })).toBe('068');
  expect(countryOf({ location: '01', country: '068' })).toBeUndefined();
});

describe('a credit note on an invoice', () => {
  const invoice = fillSums({
    documentType: '01',
    buyer: BUYER,
    items: [{ mainCode: 'A', description: 'Gaseosa', quantity: '10', unitPrice: '5', taxes: [ICE, BOTTLES, IVA] }],
    payments: [{ method: '01' }],
    tip: '1.00',
  }) as Draft;
  const original = { type: '01', number: '001-001-000000001', issueDate: '20/11/2026', body: invoice };
  const open = () => ({ ...draftOf('04', newBody(formOf('04'), original)), motivo: 'Devolución' });
  /** A row after another quantity was typed into it. */
  const count = (row: Draft, quantity: string): Draft => ({
    ...row,
    quantity,
    ...fillOf(formOf('04').fields, 'items', 'quantity')?.({ ...row, quantity }),
  });
  const change = (draft: Draft, quantity: string) => ({
    ...draft,
    items: (draft['items'] as Draft[]).map((row) => count(row, quantity)),
  });

  it('a credit note has every tax of the line, to the cent', () => {
    const note = sent('04', open()) as { items: { taxes: unknown }[] };
    expect(note.items[0]?.taxes).toEqual((invoice as { items?: { taxes: unknown }[] }).items?.[0]?.taxes);
  });

  it('a credit note copies every line of any invoice, and credits everything except the tip', () => {
    fc.assert(
      fc.property(invoices, (body) => {
        const filled = withoutNulls(fillSums(body)) as Draft;
        const draft = { ...draftOf('04', newBody(formOf('04'), { ...original, body: filled })), motivo: 'x' };
        const note = sent('04', draft);
        expect((note as Draft)['items']).toEqual(filled['items']);
        const [whole, credited] = [prepared(filled), prepared(note)] as { total: string; taxTotals: unknown }[];
        expect(credited?.taxTotals).toEqual(whole?.taxTotals);
        expect(Number(credited?.total)).toBeCloseTo(Number(whole?.total) - Number(body.tip ?? 0), 6);
      }),
      { numRuns: 200 },
    );
  });

  it('a credit note credits the paid amount without the IVA that the SRI returned', () => {
    const refunded = { ...invoice, tip: '0', ivaRefund: '1.50' };
    const draft = { ...draftOf('04', newBody(formOf('04'), { ...original, body: refunded })), motivo: 'x' };
    expect(prepared(sent('04', draft))).toMatchObject({ total: (prepared(refunded) as { total: string }).total });
  });

  it('a partial credit note keeps every tax of a line, with bases that the server accepts', () => {
    const partial = fc.integer({ min: 1, max: 100_000 }).map((value) => (value / 100).toFixed(2));
    fc.assert(
      fc.property(invoices, partial, (body, quantity) => {
        // A discount may exceed a partial line, which the user must notice. So lines here have none.
        const plain = { ...body, items: body.items.map((item) => ({ ...item, discount: null })) };
        const filled = fillSums(plain) as Draft;
        const draft = draftOf('04', newBody(formOf('04'), { ...original, body: filled }));
        const note = prepared(sent('04', { ...change(draft, quantity), motivo: 'x' }));
        const doubts = note.warnings.filter(({ code }) => code === 'LINE_BASE_MISMATCH' || code === 'TAX_MISMATCH');
        expect(doubts.filter(({ field }) => !isOfSeveralIva(filled, field))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('half of a line credits half of its ICE and of its bottles', () => {
    const note = sent('04', change(open(), '5,0'));
    expect(note).toMatchObject({
      items: [
        {
          quantity: '5.0',
          taxes: [
            { code: '3', taxableBase: '25.00', taxAmount: '2.50' },
            { code: '5', taxableBase: '5.00', taxAmount: '0.10' },
            { code: '2', taxableBase: '27.50', taxAmount: '4.13' },
          ],
        },
      ],
    });
    expect(prepared(note).warnings).toEqual([]);
  });

  it.each([
    { tax: { rateCode: '3610', rate: '3.58', taxableBase: '40.00', taxAmount: '8.00' }, half: ['20.00', '4.00'] },
    { tax: { rateCode: '3680', rate: '0.10', taxableBase: '10.00', taxAmount: '1.00' }, half: ['5.00', '0.50'] },
  ])('scales tax $tax.rateCode on the screen and in the body, and keeps a typed value', ({ tax, half }) => {
    const taxes = [{ code: '3', ...tax }, IVA];
    const body = { ...invoice, items: [{ ...(invoice as { items?: object[] }).items?.[0], taxes }] };
    const note = { ...draftOf('04', newBody(formOf('04'), { ...original, body: fillSums(body) })), motivo: 'x' };
    // A quantity is typed digit by digit.
    const halved = change(change(change(note, ''), 'x'), '5');
    const [taxableBase, taxAmount] = half;
    expect(halved).toMatchObject({ items: [{ others: [{ taxableBase, taxAmount }] }] });
    expect(sent('04', halved)).toMatchObject({ items: [{ taxes: [{ taxableBase, taxAmount }, { code: '2' }] }] });
    const [row] = halved.items as [Draft];
    const [other] = row['others'] as [Draft];
    const typed = { ...other, taxableBase: '7.00', ...fillOf(formOf('04').fields, 'others', 'taxableBase')?.({}) };
    expect(change({ ...halved, items: [{ ...row, others: [typed] }] }, '4')).toMatchObject({
      items: [{ others: [{ taxableBase: '7.00', taxAmount }] }],
    });
  });

  it('a new quantity drops the given total of a line', () => {
    const tax = { ...IVA, taxableBase: '20.00', taxAmount: '3.00' };
    const fuel = {
      mainCode: 'A',
      description: 'Ecopaís',
      quantity: '7.35',
      unitPrice: '2.72',
      total: '20.00',
      taxes: [tax],
    };
    const draft = {
      ...draftOf('04', newBody(formOf('04'), { ...original, body: { ...invoice, items: [fuel] } })),
      motivo: 'x',
    };
    expect(sent('04', draft)).toMatchObject({ items: [fuel] });
    expect(sent('04', change(draft, '3.5'))).toMatchObject({
      items: [{ quantity: '3.5', taxes: [{ taxableBase: '9.52', taxAmount: '1.43' }] }],
    });
  });
});

describe('withholdings', () => {
  interface Nested {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly fill?: unknown }[];
  }
  const form = FORMS['07'] as unknown as { fields: { name: string; fields?: Nested[] }[] };
  const documents = form.fields.find(({ name }) => name === 'supportingDocuments');
  const withholdings = (documents?.fields ?? []).find(({ name }) => name === 'withholdings') as Nested;
  const fill = (name: string) =>
    withholdings.fields.find((field) => field.name === name)?.fill as (
      row: Draft,
      document: Draft,
      catalogs: object,
    ) => Draft;

  it.each([
    { tax: '1', base: '130.43' },
    { tax: '2', base: '19.56' },
    { tax: '6', base: '' },
  ])('a withholding of tax $tax suggests the base $base', ({ tax, base }) => {
    const document = { taxes: [{ code: '2', rate: '15', taxableBase: '130,43' }] };
    expect(fill('tax')({ tax }, document, {})).toMatchObject({ taxableBase: base, code: '' });
  });

  it('a withholding of IVA suggests no base without the amount', () => {
    const document = { taxes: [{ code: '2', rateCode: '4', taxableBase: '100.00' }] };
    expect(fill('tax')({ tax: '2' }, document, {})).toMatchObject({ taxableBase: '' });
    expect(fill('tax')({ tax: '1' }, document, {})).toMatchObject({ taxableBase: '100.00' });
  });

  it('a withholding of income tax suggests a base without ICE', () => {
    const ice = { code: '3', rate: '10', taxableBase: '100', taxAmount: '10,00' };
    const document = { taxes: [{ code: '2', rate: '15', taxableBase: '110' }, ice] };
    expect(fill('tax')({ tax: '1' }, document, {})).toMatchObject({ taxableBase: '100.00' });
  });

  it.each(examples.filter(({ type }) => type === '03'))(
    'a withholding on the settlement $place has its taxes and reimbursements',
    ({ body }) => {
      // A program may post the body without its sums. Its XML has them.
      const { taxTotals } = prepared(body) as unknown as { readonly taxTotals: readonly TaxTotal[] };
      const taxes = taxTotals.map(({ code, rateCode, taxableBase, taxAmount }) => {
        return { code, rateCode, taxableBase: formatDecimal(taxableBase, 2), taxAmount: formatDecimal(taxAmount, 2) };
      });
      const original = { type: '03', number: '001-001-000000001', issueDate: '21/11/2026', body, taxes };
      const draft = draftOf('07', newBody(formOf('07'), { ...original, authorizationNumber: '1'.repeat(49) }));
      const [row] = draft['supportingDocuments'] as Draft[];
      const withholding = { tax: '1', code: '312', rate: '1.75', taxableBase: '1.00' };
      const supportingDocuments = [{ ...row, withholdings: [withholding] }];
      const reimbursements = (body['reimbursements'] ?? []) as object[];
      expect(prepared(sent('07', { ...draft, subject: BUYER, supportingDocuments }))).toMatchObject({
        supportingDocuments: [
          {
            documentType: reimbursements.length > 0 ? '41' : '03',
            taxes: taxTotals,
            reimbursements: reimbursements.map(() => ({})),
          },
        ],
      });
    },
  );

  it('a withholding takes the percentage of its code, also in small letters', () => {
    const catalogs = { 'withholding-codes': [{ code: '303A', tax: '1', rate: '3', description: '' }] };
    expect(fill('code')({ tax: '1', code: '303a' }, { taxes: [] }, catalogs)).toMatchObject({
      code: '303A',
      rate: '3',
    });
  });
});

// --- internal ---

/** A body without its null members. */
function withoutNulls(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (_name, value) => value ?? undefined));
}

/** Whether a line has several rates of IVA. The user divides its base among them. */
function isOfSeveralIva(body: Draft, field: string): boolean {
  const place = Number(/items\[(\d+)\]/.exec(field)?.[1]);
  const taxes = (body['items'] as { taxes: { code: string }[] }[])[place]?.taxes ?? [];
  return taxes.filter(({ code }) => code === '2').length > 1;
}

describe('suggestions from earlier documents', () => {
  const party = { id: '1710034065', name: 'María' };
  const documents = ['new', 'old'].map((accessKey) => {
    return { accessKey, counterparty: { ...party, idType: '05' as string | null } };
  });
  const line = (unitPrice: string) => ({ mainCode: 'P', description: 'Pan', unitPrice, taxes: [] });
  const api = {
    async call(name: string, { params }: { readonly params?: { readonly accessKey: string } }) {
      if (name === 'listDocuments') return { data: documents };
      const { accessKey } = params ?? { accessKey: '' };
      const buyer = { ...party, email: `${accessKey}@ejemplo.ec` };
      const document = documents.find((each) => each.accessKey === accessKey);
      const subject = { ...party, idType: '08', kind: '02', relatedParty: true };
      const body = accessKey === 'withheld' ? { subject } : { buyer, items: [line('1.00')] };
      return { document: { ...document, requestPayload: body } };
    },
  };
  const stored = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  async function open(): Promise<Earlier> {
    vi.stubGlobal('document', { documentElement: {} });
    vi.stubGlobal('sessionStorage', stored);
    vi.stubGlobal('localStorage', stored);
    const { createEarlier } = await load('earlier.ts');
    return createEarlier(api, 'tenant');
  }
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('suggestions keep price and IVA of the last sale after a credit note and a delivery guide', async () => {
    const earlier = await open();
    const sold = { ...line('2.00'), taxes: [IVA] };
    earlier.learn({ documentType: '01', items: [sold] });
    earlier.learn({ documentType: '04', items: [line('1.50')] });
    const { unitPrice: _, taxes: _taxes, ...goods } = sold;
    earlier.learn({ documentType: '06', recipients: [{ items: [goods] }] });
    expect(earlier.pickItem('P Pan')).toEqual(sold);
    earlier.learn({ documentType: '01', items: [{ ...sold, unitPrice: '2.50' }] });
    expect(earlier.pickItem('P Pan')).toMatchObject({ unitPrice: '2.50' });
  });

  it('suggestions know the kind of a party whose newest document is a delivery guide', async () => {
    const recipient = { id: '1790012345001', name: 'Café Andino S.A.', address: 'Cuenca' };
    documents.push({ accessKey: 'guide', counterparty: { ...recipient, idType: null } });
    expect(await (await open()).pickParty('guide')).toMatchObject({ idType: '04', id: recipient.id });
    documents.pop();
  });

  it('suggestions know the data of a withholding about its subject', async () => {
    documents.push({ accessKey: 'withheld', counterparty: { ...party, idType: '08' } });
    expect(await (await open()).pickParty('withheld')).toMatchObject({ kind: '02', relatedParty: true });
    documents.pop();
  });

  it('suggestions take a party from its newest document, and keep the price of a later document', async () => {
    const earlier = await open();
    earlier.learn({ items: [line('2.00')] });
    const [suggested] = await earlier.suggestParties('María');
    expect(await earlier.pickParty(String(suggested?.['value']))).toMatchObject({ email: 'new@ejemplo.ec' });
    expect(await earlier.suggestItems('pan')).toMatchObject([{ about: 'P · $2.00' }]);
  });
});
