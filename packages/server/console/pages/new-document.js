import { fill, h, uniqueId } from '../dom.js';
import { createTaxSharer, formatDecimal, lineBase } from '../money.js';
import { dollars, field, form, later } from '../parts.js';
import { go } from '../router.js';
import { issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('sri-core/client').InvoiceInput} InvoiceInput */
/** @typedef {import('sri-core/client').CreditNoteInput} CreditNoteInput */
/** @typedef {Partial<InvoiceInput['buyer']>} Buyer */
/** @typedef {Partial<InvoiceInput['items'][number]>} Item */
/** @typedef {NonNullable<import('sri-core/client').OperationAnswer<'getCatalog'>['taxRates']>[number]} TaxRate */
/** @typedef {NonNullable<import('sri-core/client').OperationAnswer<'getCatalog'>['idTypes']>[number]} CatalogCode */

/**
 * The invoice a credit note is on.
 *
 * @typedef {object} Credited
 * @property {string} number
 * @property {string} issueDate
 * @property {string} remaining what is left to credit
 * @property {Buyer} buyer
 * @property {readonly Item[]} items
 */

const IVA = '2';
const FINAL_CONSUMER = { idType: '07', id: '9999999999999', name: 'CONSUMIDOR FINAL' };

/**
 * A new invoice, or a credit note on one, with its sums computed as one types. They are computed as the server does; it
 * computes them again and has the last word.
 *
 * @param {Session} session
 * @param {{ documentType: '01' | '04', original?: string | null }} wanted
 */
export function newDocumentPage(session, { documentType, original = null }) {
  const title = t(documentType === '01' ? 'newInvoice' : 'newCreditNote');
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
  const { buyer = {}, items = [] } = /** @type {Partial<InvoiceInput>} */ (document.requestPayload ?? {});
  return {
    number: `${issuer ? issuerPlace(issuer) : ''}-${document.sequential}`,
    issueDate: document.issueDate,
    remaining: balance.remaining,
    buyer,
    items,
  };
}

/**
 * @param {Session} session
 * @param {{
 *   documentType: '01' | '04',
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
  const addLine = (/** @type {Item} */ item = {}) => {
    lines.append(line(rates, item, recount));
    recount();
  };
  const buyer = buyerFields(idTypes, credited?.buyer ?? {});

  /** @param {FormData} data */
  async function create(data) {
    const body = toBody(data, readLines(lines), documentType);
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
    documentType === '04' && originalFields(credited),
    h('fieldset', {}, h('legend', {}, t('buyer')), buyer),
    h(
      'fieldset',
      {},
      h('legend', {}, t('items')),
      lines,
      h('button', { type: 'button', onclick: () => addLine() }, t('addItem')),
    ),
    documentType === '01' &&
      field(
        t('paymentMethod'),
        h(
          'select',
          { name: 'method' },
          paymentMethods.map(({ code, description }) => h('option', { value: code }, description)),
        ),
      ),
    sums,
  );
  const items = credited?.items?.length ? credited.items : [{}];
  for (const item of items) addLine(item);
  return element;
}

/** @param {Credited | null} credited */
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
  );
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

/** @param {readonly TaxRate[]} rates @param {Item} item @param {() => void} recount */
function line(rates, item, recount) {
  const tax = item.taxes?.find(({ code }) => code === IVA);
  const usual = tax?.rateCode ?? rates.find(({ rate }) => Number(rate) === 15)?.rateCode ?? rates[0]?.rateCode;
  /** @param {'mainCode' | 'description' | 'quantity' | 'unitPrice' | 'discount'} name @param {Record<string, unknown>} attributes */
  const input = (name, attributes = {}) =>
    field(t(name), h('input', { 'data-name': name, oninput: recount, value: item[name] ?? '', ...attributes }));
  const amount = { inputmode: 'decimal', pattern: '\\d+([.,]\\d+)?', class: 'number' };
  const total = h('output', { class: 'line-total' });
  const rate = h(
    'select',
    { 'data-name': 'rateCode', onchange: recount },
    rates.map(({ rateCode, rate: percent, description }) =>
      h(
        'option',
        { value: rateCode, 'data-rate': percent, selected: rateCode === usual },
        description ?? `${percent} %`,
      ),
    ),
  );
  const id = uniqueId();
  const element = h(
    'div',
    { class: 'line', role: 'group', 'aria-labelledby': id },
    h('span', { id, class: 'unseen' }, t('items')),
    input('mainCode', { maxlength: 25, required: true }),
    input('description', { maxlength: 300, required: true }),
    input('quantity', { ...amount, value: item.quantity ?? '1', required: true }),
    input('unitPrice', { ...amount, required: true }),
    input('discount', { ...amount, value: item.discount ?? '' }),
    field(t('iva'), rate),
    h('div', { class: 'field' }, h('span', { class: 'label' }, t('lineTotal')), total),
    h(
      'button',
      {
        type: 'button',
        class: 'plain remove',
        'aria-label': t('removeItem', { n: '' }).trim(),
        onclick: () => {
          if (element.parentElement && element.parentElement.children.length > 1) element.remove();
          recount();
        },
      },
      '×',
    ),
  );
  return element;
}

