import { fill, h, uniqueId } from './dom.js';
import { openRow } from './form-body.js';
import { field } from './parts.js';
import { t } from './texts.js';

/** @typedef {import('./form-body.js').CatalogEntry} CatalogEntry */
/** @typedef {import('./form-body.js').Draft} Draft */
/** @typedef {import('./form-body.js').Field} Field */

/**
 * A form that is being filled in.
 *
 * @typedef {object} Filling
 * @property {Readonly<Record<string, readonly CatalogEntry[]>>} catalogs by name
 * @property {() => void} changed after each change of the draft
 * @property {Set<{ element: Element, refresh: () => void }>} followers what follows the draft: amounts, fields that come and go
 */

/**
 * The fields of a form, tied to its draft: what one types stands in the draft.
 *
 * @param {readonly Field[]} fields
 * @param {Draft} row
 * @param {Filling} filling
 * @param {Draft} [holder] the draft that has the row
 * @returns {HTMLElement[]}
 */
export function fieldBlocks(fields, row, filling, holder = row) {
  return blocksOf(fields, { row, holder, filling, set: {} });
}

/** Shows again what follows the draft. @param {Filling} filling */
export function refreshAll({ followers }) {
  for (const follower of followers) {
    if (follower.element.isConnected) follower.refresh();
    else followers.delete(follower);
  }
}

// --- internal ---

/**
 * Fields of one row.
 *
 * @typedef {object} Scope
 * @property {Draft} row
 * @property {Draft} holder
 * @property {Filling} filling
 * @property {Record<string, (value: unknown) => void>} set shows a value in a field, by its name
 */

/** @param {readonly Field[]} fields @param {Scope} scope @returns {HTMLElement[]} */
function blocksOf(fields, scope) {
  /** @type {HTMLElement[]} */
  const blocks = [];
  for (const each of fields) {
    if (each.fields) blocks.push(block(each, scope));
    else {
      const last = blocks.at(-1);
      const grid = last?.classList.contains('grid') ? last : h('div', { class: 'grid' });
      if (grid !== last) blocks.push(grid);
      grid.append(leaf(each, scope));
    }
  }
  return blocks;
}

/** @param {Field} each @param {Scope} scope @returns {HTMLElement} */
function block(each, scope) {
  const { kind, name, folded, shown } = each;
  const { row, holder, filling } = scope;
  const title = t(each.label ?? name);
  const isOpen = holdsSomething(each, row);
  const content =
    kind === 'list'
      ? listContent(each, scope)
      : kind === 'group'
        ? groupContent(each, scope)
        : blocksOf(each.fields ?? [], scope);
  const element = folded
    ? h('details', { class: 'fold', open: isOpen }, h('summary', {}, title), content)
    : h('fieldset', {}, h('legend', {}, title), content);
  if (shown) {
    follow(filling, element, () => {
      element.hidden = !shown(row, holder);
    });
  }
  return element;
}

/** @param {Field} group @param {Scope} scope @returns {HTMLElement[]} */
function groupContent({ name, fields = [], presets = [] }, { row: holder, filling }) {
  const row = /** @type {Draft} */ (holder[name] ?? {});
  holder[name] = row;
  /** @type {Scope} */
  const scope = { row, holder, filling, set: {} };
  const content = blocksOf(fields, scope);
  for (const { label, values } of presets) {
    const choose = () => {
      put(values, scope);
      filling.changed();
    };
    content.at(0)?.append(h('button', { type: 'button', class: 'plain', onclick: choose }, t(label)));
  }
  return content;
}

/** @param {Field} list @param {Scope} scope @returns {HTMLElement[]} */
function listContent(list, { row: holder, filling }) {
  const { name, add = 'addItem', altered } = list;
  const rows = /** @type {Draft[]} */ (holder[name] ?? []);
  holder[name] = rows;
  const place = h('div', { class: 'lines' });
  /** @param {Draft} row */
  const append = (row) => {
    const element = rowElement(list, row, { holder, filling }, () => {
      rows.splice(rows.indexOf(row), 1);
      element.remove();
      altered?.(holder);
      filling.changed();
    });
    place.append(element);
  };
  for (const row of rows) append(row);
  const addRow = () => {
    const row = openRow(list, null);
    rows.push(row);
    append(row);
    altered?.(holder);
    filling.changed();
    /** @type {HTMLElement | null | undefined} */ (place.lastElementChild?.querySelector('input, select'))?.focus();
  };
  return [place, h('button', { type: 'button', class: 'add', onclick: addRow }, t(add))];
}

