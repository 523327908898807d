import { sumLines } from './document-lines.js';
import { h } from './dom.js';
import { formatDecimal } from './money.js';
import { dollars, field } from './parts.js';
import { t } from './texts.js';

/** @typedef {import('sri-core/client').InvoiceInput} InvoiceInput */
/** @typedef {import('sri-core/client').CreditNoteInput} CreditNoteInput */
/** @typedef {InvoiceInput['items'][number]} Item */
/** @typedef {NonNullable<import('sri-core/client').OperationAnswer<'getCatalog'>['idTypes']>[number]} CatalogCode */
/** @typedef {Parameters<typeof sumLines>[0]} Lines */

/**
 * The document that a new one modifies.
 *
 * @typedef {object} Modified
 * @property {string} number
 * @property {string} issueDate
 * @property {string} remaining what is left to credit
 * @property {Partial<InvoiceInput['buyer']>} buyer
 * @property {readonly Item[]} items
 * @property {InvoiceInput['additionalInfo']} additionalInfo
 * @property {boolean} hasTip
 */

/**
 * What a type has in its form beside the buyer and the lines.
 *
 * @typedef {object} DocumentForm
 * @property {string} page the first part of its address
 * @property {Parameters<typeof t>[0]} title
 * @property {readonly string[]} modifies the types that a document of this one is made on
 * @property {Parameters<typeof t>[0]} [onTitle] of the button on a document that it modifies
 * @property {(modified: Modified | null) => Node | false} above the fields before the buyer
 * @property {(paymentMethods: readonly CatalogCode[]) => Node | false} below the fields after the lines
 * @property {(text: (name: string) => string, common: Common, lines: Lines) => InvoiceInput | CreditNoteInput} toBody
 */

/** @typedef {Pick<InvoiceInput, 'buyer' | 'items' | 'additionalInfo'>} Common */

/** The form of each type, by the code of the type. A type without a form is issued through the API alone. */
export const DOCUMENT_FORMS = {
  '01': /** @type {DocumentForm} */ ({
    page: 'invoice',
    title: 'newInvoice',
    modifies: [],
    above: () => false,
    below: paymentField,
    toBody: (text, common, lines) => {
      const method = /** @type {InvoiceInput['payments'][number]['method']} */ (text('method'));
      return { documentType: '01', ...common, payments: [{ method, total: formatDecimal(sumLines(lines).total, 2) }] };
    },
  }),
  '04': /** @type {DocumentForm} */ ({
    page: 'credit-note',
    title: 'newCreditNote',
    modifies: ['01'],
    onTitle: 'newCreditNoteOn',
    above: originalFields,
    below: () => false,
    toBody: (text, common) => ({
      documentType: '04',
      ...common,
      originalDocument: { documentType: '01', number: text('originalNumber'), issueDate: text('originalDate') },
      motivo: text('motivo'),
    }),
  }),
};

/** @typedef {keyof typeof DOCUMENT_FORMS} FormType */

/** The types that have a form. */
export const FORM_TYPES = /** @type {readonly FormType[]} */ (Object.keys(DOCUMENT_FORMS).toSorted());

/** The types that can be made on a document of this type. @param {string} documentType */
export function typesOn(documentType) {
  return FORM_TYPES.filter((type) => DOCUMENT_FORMS[type].modifies.includes(documentType));
}

/** @param {readonly CatalogCode[]} paymentMethods */
function paymentField(paymentMethods) {
  return field(
    t('paymentMethod'),
    h(
      'select',
      { name: 'method' },
      paymentMethods.map(({ code, description }) => h('option', { value: code }, description)),
    ),
  );
}

/** @param {Modified | null} credited */
function originalFields(credited) {
  return h(
    'fieldset',
    { class: 'grid' },
    h('legend', {}, t('type.01')),
    field(
      t('originalNumber'),
      h('input', {
        name: 'originalNumber',
        value: credited?.number ?? '',
        pattern: '\\d{3}-\\d{3}-\\d{9}',
        required: true,
      }),
      { hint: t('originalNumberHint') },
    ),
    field(
      t('originalDate'),
      h('input', {
        name: 'originalDate',
        value: credited?.issueDate ?? '',
        placeholder: 'dd/mm/aaaa',
        pattern: '\\d{2}/\\d{2}/\\d{4}',
        required: true,
      }),
    ),
    field(t('motive'), h('input', { name: 'motivo', maxlength: 300, required: true })),
    credited && h('p', {}, `${t('creditable')}: `, dollars(credited.remaining)),
    credited?.hasTip && h('p', { class: 'hint' }, t('tipStays')),
  );
}
