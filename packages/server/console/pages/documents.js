import { FORM_TYPES, findForm, hasTotal } from '../document-forms.js';
import { h } from '../dom.js';
import { dollars, empty, field, form, later, statusBadge, table } from '../parts.js';
import { address, go } from '../router.js';
import { issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('sri-core/client').OperationAnswer<'listDocuments'>} Answer */
/** @typedef {NonNullable<import('sri-core/client').Operations['listDocuments']['query']>} Query */

const STATUSES = /** @satisfies {readonly Answer['data'][number]['status'][]} */ ([
  'SIGNED',
  'PENDING_SEND',
  'RECEIVED',
  'RETURNED',
  'AUTHORIZED',
  'NOT_AUTHORIZED',
  'VOIDED',
]);
const FILTERS = ['status', 'documentType', 'from', 'to', 'buyerName', 'sequential'];
const PAGE_SIZE = 20;

/** @param {Session} session @param {URLSearchParams} query */
export function documentsPage(session, query) {
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? '']));
  const page = Number(query.get('page') ?? 1) || 1;
  return h(
    'div',
    {},
    h('h1', {}, t('documents')),
    filters(wanted),
    later(async () => {
      const dates = { from: toIssueDate(wanted['from'] ?? ''), to: toIssueDate(wanted['to'] ?? '') };
      // What stands in the address is judged by the server, which says what is wrong with it.
      const filter = /** @type {Query} */ ({ ...wanted, ...dates });
      const { data, pagination } = await session.api.call('listDocuments', {
        query: { ...filter, page, limit: PAGE_SIZE },
      });
      if (data.length === 0) return nothing(wanted);
      return [list(session, data), pages(wanted, pagination)];
    }),
  );
}

/** @param {Record<string, string>} wanted */
function nothing(wanted) {
  if (Object.values(wanted).some((value) => value !== '')) return empty(t('noDocuments'));
  return empty(t('noDocumentsYet'), h('a', { class: 'button', href: address('invoice') }, t('newInvoice')));
}

/** What a date field holds, as documents write days. @param {string} day `2026-11-21`, or nothing */
function toIssueDate(day) {
  return day.split('-').toReversed().join('/');
}

/** @param {Record<string, string>} wanted */
function filters(wanted) {
  /** @param {string} name @param {readonly string[]} values @param {string} prefix */
  const choice = (name, values, prefix) =>
    h(
      'select',
      { name },
      h('option', { value: '' }, t('all')),
      values.map((value) => h('option', { value, selected: wanted[name] === value }, t(`${prefix}.${value}`))),
    );
  return form(
    {
      submit: t('search'),
      class: 'filters',
      act: (data) =>
        go('documents', Object.fromEntries(FILTERS.map((name) => [name, String(data.get(name) ?? '').trim()]))),
    },
    field(t('status'), choice('status', STATUSES, 'status')),
    field(t('type'), choice('documentType', FORM_TYPES, 'type')),
    field(t('from'), h('input', { type: 'date', name: 'from', value: wanted['from'] })),
    field(t('to'), h('input', { type: 'date', name: 'to', value: wanted['to'] })),
    field(t('counterparty'), h('input', { name: 'buyerName', value: wanted['buyerName'] })),
    field(t('sequentialPart'), h('input', { name: 'sequential', inputmode: 'numeric', value: wanted['sequential'] })),
  );
}

/** @param {Session} session @param {Answer['data']} documents */
function list({ issuer }, documents) {
  return table(
    [t('number'), t('type'), t('date'), t('counterparty'), { number: t('total') }, t('status')],
    documents.map((document) => [
      h(
        'a',
        { href: address(`documents/${document.accessKey}`) },
        `${issuer ? issuerPlace(issuer) : ''}-${document.sequential}`,
      ),
      t(`type.${document.documentType}`),
      document.issueDate,
      h('span', { class: 'long' }, document.counterparty.name),
      totalOf(document),
      statusBadge(document.status),
    ]),
    t('documents'),
  );
}

/** What a document comes to: nothing for a type without a total. @param {Answer['data'][number]} document */
function totalOf({ documentType, total }) {
  const name = findForm(documentType)?.totalName;
  return hasTotal(documentType) ? [dollars(total), name && h('p', { class: 'hint' }, t(name))] : '–';
}

/** @param {Record<string, string>} wanted @param {Answer['pagination']} pagination */
function pages(wanted, { total, page, limit }) {
  const last = Math.max(1, Math.ceil(total / limit));
  /** @param {number} to @param {string} label @param {string} rel */
  const link = (to, label, rel) => h('a', { href: address('documents', { ...wanted, page: String(to) }), rel }, label);
  return h(
    'nav',
    { class: 'pages', 'aria-label': t('page', { page, pages: last }) },
    h('span', {}, t('found', { total })),
    page > 1 && link(page - 1, t('before'), 'prev'),
    h('span', {}, t('page', { page, pages: last })),
    page < last && link(page + 1, t('after'), 'next'),
  );
}
