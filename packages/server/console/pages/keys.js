import { fill, h } from '../dom.js';
import { action, field, form, later, shownOnce, table, when } from '../parts.js';
import { t } from '../texts.js';

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

/** The keys of the account. */
export function keysPage(/** @type {import('../session.js').Session} */ { api }) {
  const list = h('div', {});
  const made = h('div', { 'aria-live': 'polite' });
  const reload = () =>
    fill(
      list,
      later(async () => showKeys(await api.get('/v1/keys'))),
    );

  /** @param {{ keys: readonly any[], limit: { max: number, used: number } }} answer */
  function showKeys({ keys, limit }) {
    return [
      h('p', {}, t('keyPlaces', limit)),
      table(
        [t('label'), t('scopes'), t('lastUsed'), t('requests'), ''],
        keys.map((key) => [
          h('span', {}, key.label ?? '–', ' ', h('code', {}, `…${key.last4}`)),
          h('small', {}, key.scopes.join(', ')),
          when(key.lastUsedAt),
          key.requestCount,
          action(
            t('revoke'),
            async () => {
              await api.remove(`/v1/keys/${key.id}`);
              reload();
            },
            { kind: 'danger', confirm: t('revokeAsk', { label: key.label ?? key.last4 }) },
          ),
        ]),
        t('keys'),
      ),
    ];
  }

  reload();
  return h(
    'div',
    {},
    h('h1', {}, t('keys')),
    list,
    h(
      'section',
      { class: 'card' },
      h('h2', {}, t('newKey')),
      form(
        {
          submit: t('newKey'),
          act: async (data) => {
            const body = { label: String(data.get('label')).trim(), scopes: data.getAll('scopes') };
            const { apiKey } = await api.post('/v1/keys', body);
            fill(made, shownOnce(t('apiKey'), apiKey));
            reload();
          },
        },
        field(t('label'), h('input', { name: 'label', maxlength: 100, required: true })),
        h(
          'fieldset',
          {},
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
      ),
      made,
    ),
  );
}
