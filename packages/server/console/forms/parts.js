import { TAX_NAMES } from '../form-sums.js';
import { IVA, openLine, readLines, whatChanges } from '../line-body.js';
import { formatDecimal } from '../money.js';
import { isLockedReason, openReason, readReasons } from '../reason-body.js';
import { t } from '../texts.js';

/** @typedef {import('../form-body.js').Draft} Draft */
/** @typedef {import('../form-body.js').Field} Field */
/** @typedef {import('../form-body.js').Preset} Preset */
/** @typedef {import('../line-body.js').Item} Item */

/** Who a document may be for, by the kind of their id. */
export const NAMED = ['04', '05', '06', '08'];

const RUC = '04';
const CEDULA = '05';
const FINAL_CONSUMER = { idType: '07', id: '9999999999999', name: 'CONSUMIDOR FINAL' };

/** @type {Field} */
const ID = { kind: 'text', name: 'id', max: 20, required: true };

/**
 * The party of a document.
 *
 * @param {string} name in the body
 * @param {import('../texts.js').TextName} label of its role
 * @param {{ codes?: readonly string[], email: 'required' | 'optional', more?: readonly Field[] }} options `codes` of its kinds of id
 * @returns {Field}
 */
export function party(name, label, { codes, email, more = [] }) {
  const hasFinalConsumer = codes === undefined;
  return {
    kind: 'group',
    name,
    label,
    required: true,
    ...(hasFinalConsumer ? { presets: [{ label: 'finalConsumer', values: FINAL_CONSUMER }] } : {}),
    fields: [
      {
        kind: 'choice',
        name: 'idType',
        catalog: 'id-types',
        required: true,
        initial: !codes || codes.includes(CEDULA) ? CEDULA : RUC,
        ...(codes ? { codes } : {}),
        fill: ({ idType }) => (idType === FINAL_CONSUMER.idType ? FINAL_CONSUMER : {}),
      },
      ID,
      { kind: 'text', name: 'name', max: 300, required: true },
      email === 'required'
        ? { kind: 'email', name: 'email', required: true, hint: hasFinalConsumer ? 'buyerEmailHint' : 'emailHint' }
        : { kind: 'email', name: 'email', hint: 'emailOptionalHint' },
      { kind: 'text', name: 'address', max: 300 },
      ...more,
    ],
  };
}

/** A document's number. @type {Pick<Field, 'kind' | 'hint' | 'pattern'>} */
export const NUMBER = { kind: 'text', hint: 'numberHint', pattern: '\\d{3}-\\d{3}-\\d{9}' };

/** The document that a note modifies. @type {Field} */
export const ORIGINAL = {
  kind: 'group',
  name: 'originalDocument',
  required: true,
  fields: [
    { ...NUMBER, name: 'number', label: 'originalNumber', required: true },
    { kind: 'date', name: 'issueDate', label: 'originalDate', required: true },
  ],
};

/** The lines of a document, with their price and IVA. @type {Field} */
export const ITEMS = {
  kind: 'list',
  name: 'items',
  look: 'line',
  required: true,
  open: openLine,
  read: (rows) => readLines(rows).map((line) => line?.item),
  note: (row) => {
    const carried = /** @type {Item | undefined} */ (row['carried']);
    const changes = whatChanges(carried ?? null);
    if (!carried || changes === 'everything') return null;
    const taxes = carried.taxes
      .map(({ code, rate, taxAmount }) => `${TAX_NAMES[code]} ${rate}: $ ${taxAmount}`)
      .join(', ');
    return t(changes === 'quantity' ? 'taxesFollow' : 'taxesStay', { taxes });
  },
  fields: [
    { kind: 'text', name: 'mainCode', max: 25, required: true },
    { kind: 'text', name: 'description', max: 300, required: true },
    { kind: 'amount', name: 'quantity', required: true, locked: (row) => changesOf(row) === 'nothing' },
    { kind: 'amount', name: 'unitPrice', required: true, locked: (row) => changesOf(row) !== 'everything' },
    { kind: 'amount', name: 'discount', locked: (row) => changesOf(row) !== 'everything' },
    { kind: 'rate', name: 'rateCode', label: 'iva', locked: (row) => changesOf(row) !== 'everything' },
    { kind: 'output', name: 'lineTotal', text: (row) => shownAmount(readLines([row])[0]?.base) },
    {
      kind: 'section',
      name: 'more',
      folded: true,
      fields: [
        { kind: 'text', name: 'auxiliaryCode', max: 25 },
        { kind: 'text', name: 'unitOfMeasure', max: 50 },
      ],
    },
  ],
};