/** @param {HTMLElement} lines */
function readLines(lines) {
  const shareTax = createTaxSharer();
  return [...lines.children].map((element) => {
    /** @param {string} name */
    const text = (name) =>
      /** @type {HTMLInputElement} */ (element.querySelector(`[data-name="${name}"]`)).value.trim();
    const select = /** @type {HTMLSelectElement} */ (element.querySelector('[data-name="rateCode"]'));
    const [rateCode, rate] = [select.value, select.selectedOptions[0]?.dataset['rate'] ?? '0'];
    const read = {
      mainCode: text('mainCode'),
      description: text('description'),
      quantity: text('quantity'),
      unitPrice: text('unitPrice'),
      discount: text('discount'),
      rateCode,
      rate,
    };
    const base = lineBase(read);
    const output = /** @type {HTMLElement} */ (element.querySelector('output'));
    fill(output, base === null ? '–' : `$ ${formatDecimal(base, 2)}`);
    return { ...read, amounts: base === null ? null : { base, tax: shareTax({ rateCode, rate, base }) } };
  });
}

/** @param {ReturnType<typeof readLines>} lines */
function showSums(lines) {
  if (lines.some(({ amounts }) => amounts === null)) return [h('p', { class: 'hint' }, t('incomplete'))];
  const { base, groups, total } = sum(lines);
  return [
    row(t('subtotal'), base),
    ...[...groups.values()].map(({ rate, base: of, tax }) =>
      row(t('ivaTotal', { rate, base: formatDecimal(of, 2) }), tax),
    ),
    h('p', { class: 'grand' }, h('span', {}, t('grandTotal')), dollars(formatDecimal(total, 2))),
  ];
}

/** @param {string} label @param {bigint} amount */
function row(label, amount) {
  return h('p', {}, h('span', {}, label), dollars(formatDecimal(amount, 2)));
}

/** @param {ReturnType<typeof readLines>} lines */
function sum(lines) {
  /** @type {Map<string, { rate: string, base: bigint, tax: bigint }>} */
  const groups = new Map();
  for (const { rateCode, rate, amounts } of lines) {
    const group = groups.get(rateCode) ?? { rate, base: 0n, tax: 0n };
    groups.set(rateCode, { rate, base: group.base + (amounts?.base ?? 0n), tax: group.tax + (amounts?.tax ?? 0n) });
  }
  const base = [...groups.values()].reduce((all, group) => all + group.base, 0n);
  const tax = [...groups.values()].reduce((all, group) => all + group.tax, 0n);
  return { base, groups, total: base + tax };
}

/**
 * What is sent: what the fields say, as they say it. The server judges it, and names what is wrong.
 *
 * @param {FormData} data
 * @param {ReturnType<typeof readLines>} lines
 * @param {'01' | '04'} documentType
 * @returns {InvoiceInput | CreditNoteInput}
 */
function toBody(data, lines, documentType) {
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
    items: lines.map(toItem),
  };
  if (documentType === '01') {
    const method = /** @type {InvoiceInput['payments'][number]['method']} */ (text('method'));
    return { documentType, ...common, payments: [{ method, total: formatDecimal(sum(lines).total, 2) }] };
  }
  return {
    documentType,
    ...common,
    originalDocument: { documentType: '01', number: text('originalNumber'), issueDate: text('originalDate') },
    motivo: text('motivo'),
  };
}

/** @param {ReturnType<typeof readLines>[number]} line @returns {InvoiceInput['items'][number]} */
function toItem({ mainCode, description, quantity, unitPrice, discount, rateCode, rate, amounts }) {
  return {
    mainCode,
    description,
    quantity: quantity.replace(',', '.'),
    unitPrice: unitPrice.replace(',', '.'),
    ...(discount === '' ? {} : { discount: discount.replace(',', '.') }),
    taxes: [
      {
        code: IVA,
        rateCode,
        rate,
        taxableBase: formatDecimal(amounts?.base ?? 0n, 2),
        taxAmount: formatDecimal(amounts?.tax ?? 0n, 2),
      },
    ],
  };
}
