import { fill, h, uniqueId } from './dom.js';
import { IVA, toLine, whatChanges } from './line-body.js';
import { createTaxSharer, formatDecimal } from './money.js';
import { dollars, field } from './parts.js';
import { t } from './texts.js';

/** @typedef {import('./line-body.js').Item} Item */
/** @typedef {import('./line-body.js').Line} Line */
/** @typedef {NonNullable<import('sri-core/client').OperationAnswer<'getCatalog'>['taxRates']>[number]} TaxRate */

/**
 * A line of the form.
 *
 * @param {readonly TaxRate[]} rates
 * @param {Item | null} carried the line of the document that is credited
 * @param {() => void} recount
 */
export function line(rates, carried, recount) {
  const changes = whatChanges(carried);
  const tax = carried?.taxes.find(({ code }) => code === IVA);
  const usual = tax?.rateCode ?? rates.find(({ rate }) => Number(rate) === 15)?.rateCode ?? rates[0]?.rateCode;
  // The rate of an older invoice is not in force, and is that of its credit note all the same.
  const offered = tax && !rates.some(({ rateCode }) => rateCode === tax.rateCode) ? [...rates, tax] : rates;
  /** @param {'mainCode' | 'description' | 'quantity' | 'unitPrice' | 'discount'} name @param {Record<string, unknown>} attributes */
  const input = (name, attributes = {}) =>
    field(t(name), h('input', { 'data-name': name, oninput: recount, value: carried?.[name] ?? '', ...attributes }));
  const amount = { inputmode: 'decimal', pattern: '\\d+([.,]\\d+)?', class: 'number' };
  const locked = { ...amount, readonly: changes !== 'everything' };
  const total = h('output', { class: 'line-total' });
  const rate = h(
    'select',
    { 'data-name': 'rateCode', onchange: recount, disabled: changes !== 'everything' },
    offered.map((each) =>
      h(
        'option',
        { value: each.rateCode, 'data-rate': each.rate, selected: each.rateCode === usual },
        ('description' in each && each.description) || `${each.rate} %`,
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
    input('quantity', {
      ...amount,
      value: carried?.quantity ?? '1',
      required: true,
      readonly: changes === 'nothing',
    }),
    input('unitPrice', { ...locked, required: true }),
    input('discount', locked),
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
    carried && changes !== 'everything' && h('p', { class: 'hint' }, carriedTaxes(carried, changes)),
  );
  if (carried) carriedBy.set(element, carried);
  return element;
}

/** What the lines of the form say; null for one that is not whole. @param {HTMLElement} lines */
export function readLines(lines) {
  const shareTax = createTaxSharer();
  return [...lines.children].map((element) => {
    /** @param {string} name */
    const text = (name) =>
      /** @type {HTMLInputElement} */ (element.querySelector(`[data-name="${name}"]`)).value.trim();
    const select = /** @type {HTMLSelectElement} */ (element.querySelector('[data-name="rateCode"]'));
    const typed = {
      mainCode: text('mainCode'),
      description: text('description'),
      quantity: text('quantity'),
      unitPrice: text('unitPrice'),
      discount: text('discount'),
      rateCode: select.value,
      rate: select.selectedOptions[0]?.dataset['rate'] ?? '0',
    };
    const read = toLine(typed, carriedBy.get(element) ?? null, shareTax);
    const output = /** @type {HTMLElement} */ (element.querySelector('output'));
    fill(output, read === null ? '–' : `$ ${formatDecimal(read.base, 2)}`);
    return read;
  });
}

/** The sums of the lines. @param {ReturnType<typeof readLines>} read */
export function showSums(read) {
  const lines = read.flatMap((line) => line ?? []);
  if (lines.length < read.length) return [h('p', { class: 'hint' }, t('incomplete'))];
  const { base, groups, total } = sumLines(lines);
  return [
    row(t('subtotal'), base),
    ...groups.map(({ code, rate, base: of, amount }) =>
      code === IVA ? row(t('ivaTotal', { rate, base: formatDecimal(of, 2) }), amount) : row(TAX_NAMES[code], amount),
    ),
    h('p', { class: 'grand' }, h('span', {}, t('grandTotal')), dollars(formatDecimal(total, 2))),
  ];
}

/** @param {readonly Line[]} lines */
export function sumLines(lines) {
  /** @type {Map<string, { code: Item['taxes'][number]['code'], rate: string, base: bigint, amount: bigint }>} */
  const groups = new Map();
  let [base, total] = [0n, 0n];
  for (const line of lines) {
    base += line.base;
    total += line.base;
    for (const { code, rateCode, rate, base: of, amount } of line.taxes) {
      const key = code === IVA ? `${code} ${rateCode}` : code;
      const group = groups.get(key) ?? { code, rate, base: 0n, amount: 0n };
      groups.set(key, { ...group, base: group.base + of, amount: group.amount + amount });
      total += amount;
    }
  }
  return { base, groups: [...groups.values()], total };
}

// --- internal ---

const TAX_NAMES = { 2: 'IVA', 3: 'ICE', 5: 'IRBPNR' };

/** What each line carries from the document that is credited, seen or unseen. @type {WeakMap<Element, Item>} */
const carriedBy = new WeakMap();

/** Says which taxes a line carries, and what of it can change. @param {Item} carried @param {'quantity' | 'nothing'} changes */
function carriedTaxes({ taxes }, changes) {
  const list = taxes.map(({ code, rate, taxAmount }) => `${TAX_NAMES[code]} ${rate}: $ ${taxAmount}`).join(', ');
  return t(changes === 'quantity' ? 'taxesFollow' : 'taxesStay', { taxes: list });
}

/** @param {string} label @param {bigint} amount */
function row(label, amount) {
  return h('p', {}, h('span', {}, label), dollars(formatDecimal(amount, 2)));
}
