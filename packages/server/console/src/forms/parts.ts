import type { TextName } from '../frame/language.js';
import type { CatalogEntry, Catalogs, Draft, Field } from './form.js';
import type { DocumentForm } from './forms.js';
import { followQuantity, IVA, openTaxed, readTaxed } from './taxes.js';

/** The kinds of identification of a named party. */
export const NAMED = ['04', '05', '06', '08'];

/** The tax on bottles, whose base is the quantity of the line. */
const IRBPNR = '5';
const RUC = '04';
const CEDULA = '05';
/** The buyer of a sale without a named buyer. */
export const FINAL_CONSUMER = { idType: '07', id: '9999999999999', name: 'CONSUMIDOR FINAL' };

/** The party of a document, which earlier documents complete. @param codes of its kinds of identification */
export function party(
  name: string,
  label: TextName,
  { codes, email, more = [] }: { codes?: readonly string[]; email: 'required' | 'optional'; more?: readonly Field[] },
): Field {
  const hint = email === 'optional' ? 'emailOptionalHint' : codes ? 'emailHint' : 'buyerEmailHint';
  return {
    kind: 'group',
    name,
    label,
    required: true,
    completes: 'party',
    fields: [
      {
        kind: 'choice',
        name: 'idType',
        catalog: 'id-types',
        required: true,
        initial: CEDULA,
        ...(codes ? { codes } : {}),
        fill: ({ idType, id }) => {
          if (idType === FINAL_CONSUMER.idType) return FINAL_CONSUMER;
          return id === FINAL_CONSUMER.id ? { id: '', name: '' } : {};
        },
      },
      {
        kind: 'text',
        name: 'id',
        required: true,
        // Another kind, once selected, stays.
        fill: ({ id, idType }) => (idType === RUC || idType === CEDULA ? { idType: kindOf(id) ?? idType } : {}),
      },
      { kind: 'text', name: 'name', required: true },
      { kind: 'email', name: 'email', hint, ...(email === 'required' ? { required: true } : {}) },
      { kind: 'text', name: 'address' },
      ...more,
    ],
  };
}

/** The kind of an identification by its digits: thirteen are a RUC and ten a cédula; undefined for any other text. */
export function kindOf(id: unknown): string | undefined {
  const text = String(id ?? '').trim();
  if (/^\d{10}001$/.test(text)) return RUC;
  return /^\d{10}$/.test(text) ? CEDULA : undefined;
}

/** The number of a document. */
export const NUMBER = { kind: 'text', hint: 'numberHint' } as const satisfies Partial<Field>;

/** The document that a note modifies. */
export const ORIGINAL: Field = {
  kind: 'group',
  name: 'originalDocument',
  required: true,
  fields: [
    { ...NUMBER, name: 'number', label: 'originalNumber', required: true },
    { kind: 'date', name: 'issueDate', label: 'originalDate', required: true },
  ],
};

/** The taxes of a line other than IVA. The form asks for the amounts that the server cannot compute. */
const OTHER_TAXES: Field = {
  kind: 'list',
  name: 'others',
  look: 'few',
  add: 'addOtherTax',
  fields: [
    { kind: 'tax', name: 'rateCode', label: 'otherTax', codes: ['3', '5'] },
    {
      kind: 'amount',
      name: 'rate',
      label: 'percentage',
      keeps: true,
      shown: (tax, _line, catalogs) => entryOf(tax, catalogs)?.['rate'] === null,
    },
    {
      ...{ kind: 'amount', name: 'taxableBase', fill: retyped },
      shown: (tax, _line, catalogs) => basisOf(tax, catalogs) !== 'value',
    },
    {
      ...{ kind: 'amount', name: 'taxAmount', fill: retyped },
      shown: (tax, _line, catalogs) => basisOf(tax, catalogs) === 'mixed',
    },
  ],
};

/** Name and value of a detail or of additional information. */
const PAIR: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'infoName' },
  { kind: 'text', name: 'value', label: 'infoValue' },
];

/** Details of a line, such as the serial number of a machine. */
export const ADDITIONAL_DETAILS: Field = {
  kind: 'list',
  name: 'additionalDetails',
  look: 'few',
  add: 'addDetail',
  fields: PAIR,
};

/** The lines of a document. @param more further fields of a line. */
export function items(more: readonly Field[] = []): Field {
  return {
    kind: 'list',
    name: 'items',
    look: 'line',
    required: true,
    completes: 'item',
    add: 'addItem',
    // A line learned from a delivery guide has no tax.
    open: (entry) => openTaxed({ taxes: [USUAL_IVA], ...(entry ?? { quantity: '1' }) }),
    read: readTaxed,
    fields: [
      { kind: 'text', name: 'description', required: true },
      { kind: 'text', name: 'mainCode', required: true },
      { kind: 'amount', name: 'quantity', required: true, fill: followQuantity },
      { kind: 'amount', name: 'unitPrice', required: true },
      { kind: 'amount', name: 'discount' },
      { kind: 'rate', name: 'rateCode', label: 'iva' },
      rare([OTHER_TAXES, { kind: 'text', name: 'auxiliaryCode' }, ...more, ADDITIONAL_DETAILS], 'moreOfLine'),
    ],
  };
}

