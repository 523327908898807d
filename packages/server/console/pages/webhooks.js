import { fill, h } from '../dom.js';
import { action, field, form, later, shownOnce, statusBadge, table, when } from '../parts.js';
import { address, go } from '../router.js';
import { t } from '../texts.js';

/** The endpoints of the account; or one of them, with its deliveries. */
export function webhooksPage(/** @type {import('../session.js').Session} */ session, /** @type {string | null} */ id) {
  return id ? endpointPage(session, id) : listPage(session);
}

// --- internal ---

/** @param {import('../session.js').Session} session */
function listPage({ api }) {
  const list = h('div', {});
  const made = h('div', { 'aria-live': 'polite' });
  const reload = () =>
    fill(
      list,
      later(async () => {
        const { endpoints } = await api.get('/v1/webhooks');
        if (endpoints.length === 0) return h('p', {}, t('nothing'));
        return table(
          [t('url'), t('eventTypes'), t('status')],
          endpoints.map((/** @type {any} */ endpoint) => [
            h('a', { href: address(`webhooks/${endpoint.id}`) }, endpoint.url),
            endpoint.eventTypes.length === 0 ? t('everyEvent') : h('small', {}, endpoint.eventTypes.join(', ')),
            t(endpoint.active ? 'yes' : 'no'),
          ]),
          t('webhooks'),
        );
      }),
    );
  reload();
  return h(
    'div',
    {},
    h('h1', {}, t('webhooks')),
    list,
    h(
      'section',
      { class: 'card' },
      h('h2', {}, t('newWebhook')),
      form(
        {
          submit: t('newWebhook'),
          act: async (data) => {
            const { secret } = await api.post('/v1/webhooks', { url: String(data.get('url')).trim(), eventTypes: [] });
            fill(made, shownOnce(t('secret'), secret));
            reload();
          },
        },
        field(t('url'), h('input', { type: 'url', name: 'url', placeholder: 'https://…', required: true })),
      ),
      made,
    ),
  );
}

/** @param {import('../session.js').Session} session @param {string} id */
function endpointPage({ api }, id) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`;
  const list = h('div', {});
  const made = h('div', { 'aria-live': 'polite' });
  const reload = () =>
    fill(
      list,
      later(async () => {
        const { data } = await api.get(`${path}/deliveries`);
        if (data.length === 0) return h('p', {}, t('nothing'));
        return table(
          [t('event'), t('status'), t('attempts'), t('date'), t('lastError'), ''],
          data.map((/** @type {any} */ delivery) => [
            delivery.event,
            statusBadge(delivery.status),
            delivery.attemptCount,
            when(delivery.createdAt),
            [delivery.lastStatusCode, delivery.lastError].filter(Boolean).join(' · ') || '–',
            action(t('redeliver'), async () => {
              await api.post(`${path}/deliveries/${delivery.id}/redeliver`);
              reload();
            }),
          ]),
          t('deliveries'),
        );
      }),
    );
  reload();
  return h(
    'div',
    {},
    h('h1', {}, t('deliveries')),
    h(
      'div',
      { class: 'buttons' },
      action(t('testWebhook'), async () => {
        await api.post(`${path}/test`);
        reload();
      }),
      action(
        t('rotateSecret'),
        async () => {
          const { secret } = await api.post(`${path}/rotate-secret`);
          fill(made, shownOnce(t('secret'), secret));
        },
        { confirm: t('rotateAsk') },
      ),
      action(
        t('remove'),
        async () => {
          await api.remove(path);
          go('webhooks');
        },
        { kind: 'danger', confirm: t('removeAsk') },
      ),
    ),
    made,
    list,
  );
}
