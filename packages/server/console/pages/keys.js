import { dayChart } from '../chart.js';
import { fill, h } from '../dom.js';
import { action, field, form, later, shownOnce, table, when } from '../parts.js';
import { t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('sri-core/client').OperationAnswer<'listKeys'>} Answer */
/** @typedef {import('sri-core/client').ApiKey} ApiKey */

/** @type {readonly ApiKey['scopes'][number][]} */
const SCOPES = [
  'documents:write',
  'documents:read',
  'issuers:read',
  'issuers:write',
  'keys:manage',
  'billing:manage',
  'webhooks:manage',
  'tenant:manage',
  'tenant:promote',
];

/** The keys of the account. @param {Session} session */
export function keysPage({ api }) {
  const list = h('div', {});
  const usage = h('div', { 'aria-live': 'polite' });
  const made = h('div', { 'aria-live': 'polite' });
  const reload = () => {
    fill(usage);
    fill(
      list,
      later(async () => showKeys(await api.call('listKeys', {}))),
    );
  };

  /** @param {Answer} answer */
  function showKeys({ keys, limit: { max, used } }) {
    return [
      table(
        [t('label'), t('scopes'), t('lastUsed'), { number: t('requests') }, ''],
        keys.map((key) => [
          [h('span', {}, named(key) ?? '–', ' ', h('code', {}, `…${key.last4}`))],
          h('small', {}, key.scopes.join(', ')),
          when(key.lastUsedAt),
          key.requestCount,
          h('div', { class: 'buttons' }, ...doings(key)),
        ]),
        t('keys'),
      ),
      h('p', { class: 'hint' }, max === 0 ? t('keyNone') : t('keyPlaces', { used, max })),
    ];
  }

  /** @param {ApiKey} key */
  function doings(key) {
    const name = named(key) ?? key.last4;
    return [
      action(t('use'), async () => {
        const { usage: days } = await api.call('getKeyUsage', { params: { id: key.id }, query: {} });
        const shown = days.map(({ date, requestCount }) => ({ date: toIssueDate(date), count: requestCount }));
        const about = `${t('usage')}: ${name}`;
        fill(usage, h('section', { class: 'card' }, h('h2', {}, about), dayChart(shown, about)));
      }),
      action(
        t('revoke'),
        async () => {
          await api.call('revokeKey', { params: { id: key.id } });
          reload();
        },
        { kind: 'danger', confirm: t('revokeAsk', { label: name }) },
      ),
    ];
  }

  /** @param {FormData} data */
  async function make(data) {
    const scopes = SCOPES.filter((scope) => data.getAll('scopes').includes(scope));
    const { apiKey } = await api.call('createKey', { body: { label: String(data.get('label')).trim(), scopes } });
    fill(made, shownOnce(t('apiKey'), apiKey));
    making.reset();
    reload();
  }

  const making = form(
    { submit: t('newKey'), act: make },
    field(t('label'), h('input', { name: 'label', maxlength: 100, required: true })),
    h(
      'fieldset',
      { class: 'checks' },
      h('legend', {}, t('scopes')),
      SCOPES.map((scope) =>
        h(
          'label',
          { class: 'check' },
          h('input', { type: 'checkbox', name: 'scopes', value: scope, checked: scope.startsWith('documents:') }),
          h('code', {}, scope),
        ),
      ),
    ),
  );

  reload();
  return h(
    'div',
    {},
    h('h1', {}, t('keys')),
    list,
    usage,
    h('section', { class: 'card' }, h('h2', {}, t('newKey')), making, made),
  );
}

// --- internal ---

/** A day as documents write it. @param {string} day `2026-11-21` */
function toIssueDate(day) {
  return day.split('-').toReversed().join('/');
}

/** The name of a key; that of the first, which the server gives it, in the language of the page. @param {ApiKey} key */
function named({ label }) {
  return label === 'Initial master key' ? t('firstKey') : label;
}
