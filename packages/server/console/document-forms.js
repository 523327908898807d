import { readBody } from './form-body.js';
import { CREDIT_NOTE } from './forms/credit-note.js';
import { DEBIT_NOTE } from './forms/debit-note.js';
import { DELIVERY_GUIDE } from './forms/delivery-guide.js';
import { INVOICE } from './forms/invoice.js';
import { PURCHASE_SETTLEMENT } from './forms/purchase-settlement.js';
import { WITHHOLDING } from './forms/withholding.js';

/** @typedef {import('./form-body.js').Draft} Draft */
/** @typedef {import('./form-sums.js').Sums} Sums */
/** @typedef {import('./texts.js').TextName} TextName */
/** @typedef {import('sri-core/client').OperationInput<'createDocument'>['body']} DocumentInput */

/**
 * A document that another is made on, or that is made once more.
 *
 * @typedef {object} Original
 * @property {string} type
 * @property {string} number
 * @property {string} issueDate
 * @property {string | null} authorizationNumber
 * @property {Draft} body the creation body as it came
 * @property {{ readonly branchAddress?: string | null } | null} issuer
 */

/**
 * How a document is made on one of another type.
 *
 * @typedef {object} Way
 * @property {TextName} title of its button
 * @property {(original: Original) => Draft} open what the new document has
 * @property {boolean} [balance] whether it shows what is left to credit
 * @property {(body: Draft) => readonly string[]} [lost] the texts of what the original has, and the new document cannot have
 */

/**
 * The form of a type, as data.
 *
 * @typedef {object} DocumentForm
 * @property {string} page the first part of its address
 * @property {TextName} title
 * @property {readonly import('./form-body.js').Field[]} fields
 * @property {Draft} [initial] what a new document has
 * @property {readonly string[]} [renewed] what a copy leaves empty, besides its date
 * @property {boolean} [formerRates] whether it names documents of other days, with the IVA of then
 * @property {Readonly<Record<string, Way>>} on what it has on a document of another type, by that type
 * @property {(draft: Draft) => Sums | null} [sums] null while a part is not whole; absent, the type has none
 * @property {TextName} [totalName]
 * @property {(body: Draft, total: bigint) => Draft} [finish] the body with the amounts that follow from the total
 */

/** The form of each type, by the code of the type. A type without a form is issued through the API alone. */
export const DOCUMENT_FORMS = /** @type {const} */ ({
  '01': INVOICE,
  '03': PURCHASE_SETTLEMENT,
  '04': CREDIT_NOTE,
  '05': DEBIT_NOTE,
  '06': DELIVERY_GUIDE,
  '07': WITHHOLDING,
});

/** @typedef {keyof typeof DOCUMENT_FORMS} FormType */

/** The types that have a form. */
export const FORM_TYPES = /** @type {readonly FormType[]} */ (Object.keys(DOCUMENT_FORMS).toSorted());

/** The form of a type; null for a type without one. @param {string} documentType @returns {DocumentForm | null} */
export function findForm(documentType) {
  /** @type {Readonly<Record<string, DocumentForm>>} */
  const forms = DOCUMENT_FORMS;
  return forms[documentType] ?? null;
}

/** Whether documents of a type have a total. @param {string} documentType */
export function hasTotal(documentType) {
  const form = findForm(documentType);
  return !form || form.sums !== undefined;
}

/** The forms of documents that can be made on one of this type, with the titles of their buttons. @param {string} documentType */
export function formsOn(documentType) {
  return FORM_TYPES.flatMap((type) => {
    /** @type {DocumentForm} */
    const { page, on } = DOCUMENT_FORMS[type];
    const way = on[documentType];
    return way ? [{ type, page, title: way.title, hasBalance: way.balance === true }] : [];
  });
}

/**
 * What a new document has: nothing, what it takes from a document of another type, or a copy of one of its own.
 *
 * @param {FormType} documentType
 * @param {Original | null} original
 * @returns {Draft}
 */
export function newBody(documentType, original) {
  /** @type {DocumentForm} */
  const { initial = {}, renewed = [], on } = DOCUMENT_FORMS[documentType];
  if (!original) return initial;
  const way = on[original.type];
  if (way) return way.open(original);
  const left = new Set(['issueDate', ...renewed]);
  return Object.fromEntries(Object.entries(original.body).filter(([name]) => !left.has(name)));
}

/**
 * The body that is sent: what the form says, what it keeps without showing it, and the sums.
 *
 * @param {FormType} documentType
 * @param {Draft} draft
 * @returns {DocumentInput | null} null while a part is not whole
 */
export function toDocumentBody(documentType, draft) {
  /** @type {DocumentForm} */
  const { fields, sums, finish } = DOCUMENT_FORMS[documentType];
  const sum = sums?.(draft);
  if (sum === null) return null;
  const body = readBody(fields, draft);
  const finished = finish ? finish(body, sum?.total ?? 0n) : body;
  return /** @type {DocumentInput} */ (/** @type {unknown} */ ({ ...finished, documentType }));
}
