import { IVA, openLine, readLines } from '../line-body.js';
import { formatDecimal } from '../money.js';
import { sumSupport, sumWithheld, taxOfRow, usualBase, withAmounts, withheldOf } from '../withholding-body.js';
import { ADDITIONAL_INFO, NAMED, NUMBER, openTax, PAYMENTS, party, REIMBURSEMENTS, shownAmount } from './parts.js';

/** @typedef {import('../form-body.js').Draft} Draft */
/** @typedef {import('../form-body.js').Field} Field */

const WITHOUT_AMOUNT = { amount: undefined };

/** `payment.location` of a payment abroad. */
const ABROAD = '02';
/** [codigo] Income tax. */
const INCOME = '1';
/** Concepts of withholding that need the boxes of bananas (Ficha técnica off-line v2.34, anexo 10). */
const BANANAS = ['338', '340', '341', '342', '342A', '342B'];
/** Types of document that have reimbursed ones: the sales document of a reimbursement, and its notes (ATS, table 4). */
const REIMBURSING = ['41', '47', '48'];
/** The use of a purchase that needs the dividend (ATS, table 5). */
const DIVIDENDS = '10';

/** @type {readonly Field[]} */
const SUBJECT = [
  {
    kind: 'choice',
    name: 'kind',
    label: 'subjectKind',
    codes: ['01', '02'],
    texts: 'kind',
    required: true,
    shown: ({ idType }) => idType === '08',
  },
  { kind: 'check', name: 'relatedParty' },
];

/** @type {readonly Field[]} */
const TAXES = [
  { kind: 'rate', name: 'rateCode', label: 'iva', shown: isIva, fill: asComputed },
  { kind: 'amount', name: 'taxableBase', required: true, locked: (row) => !isIva(row), fill: asComputed },
  { kind: 'amount', name: 'taxAmount', locked: (row) => !isIva(row), fill: dropSums },
];

/** @type {readonly Field[]} */
const WITHHOLDINGS = [
  {
    kind: 'choice',
    name: 'tax',
    catalog: 'withholding-taxes',
    required: true,
    fill: ({ tax }, document) => ({ code: '', rate: '', taxableBase: usualBase(tax, document), ...WITHOUT_AMOUNT }),
  },
  {
    kind: 'text',
    name: 'code',
    label: 'withholdingCode',
    max: 5,
    required: true,
    catalog: 'withholding-codes',
    suggested: ({ tax }, row) => tax === row['tax'],
    fill: (row, document, catalog) => {
      const entry = catalog.find(({ code, tax }) => code === row['code'] && tax === row['tax']);
      const taxableBase = row['taxableBase'] || usualBase(row['tax'], document);
      return { taxableBase, ...(entry?.['rate'] ? { rate: entry['rate'] } : {}), ...WITHOUT_AMOUNT };
    },
  },
  { kind: 'amount', name: 'taxableBase', label: 'withheldBase', required: true, fill: () => WITHOUT_AMOUNT },
  { kind: 'amount', name: 'rate', label: 'percentage', required: true, fill: () => WITHOUT_AMOUNT },
  { kind: 'output', name: 'withheld', text: (row) => shownAmount(withheldOf(row)) },
  {
    kind: 'group',
    name: 'bananas',
    shown: ({ tax, code }) => tax === INCOME && BANANAS.includes(String(code)),
    fields: [
      { kind: 'text', name: 'boxes', pattern: '\\d{1,7}' },
      { kind: 'amount', name: 'boxPrice' },
    ],
  },
  {
    kind: 'group',
    name: 'dividend',
    shown: ({ tax }, { supportCode }) => tax === INCOME && supportCode === DIVIDENDS,
    fields: [
      { kind: 'date', name: 'paymentDate' },
      { kind: 'amount', name: 'incomeTax' },
      { kind: 'text', name: 'fiscalYear', pattern: '\\d{4}' },
    ],
  },
];

/** @type {readonly Field[]} */
const PAYMENT = [
  { kind: 'choice', name: 'location', codes: ['01', '02'], texts: 'location' },
  { kind: 'choice', name: 'regime', codes: ['01', '02', '03'], texts: 'regime', shown: isAbroad },
  { kind: 'choice', name: 'country', catalog: 'countries', shown: isAbroad },
  { kind: 'check', name: 'treaty', required: true, shown: isAbroad },
  {
    ...{ kind: 'check', name: 'subjectToWithholding', required: true },
    shown: (row) => isAbroad(row) && row['treaty'] !== true,
  },
  { kind: 'check', name: 'taxHaven', shown: isAbroad },
];