/**
 * @param {Field} list
 * @param {Draft} row
 * @param {{ holder: Draft, filling: Filling }} about
 * @param {() => void} removeRow
 */
function rowElement(
  { name, label, fields = [], look, required, remove = 'removeItem', note },
  row,
  { holder, filling },
  removeRow,
) {
  const id = uniqueId();
  const removal = h(
    'button',
    { type: 'button', class: 'plain remove', 'aria-label': t(remove), onclick: removeRow },
    '×',
  );
  const blocks = fieldBlocks(fields, row, filling, holder);
  const said = note?.(row);
  // A line stands in one row, with its button at the end.
  const [first] = blocks;
  if (look && first) {
    first.className = look;
    first.append(removal);
  }
  // The only entry of a list that needs one stays.
  if (required) {
    follow(filling, removal, () => {
      removal.hidden = /** @type {readonly unknown[]} */ (holder[name]).length === 1;
    });
  }
  return h(
    'div',
    { class: look ? 'entry' : 'entry block', role: 'group', 'aria-labelledby': id },
    h('span', { id, class: 'unseen' }, t(label ?? name)),
    blocks,
    said && h('p', { class: 'hint' }, said),
    !look && removal,
  );
}

/** @param {Field} each @param {Scope} scope @returns {HTMLElement} */
function leaf(each, scope) {
  const element = each.kind === 'check' ? check(each, scope) : labelled(each, scope);
  const { shown, required } = each;
  if (shown) {
    const { row, holder, filling } = scope;
    follow(filling, element, () => {
      element.hidden = !shown(row, holder);
      // What is not shown is not asked for.
      if (required && each.kind !== 'check') {
        element.querySelector('input, select')?.toggleAttribute('required', !element.hidden);
      }
    });
  }
  return element;
}

/** @param {Field} each @param {Scope} scope */
function check({ name, label }, { row, filling }) {
  const input = h('input', {
    type: 'checkbox',
    onchange: () => {
      row[name] = input.checked;
      filling.changed();
    },
  });
  input.checked = row[name] === true;
  return h('label', { class: 'check' }, input, t(label ?? name));
}

/** @param {Field} each @param {Scope} scope */
function labelled(each, scope) {
  const { kind, name, hint } = each;
  const label = t(each.label ?? name);
  if (kind === 'output') return output(each, label, scope);
  if (kind === 'choice' || kind === 'rate') {
    return field(label, kind === 'rate' ? rateChoice(each, scope) : choice(each, scope), hint ? { hint: t(hint) } : {});
  }
  const input = textInput(each, scope);
  const element = field(label, input, hint ? { hint: t(hint) } : {});
  if (each.catalog) element.append(suggestions(each, input, scope));
  return element;
}

/** @param {Field} each @param {string} label @param {Scope} scope */
function output({ text }, label, { row, holder, filling }) {
  const shown = h('output', { class: 'line-total' });
  follow(filling, shown, () => fill(shown, text?.(row, holder) ?? ''));
  return h('div', { class: 'field total' }, h('span', { class: 'label' }, label), shown);
}

/** @param {Field} each @param {Scope} scope */
function textInput(each, scope) {
  const { kind, name, max, pattern, required = false } = each;
  const { row, set } = scope;
  const isNumber = kind === 'amount' || kind === 'integer';
  const input = h('input', {
    type: kind === 'date' || kind === 'email' ? kind : 'text',
    maxlength: max ?? null,
    pattern: pattern ?? (kind === 'amount' ? '\\d+([.,]\\d+)?' : kind === 'integer' ? '\\d+' : null),
    inputmode: kind === 'amount' ? 'decimal' : kind === 'integer' ? 'numeric' : null,
    class: isNumber ? 'number' : null,
    readonly: each.locked?.(row) ?? false,
    required,
    oninput: () => change(each, scope, kind === 'date' ? swapDate(input.value, '-', '/') : input.value),
  });
  const show = (/** @type {unknown} */ value) => {
    const text = String(value ?? '');
    input.value = kind === 'date' ? swapDate(text, '/', '-') : text;
  };
  show(row[name]);
  set[name] = show;
  return input;
}