/** The reasons of a debit note. @type {Field} */
export const REASONS = {
  kind: 'list',
  name: 'reasons',
  look: 'line few',
  required: true,
  add: 'addReason',
  open: openReason,
  read: (rows) => readReasons(rows).map((reason) => reason?.entry),
  note: (row) => (isLockedReason(row) ? t('reasonStays') : null),
  fields: [
    { kind: 'text', name: 'reason', label: 'chargeReason', max: 300, required: true },
    { kind: 'amount', name: 'amount', required: true, locked: isLockedReason },
    { kind: 'rate', name: 'rateCode', label: 'iva', shown: (row) => !isLockedReason(row) },
  ],
};

/** The payments; a single one pays the total. @type {Field} */
export const PAYMENTS = {
  kind: 'list',
  name: 'payments',
  look: 'line few',
  required: true,
  add: 'addPayment',
  fields: [
    { kind: 'choice', name: 'method', label: 'paymentMethod', catalog: 'payment-methods', required: true },
    { kind: 'amount', name: 'total', required: true, label: 'amount', shown: (_row, holder) => isShared(holder) },
    { kind: 'integer', name: 'term' },
    { kind: 'choice', name: 'termUnit', catalog: 'term-units', shown: ({ term }) => String(term ?? '') !== '' },
  ],
};

/** A tax of another document as a row of a form. @param {Draft | null} entry null for a new one @returns {Draft} */
export function openTax(entry) {
  return entry ? { ...entry } : { code: IVA };
}

/** The documents whose expense is reimbursed. @type {Field} */
export const REIMBURSEMENTS = {
  kind: 'list',
  name: 'reimbursements',
  folded: true,
  add: 'addReimbursement',
  remove: 'removeReimbursement',
  fields: [
    {
      kind: 'group',
      name: 'supplier',
      label: 'role.SUPPLIER',
      fields: [
        { kind: 'choice', name: 'idType', catalog: 'id-types', codes: NAMED, required: true },
        ID,
        { kind: 'choice', name: 'kind', label: 'subjectKind', codes: ['01', '02'], texts: 'kind', required: true },
        { kind: 'choice', name: 'country', catalog: 'countries' },
      ],
    },
    {
      ...{ kind: 'choice', name: 'documentType', label: 'type', catalog: 'support-document-types', coded: true },
      required: true,
    },
    { ...NUMBER, name: 'number', label: 'documentNumber', required: true },
    { kind: 'date', name: 'issueDate', label: 'issuedOn', required: true },
    { kind: 'text', name: 'authorizationNumber', pattern: '\\d{10,49}', required: true },
    {
      ...{ kind: 'list', name: 'taxes', label: 'documentTaxes', look: 'line few', required: true, add: 'addTax' },
      open: openTax,
      fields: [
        { kind: 'rate', name: 'rateCode', label: 'iva', fill: () => ({ taxAmount: '' }) },
        { kind: 'amount', name: 'taxableBase', required: true, fill: () => ({ taxAmount: '' }) },
        { kind: 'amount', name: 'taxAmount' },
      ],
    },
  ],
};

/** Pairs for the foot of the document. @type {Field} */
export const ADDITIONAL_INFO = {
  kind: 'list',
  name: 'additionalInfo',
  look: 'line few',
  folded: true,
  add: 'addInfo',
  fields: [
    { kind: 'text', name: 'name', label: 'infoName', max: 300 },
    { kind: 'text', name: 'value', label: 'infoValue', max: 300 },
  ],
};

/** An amount as an output shows it. @param {bigint | null | undefined} amount in cents */
export function shownAmount(amount) {
  return amount === null || amount === undefined ? '–' : `$ ${formatDecimal(amount, 2)}`;
}

// --- internal ---

/** @param {Draft} row */
function changesOf(row) {
  return whatChanges(/** @type {Item | undefined} */ (row['carried']) ?? null);
}

/** @param {Draft} holder */
function isShared(holder) {
  const payments = /** @type {readonly unknown[] | undefined} */ (holder['payments']);
  return (payments?.length ?? 0) > 1;
}