/** @type {Field} */
const SUPPORTING_DOCUMENTS = {
  kind: 'list',
  name: 'supportingDocuments',
  required: true,
  add: 'addSupportingDocument',
  remove: 'removeSupportingDocument',
  fields: [
    { kind: 'choice', name: 'supportCode', catalog: 'support-codes', coded: true, required: true },
    {
      ...{ kind: 'choice', name: 'documentType', label: 'type', catalog: 'support-document-types', coded: true },
      required: true,
    },
    { ...NUMBER, name: 'number', label: 'documentNumber' },
    { kind: 'date', name: 'issueDate', label: 'issuedOn', required: true },
    { kind: 'text', name: 'authorizationNumber', pattern: '\\d{10,49}' },
    {
      ...{ kind: 'list', name: 'taxes', label: 'documentTaxes', look: 'line few', required: true, add: 'addTax' },
      open: openTax,
      altered: (document) => dropSums({}, document),
      fields: TAXES,
    },
    {
      ...{ kind: 'list', name: 'withholdings', look: 'line few', required: true, add: 'addWithholding' },
      fields: WITHHOLDINGS,
    },
    { ...PAYMENTS, fields: PAYMENTS.fields?.filter(({ name }) => name === 'method' || name === 'total') ?? [] },
    { kind: 'output', name: 'documentTotal', text: (document) => shownAmount(sumSupport(document)?.total) },
    {
      kind: 'section',
      name: 'more',
      folded: true,
      fields: [{ kind: 'date', name: 'registrationDate' }],
    },
    { ...REIMBURSEMENTS, shown: ({ documentType }) => REIMBURSING.includes(String(documentType)) },
    { kind: 'group', name: 'payment', label: 'paymentPlace', folded: true, fields: PAYMENT },
  ],
};

/** Comprobante de retención (07). @type {import('../document-forms.js').DocumentForm} */
export const WITHHOLDING = {
  page: 'withholding',
  title: 'newWithholding',
  fields: [
    party('subject', 'role.SUBJECT', { codes: NAMED, email: 'required', more: SUBJECT }),
    SUPPORTING_DOCUMENTS,
    {
      kind: 'section',
      name: 'more',
      folded: true,
      fields: [{ kind: 'text', name: 'fiscalPeriod', pattern: '\\d{2}/\\d{4}', hint: 'fiscalPeriodHint' }],
    },
    ADDITIONAL_INFO,
  ],
  formerRates: true,
  renewed: ['fiscalPeriod'],
  on: {
    '03': {
      title: 'newWithholdingOn',
      open: ({ body, number, issueDate, authorizationNumber, type }) => ({
        subject: body['supplier'],
        supportingDocuments: [
          {
            ...{ documentType: type, number, issueDate, authorizationNumber },
            taxes: taxesOf(body),
            payments: /** @type {readonly Draft[]} */ (body['payments'] ?? []).map(({ method, total }) => ({
              method,
              total,
            })),
          },
        ],
      }),
    },
  },
  sums: sumWithheld,
  totalName: 'withheldTotal',
  finish: withAmounts,
};

// --- internal ---

/** @param {Draft} row */
function isIva({ code }) {
  return code === IVA;
}

/** @param {Draft} row */
function isAbroad({ location }) {
  return location === ABROAD;
}

/** The tax of a row follows its base and its rate, and the sums of the document follow the tax. @param {Draft} row @param {Draft} document */
function asComputed(row, document) {
  return { taxAmount: taxOfRow(row), ...dropSums(row, document) };
}

/** @param {Draft} _row @param {Draft} document */
function dropSums(_row, document) {
  delete document['subtotal'];
  delete document['total'];
  return {};
}

/** The IVA of a document by rate. @param {Draft} body */
function taxesOf(body) {
  /** @type {Map<string, { rate: string, base: bigint, amount: bigint }>} */
  const byRate = new Map();
  const items = /** @type {readonly Draft[]} */ (body['items'] ?? []);
  for (const { rateCode, rate, base, amount } of readLines(items.map(openLine)).flatMap((line) => line?.taxes ?? [])) {
    const sums = byRate.get(rateCode) ?? { rate, base: 0n, amount: 0n };
    byRate.set(rateCode, { rate, base: sums.base + base, amount: sums.amount + amount });
  }
  return [...byRate].map(([rateCode, { rate, base, amount }]) => {
    const [taxableBase, taxAmount] = [formatDecimal(base, 2), formatDecimal(amount, 2)];
    return { code: IVA, rateCode, rate, taxableBase, taxAmount };
  });
}
