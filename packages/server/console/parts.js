import { ApiError } from './api.js';
import { fill, h, uniqueId } from './dom.js';
import { language, t } from './texts.js';

/** @param {string} status */
export function statusBadge(status) {
  return h('span', { class: `badge ${status.toLowerCase()}` }, t(`status.${status}`));
}

/** @param {string | null | undefined} iso @param {{ time?: boolean }} [options] */
export function when(iso, { time = true } = {}) {
  if (!iso) return '–';
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { dateStyle: 'medium', timeZone: 'America/Guayaquil', ...(time ? { timeStyle: 'short' } : {}) };
  const text = new Intl.DateTimeFormat(`${language()}-EC`, style).format(new Date(iso));
  return h('time', { datetime: iso }, text);
}

/** @typedef {import('./dom.js').Leaf} Leaf */
/** @typedef {import('./dom.js').Child} Child */

/** @param {string} amount */
export function dollars(amount) {
  return h('span', { class: 'amount' }, `$ ${amount}`);
}

/**
 * A labelled field.
 *
 * @param {string} label
 * @param {HTMLElement} control
 * @param {{ hint?: string }} [options]
 */
export function field(label, control, { hint } = {}) {
  const id = uniqueId();
  control.id = id;
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`);
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    control,
    hint && h('p', { class: 'hint', id: `${id}-hint` }, hint),
  );
}

/**
 * @param {string} label
 * @param {() => unknown} act what it does; while that runs the button waits, and a refusal is shown beside it
 * @param {{ kind?: string, confirm?: string, type?: string }} [options] `confirm` asks first
 */
export function action(label, act, { kind = '', confirm: question } = {}) {
  const told = h('div', { class: 'told', 'aria-live': 'polite' });
  const button = h('button', { type: 'button', class: kind }, label);
  button.addEventListener('click', async () => {
    if (question && !(await askFirst(question, label))) return;
    fill(told);
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      fill(told, problem(error));
    } finally {
      button.disabled = false;
    }
  });
  return h('div', { class: 'action' }, button, told);
}

/**
 * A form whose refusals are shown at its head, with the fields they are about.
 *
 * @param {{ submit: string, act: (data: FormData) => unknown, class?: string }} options
 * @param {...Child} children
 */
export function form({ submit, act, class: name = '' }, ...children) {
  const told = h('div', { class: 'told', role: 'alert', tabindex: '-1' });
  const button = h('button', { type: 'submit', class: 'primary' }, submit);
  const element = h(
    'form',
    { class: name, novalidate: true },
    told,
    ...children,
    h('div', { class: 'buttons' }, button),
  );
  // A field that is wrong is shown, also where it is folded away.
  element.addEventListener('invalid', openFolds, true);
  element.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    fill(told);
    if (!element.reportValidity()) return;
    button.disabled = true;
    try {
      await act(new FormData(element));
    } catch (error) {
      fill(told, problem(error));
      told.focus();
    } finally {
      button.disabled = false;
    }
  });
  return element;
}

/** @param {Event} event about a field */
function openFolds({ target }) {
  for (let place = /** @type {Element | null} */ (target); place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
}

/** What a form refuses by itself, in words for people. */
export class FormError extends Error {}

/** What went wrong, in the server's own words. @param {unknown} error */
export function problem(error) {
  if (error instanceof FormError) return h('p', { class: 'problem' }, error.message);
  if (!(error instanceof ApiError)) return h('p', { class: 'problem' }, t('unreachable'));
  return h(
    'div',
    { class: 'problem' },
    h('p', {}, error.code === null ? t('unexpected', { status: error.status }) : error.message),
    error.errors.length > 0 &&
      h(
        'ul',
        {},
        error.errors.map(({ field: name, message }) => h('li', {}, h('code', {}, name), ` ${message}`)),
      ),
    error.code !== null && h('p', { class: 'hint' }, [error.code, error.requestId].filter(Boolean).join(' · ')),
  );
}

/** A place for something that has to be asked for first, and again where that failed. @param {() => Promise<Child>} load */
export function later(load) {
  const place = h('div', {});
  const start = () => {
    place.setAttribute('aria-busy', 'true');
    fill(place, h('p', { class: 'hint' }, t('loading')));
    load()
      .then((content) => fill(place, content))
      .catch((error) => fill(place, problem(error), h('button', { type: 'button', onclick: start }, t('again'))))
      .finally(() => place.removeAttribute('aria-busy'));
  };
  start();
  return place;
}

/** That there is nothing, and what would change that. @param {string} text @param {...Child} more */
export function empty(text, ...more) {
  return h('div', { class: 'empty' }, h('p', {}, text), ...more);
}

/**
 * A table; on a phone each row becomes a block with its heads beside the cells.
 *
 * @param {readonly (string | { readonly number: string })[]} heads `number` for a column of numbers, which end on the right
 * @param {readonly (readonly Child[])[]} rows
 * @param {string} caption
 */
export function table(heads, rows, caption) {
  const columns = heads.map((head) =>
    typeof head === 'string' ? { label: head, kind: null } : { label: head.number, kind: 'number' },
  );
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h(
      'table',
      {},
      h('caption', { class: 'unseen' }, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map(({ label, kind }) =>
            label === '' ? h('td', {}) : h('th', { scope: 'col', class: kind }, label),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((cells) =>
          h(
            'tr',
            {},
            cells.map((cell, place) =>
              h('td', { 'data-head': columns[place]?.label, class: columns[place]?.kind }, ...[cell].flat()),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * Pairs of a name and a value; `wide` ones have a row of their own.
 *
 * @param {readonly (readonly [name: string, value: Child, wide?: 'wide'])[]} pairs
 * @param {'short' | ''} kind `short` where all are a few letters
 */
export function facts(pairs, kind = '') {
  return h(
    'dl',
    { class: `facts ${kind}` },
    pairs.flatMap(([name, value, wide]) =>
      value === null || value === undefined || value === '' || value === false
        ? []
        : [h('div', { class: wide }, h('dt', {}, name), h('dd', {}, value))],
    ),
  );
}

/** Asks before something that cannot be undone. @param {string} question @param {string} label @returns {Promise<boolean>} */
export function askFirst(question, label) {
  return new Promise((resolve) => {
    const id = uniqueId();
    /** @type {HTMLDialogElement} */
    const dialog = h(
      'dialog',
      { 'aria-labelledby': id },
      h('p', { id }, question),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', onclick: () => dialog.close('') }, t('cancel')),
        h('button', { type: 'button', class: 'danger', onclick: () => dialog.close('yes') }, label),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Downloads a file. @param {Blob} content @param {string} name */
export function save(content, name) {
  const url = URL.createObjectURL(content);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A text that is shown once: a key, a secret. @param {string} label @param {string} secret */
export function shownOnce(label, secret) {
  const copied = h('span', { role: 'status' });
  return h(
    'div',
    { class: 'once' },
    h('p', {}, h('strong', {}, label), ' ', t('shownOnce')),
    h('code', {}, secret),
    action(t('copy'), async () => {
      await navigator.clipboard.writeText(secret);
      fill(copied, t('copied'));
    }),
    copied,
  );
}
