import { cents, fromCents, percentOf } from './amounts.js';
import { type CatalogEntry, type Draft, type Field, rowsOf } from './form.js';
import type { DocumentForm } from './forms.js';
import {
  ADDITIONAL_INFO,
  DOCUMENT_TAXES,
  NAMED,
  NUMBER,
  PAYMENTS,
  party,
  REIMBURSED,
  REIMBURSEMENTS,
  rare,
} from './parts.js';
import { ICE, IVA } from './taxes.js';

/** `payment.location` of a payment abroad. */
const ABROAD = '02';
/** The countries of this regime have separate codes: ATS, table 17. */
const TAX_HAVEN = '02';
/** [codigo] Income tax and IVA. */
const INCOME = '1';
const WITHHELD_IVA = '2';
/** Concepts of withholding that need the boxes of bananas (Ficha técnica off-line v2.34, anexo 10). */
const BANANAS = ['338', '340', '341', '342', '342A', '342B'];
/** The sales document of a reimbursement (ATS, table 4). */
const REIMBURSEMENT = '41';
/** The types of document with reimbursed documents: type 41 and its notes. */
const REIMBURSING = [REIMBURSEMENT, '47', '48'];
/** The use of a purchase that needs the dividend (ATS, table 5). */
const DIVIDENDS = '10';

/** Comprobante de retención (07). */
export const WITHHOLDING: DocumentForm = {
  columns: {
    code: 'withholdingCode',
    text: 'documentNumber',
    quantity: 'taxableBase',
    price: 'percentage',
    total: 'withheld',
  },
  fields: [
    party('subject', 'role.SUBJECT', {
      codes: NAMED,
      email: 'required',
      more: [
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
      ],
    }),
    supportingDocuments(),
    ADDITIONAL_INFO,
    rare([
      { kind: 'text', name: 'fiscalPeriod', hint: 'fiscalPeriodHint' },
      { kind: 'choice', name: 'version', codes: ['2.0.0', '1.0.0'], texts: 'version' },
    ]),
  ],
  formerRates: true,
  renewed: ['fiscalPeriod'],
  // A second withholding on the same purchase would be withheld twice.
  once: ['number', 'issueDate', 'authorizationNumber', 'registrationDate', ...REIMBURSED].map(
    (name) => `supportingDocuments.${name}`,
  ),
  on: {
    '03': {
      title: 'on.07',
      open: ({ body, number, issueDate, authorizationNumber, type, taxes }) => ({
        subject: body['supplier'],
        supportingDocuments: [
          {
            documentType: rowsOf(body, 'reimbursements').length > 0 ? REIMBURSEMENT : type,
            ...{ number, issueDate, authorizationNumber, reimbursements: body['reimbursements'] },
            taxes,
            payments: rowsOf(body, 'payments').map(({ method, total }) => ({ method, total })),
          },
        ],
      }),
    },
  },
};

// --- internal ---