/** @param {Field} each @param {Scope} scope */
function choice(each, scope) {
  const { name, required = false, codes, texts, coded, catalog } = each;
  const { row, set, filling } = scope;
  /** @type {readonly (readonly [code: string, text: string])[]} */
  const offered = catalog
    ? (filling.catalogs[catalog] ?? [])
        .filter(({ code }) => !codes || codes.includes(code))
        .map(({ code, description }) => [code, coded ? `${code} · ${description}` : description])
    : (codes ?? []).map((code) => [code, t(`${texts}.${code}`)]);
  const select = h(
    'select',
    { onchange: () => change(each, scope, select.value), required },
    // What is not offered any more is kept, and the server says what it thinks of it.
    [...(required ? [] : [/** @type {const} */ (['', '–'])]), ...offered, ...kept(row[name], offered)].map(
      ([value, text]) => h('option', { value }, text),
    ),
  );
  if (required && !row[name]) row[name] = offered[0]?.[0] ?? '';
  select.value = String(row[name] ?? '');
  set[name] = (value) => {
    select.value = String(value ?? '');
  };
  return select;
}

/** @param {unknown} value @param {readonly (readonly [string, string])[]} offered @returns {readonly (readonly [string, string])[]} */
function kept(value, offered) {
  const code = String(value ?? '');
  return code === '' || offered.some(([each]) => each === code) ? [] : [[code, code]];
}

/** The rate of IVA. That of an older document is not in force, and stays all the same. @param {Field} each @param {Scope} scope */
function rateChoice(each, scope) {
  const { row, filling } = scope;
  const rates = (filling.catalogs['tax-rates'] ?? []).map((entry) => ({
    rateCode: String(entry['rateCode']),
    rate: String(entry['rate']),
    text: entry.description || `${entry['rate']} %`,
  }));
  const own = String(row['rateCode'] ?? '');
  const known = rates.find(({ rateCode }) => rateCode === own);
  const offered =
    known || own === '' ? rates : [...rates, { rateCode: own, rate: String(row['rate']), text: `${row['rate']} %` }];
  const chosen = own === '' ? (rates.find(({ rate }) => Number(rate) === USUAL_RATE) ?? rates[0]) : known;
  if (chosen) {
    row['rateCode'] = chosen.rateCode;
    row['rate'] ??= chosen.rate;
  }
  const select = h(
    'select',
    {
      disabled: each.locked?.(row) ?? false,
      onchange: () => {
        row['rate'] = offered.find(({ rateCode }) => rateCode === select.value)?.rate;
        change(each, scope, select.value);
      },
    },
    offered.map(({ rateCode, text }) => h('option', { value: rateCode }, text)),
  );
  select.value = String(row['rateCode'] ?? '');
  return select;
}

/** The codes that the catalog has for the row, as one types. @param {Field} each @param {HTMLInputElement} input @param {Scope} scope */
function suggestions({ catalog = '', suggested }, input, { row, filling }) {
  const list = h('datalist', { id: uniqueId() });
  input.setAttribute('list', list.id);
  input.addEventListener('focus', () => {
    const entries = (filling.catalogs[catalog] ?? []).filter((entry) => suggested?.(entry, row) ?? true);
    fill(
      list,
      entries.map(({ code, description }) => h('option', { value: code ?? description }, code ? description : '')),
    );
  });
  return list;
}

/** Puts a value into the draft, and what follows from it. @param {Field} each @param {Scope} scope @param {unknown} value */
function change({ name, fill: filled, catalog = '' }, scope, value) {
  const { row, holder, filling } = scope;
  row[name] = value;
  if (filled) put(filled(row, holder, filling.catalogs[catalog] ?? []), scope);
  filling.changed();
}

/** Shows values in their fields, and puts them into the draft. @param {Draft} values @param {Scope} scope */
function put(values, { row, set }) {
  for (const [name, value] of Object.entries(values)) {
    row[name] = value;
    set[name]?.(value);
  }
}

/** Does something now, and after each change of the draft. @param {Filling} filling @param {Element} element @param {() => void} refresh */
function follow({ followers }, element, refresh) {
  refresh();
  followers.add({ element, refresh });
}

/** @param {Field} each @param {Draft} row @returns {boolean} */
function holdsSomething({ kind, name, fields = [] }, row) {
  const value = kind === 'section' ? row : row[name];
  if (kind === 'list') return /** @type {readonly unknown[] | undefined} */ (value)?.length !== 0;
  const inner = /** @type {Draft} */ (value ?? {});
  return fields.some((each) => (each.fields ? holdsSomething(each, inner) : Boolean(inner[each.name])));
}

/** A day as a date field has it, or as a body has it. @param {string} day @param {string} from @param {string} to */
function swapDate(day, from, to) {
  return day.split(from).toReversed().join(to);
}

const USUAL_RATE = 15;
