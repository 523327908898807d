import { DOCUMENT_FORMS } from '../document-forms.js';
import { line, readLines, showSums } from '../document-lines.js';
import { fill, h } from '../dom.js';
import { IVA } from '../line-body.js';
import { parseDecimal } from '../money.js';
import { FormError, field, form, later } from '../parts.js';
import { go } from '../router.js';
import { issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('sri-core/client').InvoiceInput} InvoiceInput */
/** @typedef {import('sri-core/client').CreditNoteInput} CreditNoteInput */
/** @typedef {Partial<InvoiceInput['buyer']>} Buyer */
/** @typedef {InvoiceInput['items'][number]} Item */
/** @typedef {NonNullable<import('sri-core/client').OperationAnswer<'getCatalog'>['taxRates']>[number]} TaxRate */
/** @typedef {NonNullable<import('sri-core/client').OperationAnswer<'getCatalog'>['idTypes']>[number]} CatalogCode */

/** @typedef {import('../document-forms.js').Modified} Credited */
/** @typedef {import('../document-forms.js').FormType} FormType */

const FINAL_CONSUMER = { idType: '07', id: '9999999999999', name: 'CONSUMIDOR FINAL' };

/**
 * A new document, with its sums computed as one types. They are computed as the server does; it
 * computes them again and has the last word.
 *
 * @param {Session} session
 * @param {{ documentType: FormType, original?: string | null }} wanted
 */
export function newDocumentPage(session, { documentType, original = null }) {
  const title = t(DOCUMENT_FORMS[documentType].title);
  return h(
    'div',
    {},
    h('h1', {}, title),
    later(async () => {
      /** @param {string} name */
      const catalog = (name) => session.api.call('getCatalog', { params: { name } });
      const [{ idTypes = [] }, { taxRates = [] }, { paymentMethods = [] }, credited] = await Promise.all([
        catalog('id-types'),
        catalog('tax-rates'),
        catalog('payment-methods'),
        original ? readOriginal(session, original) : null,
      ]);
      const rates = taxRates.filter(isIvaInForce);
      return editor(session, { documentType, idTypes, rates, paymentMethods, credited });
    }),
  );
}

// --- internal ---

/** @param {TaxRate} rate */
function isIvaInForce({ taxCode, validTo }) {
  return taxCode === IVA && !validTo;
}

/** @param {Session} session @param {string} accessKey @returns {Promise<Credited>} */
async function readOriginal({ api, issuer }, accessKey) {
  const params = { accessKey };
  const [{ document }, balance] = await Promise.all([
    api.call('getDocument', { params }),
    api.call('listCreditNotes', { params }),
  ]);
  // The creation body as it came: what the server took is what its description says.
  const payload = /** @type {Partial<InvoiceInput>} */ (document.requestPayload ?? {});
  const { buyer = {}, items = [], additionalInfo = null, tip } = payload;
  return {
    number: `${issuer ? issuerPlace(issuer) : ''}-${document.sequential}`,
    issueDate: document.issueDate,
    remaining: balance.remaining,
    buyer,
    items,
    additionalInfo,
    hasTip: Boolean(parseDecimal(tip ?? '', 2)),
  };
}

/**
 * @param {Session} session
 * @param {{
 *   documentType: FormType,
 *   idTypes: readonly CatalogCode[],
 *   rates: readonly TaxRate[],
 *   paymentMethods: readonly CatalogCode[],
 *   credited: Credited | null,
 * }} given
 */
function editor(session, { documentType, idTypes, rates, paymentMethods, credited }) {
  // The same key goes out with each try, so that pressing twice, or again after a lost answer, makes one document.
  let idempotencyKey = crypto.randomUUID();
  const lines = h('div', { class: 'lines' });
  const sums = h('div', { class: 'sums', 'aria-live': 'polite' });
  const recount = () => fill(sums, ...showSums(readLines(lines)));
  const addLine = (/** @type {Item | null} */ carried = null) => {
    lines.append(line(rates, carried, recount));
    recount();
  };
  const buyer = buyerFields(idTypes, credited?.buyer ?? {});

  /** @param {FormData} data */
  async function create(data) {
    const body = toBody(data, readLines(lines), { documentType, credited });
    const { document, warnings = [] } = await session.api.call('createDocument', { body, idempotencyKey });
    idempotencyKey = crypto.randomUUID();
    const { accessKey } = document;
    session.notices.set(accessKey, { warnings });
    try {
      await session.api.call('sendDocument', { params: { accessKey } });
    } catch (failure) {
      // It has its number: told here, beside a button that says «issue», it would be issued once more.
      session.notices.set(accessKey, { warnings, failure });
    }
    go(`documents/${accessKey}`);
  }

  const element = form(
    { submit: t('createAndSend'), act: create, class: 'document' },
    DOCUMENT_FORMS[documentType].above(credited),
    h('fieldset', {}, h('legend', {}, t('buyer')), buyer),
    h(
      'fieldset',
      {},
      h('legend', {}, t('items')),
      lines,
      h('button', { type: 'button', onclick: () => addLine() }, t('addItem')),
    ),
    DOCUMENT_FORMS[documentType].below(paymentMethods),
    sums,
  );
  const items = credited?.items.length ? credited.items : [null];
  for (const item of items) addLine(item);
  return element;
}

/** @param {readonly CatalogCode[]} idTypes @param {Buyer} buyer */
function buyerFields(idTypes, buyer) {
  const idType = h(
    'select',
    { name: 'idType' },
    idTypes.map(({ code, description }) =>
      h('option', { value: code, selected: code === (buyer.idType ?? '05') }, description),
    ),
  );
  const id = h('input', { name: 'id', value: buyer.id ?? '', maxlength: 20, required: true });
  const name = h('input', { name: 'name', value: buyer.name ?? '', maxlength: 300, required: true });
  const email = h('input', { type: 'email', name: 'email', value: buyer.email ?? '', required: true });
  const address = h('input', { name: 'address', value: buyer.address ?? '', maxlength: 300 });
  const finalConsumer = () => {
    idType.value = FINAL_CONSUMER.idType;
    id.value = FINAL_CONSUMER.id;
    name.value = FINAL_CONSUMER.name;
  };
  return h(
    'div',
    { class: 'grid' },
    field(t('idType'), idType),
    field(t('id'), id),
    field(t('name'), name),
    field(t('email'), email, { hint: t('buyerEmailHint') }),
    field(t('address'), address),
    h('button', { type: 'button', class: 'plain', onclick: finalConsumer }, t('finalConsumer')),
  );
}

/**
 * What is sent: what the fields say, as they say it, and what the lines carry. The server judges it, and names what is wrong.
 *
 * @param {FormData} data
 * @param {ReturnType<typeof readLines>} read
 * @param {{ documentType: FormType, credited: Credited | null }} about
 * @returns {InvoiceInput | CreditNoteInput}
 * @throws FormError while a line is not whole
 */
function toBody(data, read, { documentType, credited }) {
  const lines = read.flatMap((line) => line ?? []);
  if (lines.length < read.length) throw new FormError(t('incomplete'));
  /** @param {string} name */
  const text = (name) => String(data.get(name) ?? '').trim();
  const common = {
    buyer: {
      idType: /** @type {InvoiceInput['buyer']['idType']} */ (text('idType')),
      id: text('id'),
      name: text('name'),
      email: text('email'),
      ...(text('address') === '' ? {} : { address: text('address') }),
    },
    items: lines.map(({ item }) => item),
    ...(credited?.additionalInfo ? { additionalInfo: credited.additionalInfo } : {}),
  };
  return DOCUMENT_FORMS[documentType].toBody(text, common, lines);
}