function supportingDocuments(): Field {
  return {
    kind: 'list',
    name: 'supportingDocuments',
    required: true,
    add: 'addSupportingDocument',
    fields: [
      { kind: 'choice', name: 'supportCode', catalog: 'support-codes', coded: true, required: true, initial: '01' },
      {
        ...{ kind: 'choice', name: 'documentType', label: 'type', catalog: 'support-document-types' },
        ...{ coded: true, required: true, initial: '01' },
      },
      { ...NUMBER, name: 'number', label: 'documentNumber' },
      { kind: 'date', name: 'issueDate', label: 'issuedOn', required: true },
      { kind: 'text', name: 'authorizationNumber' },
      DOCUMENT_TAXES,
      withholdings(),
      { ...PAYMENTS, fields: PAYMENTS.fields?.filter(({ name }) => name === 'method' || name === 'total') ?? [] },
      rare([
        { kind: 'date', name: 'registrationDate' },
        { kind: 'amount', name: 'subtotal', isComputed: true },
        { kind: 'amount', name: 'total', label: 'documentTotal', isComputed: true },
      ]),
      { ...REIMBURSEMENTS, shown: ({ documentType }) => REIMBURSING.includes(String(documentType)) },
      {
        kind: 'group',
        name: 'payment',
        label: 'paymentPlace',
        folded: true,
        fields: [
          { kind: 'choice', name: 'location', codes: ['01', '02'], texts: 'location' },
          { kind: 'choice', name: 'regime', codes: ['01', '02', '03'], texts: 'regime', shown: isAbroad },
          {
            ...{ kind: 'choice', name: 'country', catalog: 'countries' },
            shown: (row) => isAbroad(row) && row['regime'] !== TAX_HAVEN,
          },
          {
            ...{ kind: 'text', name: 'country', label: 'havenCountry' },
            shown: (row) => isAbroad(row) && row['regime'] === TAX_HAVEN,
          },
          { kind: 'check', name: 'treaty', required: true, shown: isAbroad },
          {
            ...{ kind: 'check', name: 'subjectToWithholding', required: true },
            shown: (row) => isAbroad(row) && row['treaty'] !== true,
          },
          { kind: 'check', name: 'taxHaven', shown: isAbroad },
        ],
      },
    ],
  };
}

function withholdings(): Field {
  return {
    kind: 'list',
    name: 'withholdings',
    look: 'line',
    required: true,
    add: 'addWithholding',
    fields: [
      {
        kind: 'choice',
        name: 'tax',
        catalog: 'withholding-taxes',
        required: true,
        initial: INCOME,
        fill: ({ tax }, document) => ({ code: '', rate: '', amount: '', taxableBase: usualBase(tax, document) }),
      },
      {
        kind: 'text',
        name: 'code',
        label: 'withholdingCode',
        required: true,
        catalog: 'withholding-codes',
        suggested: ({ tax }, row) => tax === row['tax'],
        fill: ({ tax, code: typed, taxableBase }, document, catalogs) => {
          const code = String(typed).toUpperCase();
          const rate = rateOf(catalogs['withholding-codes'] ?? [], tax, code);
          return { code, taxableBase: taxableBase || usualBase(tax, document), amount: '', ...(rate ? { rate } : {}) };
        },
      },
      { kind: 'amount', name: 'taxableBase', label: 'withheldBase', required: true, fill: () => ({ amount: '' }) },
      { kind: 'amount', name: 'rate', label: 'percentage', required: true, fill: () => ({ amount: '' }) },
      { kind: 'amount', name: 'amount', label: 'withheld', isComputed: true },
      {
        kind: 'group',
        name: 'bananas',
        shown: ({ tax, code }) => tax === INCOME && BANANAS.includes(String(code)),
        fields: [
          { kind: 'text', name: 'boxes' },
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
          { kind: 'text', name: 'fiscalYear' },
        ],
      },
    ],
  };
}

function isAbroad({ location }: Draft): boolean {
  return location === ABROAD;
}

function rateOf(codes: readonly CatalogEntry[], tax: unknown, code: unknown): string | undefined {
  return codes.find((entry) => entry.code === code && entry['tax'] === tax)?.['rate'] as string | undefined;
}

/** The usual base of a withholding: the document's IVA for IVA, else its value before tax. */
function usualBase(tax: unknown, document: Draft): string {
  if (tax !== INCOME && tax !== WITHHELD_IVA) return '';
  let [bases, iva] = [0n, 0n];
  for (const { code, taxableBase, rate, taxAmount } of rowsOf(document, 'taxes')) {
    // The base of IVA includes ICE.
    if (code === ICE) bases -= cents(taxAmount) ?? 0n;
    if (code !== IVA) continue;
    const [base, percent] = [cents(taxableBase), cents(rate)];
    const amount = cents(taxAmount) ?? (base === null || percent === null ? null : percentOf(base, percent));
    if (base === null || (amount === null && tax === WITHHELD_IVA)) return '';
    bases += base;
    iva += amount ?? 0n;
  }
  if (tax === WITHHELD_IVA) return fromCents(iva);
  return bases < 0n ? '' : fromCents(bases);
}