/** The further fields of a line of a sale or a purchase. */
export const MEASURES: readonly Field[] = [
  { kind: 'text', name: 'unitOfMeasure' },
  { kind: 'amount', name: 'unsubsidizedPrice', hint: 'unsubsidizedHint' },
];

/** The reasons of a debit note. */
export const REASONS: Field = {
  kind: 'list',
  name: 'reasons',
  look: 'line',
  required: true,
  add: 'addReason',
  open: (entry) => openTaxed(entry ?? { taxes: [USUAL_IVA] }),
  read: readTaxed,
  fields: [
    { kind: 'text', name: 'reason', label: 'chargeReason', required: true },
    { kind: 'amount', name: 'amount', required: true },
    { kind: 'rate', name: 'rateCode', label: 'iva' },
    { ...OTHER_TAXES, folded: true },
  ],
};

/** The payments; a single one pays the total. */
export const PAYMENTS: Field = {
  kind: 'list',
  name: 'payments',
  look: 'few',
  required: true,
  add: 'addPayment',
  open: (entry) => entry ?? { method: USUAL_PAYMENT },
  fields: [
    { kind: 'choice', name: 'method', label: 'paymentMethod', catalog: 'payment-methods', required: true },
    {
      kind: 'amount',
      name: 'total',
      label: 'amount',
      shown: (_row, holder) => (holder['payments'] as unknown[])?.length > 1,
    },
    { kind: 'integer', name: 'term' },
    { kind: 'choice', name: 'termUnit', catalog: 'term-units', shown: ({ term }) => String(term ?? '') !== '' },
  ],
};

/** A tax of another document: its rate and base. The server computes its amount. */
export const DOCUMENT_TAXES: Field = {
  kind: 'list',
  name: 'taxes',
  label: 'documentTaxes',
  look: 'few',
  required: true,
  add: 'addTax',
  open: (entry) => entry ?? USUAL_IVA,
  fields: [
    { kind: 'tax', name: 'rateCode', label: 'taxOfDocument', codes: [IVA, '3', '5'], fill: () => ({ taxAmount: '' }) },
    { kind: 'amount', name: 'taxableBase', required: true, fill: () => ({ taxAmount: '' }) },
    { kind: 'amount', name: 'taxAmount', isComputed: true },
  ],
};

/** The fields that say which documents are reimbursed. */
export const REIMBURSED = ['number', 'issueDate', 'authorizationNumber'].map((name) => `reimbursements.${name}`);

/** The documents whose expense is reimbursed. */
export const REIMBURSEMENTS: Field = {
  kind: 'list',
  name: 'reimbursements',
  folded: true,
  add: 'addReimbursement',
  fields: [
    {
      kind: 'group',
      name: 'supplier',
      label: 'role.SUPPLIER',
      fields: [
        { kind: 'choice', name: 'idType', catalog: 'id-types', codes: NAMED },
        { kind: 'text', name: 'id' },
        { kind: 'choice', name: 'kind', label: 'subjectKind', codes: ['01', '02'], texts: 'kind' },
        { kind: 'choice', name: 'country', catalog: 'countries' },
      ],
    },
    { kind: 'choice', name: 'documentType', label: 'type', catalog: 'support-document-types', coded: true },
    { ...NUMBER, name: 'number', label: 'documentNumber' },
    { kind: 'date', name: 'issueDate', label: 'issuedOn' },
    { kind: 'text', name: 'authorizationNumber' },
    DOCUMENT_TAXES,
  ],
};

/** The part of the document's IVA that the SRI returns. */
export const IVA_REFUND: Field = { kind: 'amount', name: 'ivaRefund', hint: 'ivaRefundHint' };

/** Rare fields within a fold. */
export function rare(fields: readonly Field[], label: TextName = 'more'): Field {
  return { kind: 'section', name: 'more', label, folded: true, fields };
}

/** The common fields of credit and debit notes. */
export const NOTE = {
  // The refund belongs to one note.
  renewed: ['ivaRefund'],
  once: ['originalDocument.number', 'originalDocument.issueDate'],
  formerRates: true,
  initial: { originalDocument: { documentType: '01' } },
} as const satisfies Partial<DocumentForm>;

/** Pairs for the foot of the document. */
export const ADDITIONAL_INFO: Field = {
  kind: 'list',
  name: 'additionalInfo',
  look: 'few',
  folded: true,
  add: 'addInfo',
  fields: PAIR,
};

// --- internal ---

/** The general rate of IVA since April 2024 (Decreto Ejecutivo 198). */
const USUAL_IVA = { code: IVA, rateCode: '4', rate: '15' };
/** Others with the financial system: most payments. */
const USUAL_PAYMENT = '20';

/** A retyped amount no longer follows the quantity of its line. */
function retyped(): Draft {
  return { was: undefined };
}

function entryOf({ code, rateCode }: Draft, catalogs: Catalogs): CatalogEntry | undefined {
  return catalogs['tax-rates']?.find((each) => each['taxCode'] === code && each['rateCode'] === rateCode);
}

/** The basis of a tax. The form does not ask for a basis that the line contains. */
function basisOf(tax: Draft, catalogs: Catalogs): unknown {
  const entry = entryOf(tax, catalogs);
  if (!tax['rateCode'] || entry?.['taxCode'] === IRBPNR) return 'value';
  // Another system computed a tax that is no longer in force.
  return entry?.['basis'] ?? 'mixed';
}
