import { fill, h } from '../dom.js';
import { action, empty, field, form, later, shownOnce, statusBadge, table, when } from '../parts.js';
import { address, go } from '../router.js';
import { t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */

/** The endpoints of the account; or one of them, with its deliveries. @param {Session} session @param {string | null} id */
export function webhooksPage(session, id) {
  return id ? endpointPage(session, id) : listPage(session);
}

// --- internal ---

/** @param {Session} session */
function listPage({ api }) {
  const list = h('div', {});
  const made = h('div', { 'aria-live': 'polite' });
  const reload = () =>
    fill(
      list,
      later(async () => {
        const { endpoints } = await api.call('listWebhooks', {});
        if (endpoints.length === 0) return empty(t('noWebhooks'));
        return table(
          [t('place'), t('eventTypes'), t('active')],
          endpoints.map(({ id, url, eventTypes, active }) => [
            h('a', { class: 'long', href: address(`webhooks/${id}`) }, url),
            eventTypes.length === 0 ? t('everyEvent') : h('small', {}, eventTypes.join(', ')),
            t(active ? 'yes' : 'no'),
          ]),
          t('webhooks'),
        );
      }),
    );
  const adding = form(
    {
      submit: t('newWebhook'),
      act: async (data) => {
        const { secret } = await api.call('createWebhook', { body: { url: String(data.get('url')).trim() } });
        fill(made, shownOnce(t('secret'), secret));
        adding.reset();
        reload();
      },
    },
    field(t('url'), h('input', { type: 'url', name: 'url', placeholder: 'https://…', required: true })),
  );
  reload();
  return h(
    'div',
    {},
    h('h1', {}, t('webhooks')),
    list,
    h('section', { class: 'card' }, h('h2', {}, t('newWebhook')), adding, made),
  );
}

/** @param {Session} session @param {string} id */
function endpointPage({ api }, id) {
  const params = { id };
  const list = h('div', {});
  const made = h('div', { 'aria-live': 'polite' });
  const told = h('p', { role: 'status', class: 'hint' });
  let waitMs = FIRST_LOOK_MS;
  const reload = () => {
    waitMs = FIRST_LOOK_MS;
    fill(list, later(showDeliveries));
  };
  const look = () => {
    if (list.isConnected)
      showDeliveries()
        .then((shown) => fill(list, shown))
        .catch(wait);
  };
  const wait = () => {
    setTimeout(look, waitMs);
    waitMs = Math.min(waitMs * 1.5, LAST_LOOK_MS);
  };

  async function showDeliveries() {
    const [{ data }, { endpoints }] = await Promise.all([
      api.call('listDeliveries', { params, query: {} }),
      api.call('listWebhooks', {}),
    ]);
    const endpoint = endpoints.find((each) => each.id === id);
    // What is on its way changes by itself; a page that is not shown any more asks for nothing.
    if (data.some(({ status }) => status === 'PENDING')) wait();
    return [
      endpoint && h('p', {}, h('code', {}, endpoint.url)),
      data.length === 0
        ? empty(t('noDeliveries'))
        : table(
            [t('event'), t('status'), { number: t('attempts') }, t('date'), t('lastError'), ''],
            data.map(row),
            t('deliveries'),
          ),
    ];
  }

  /** @param {import('sri-core/client').WebhookDelivery} delivery */
  function row({ id: deliveryId, event, status, attemptCount, createdAt, lastStatusCode, lastError }) {
    return [
      h('code', {}, event),
      statusBadge(status),
      attemptCount,
      when(createdAt),
      [lastStatusCode, lastError].filter(Boolean).join(' · ') || '–',
      action(t('redeliver'), async () => {
        await api.call('redeliver', { params: { id, deliveryId } });
        fill(told, t('deliveredNow'));
        reload();
      }),
    ];
  }

  reload();
  return h(
    'div',
    {},
    h('h1', {}, t('deliveries')),
    h('p', {}, h('a', { href: address('webhooks') }, t('backToWebhooks'))),
    h(
      'div',
      { class: 'buttons spaced' },
      action(t('testWebhook'), async () => {
        await api.call('testWebhook', { params });
        fill(told, t('testQueued'));
        reload();
      }),
      action(
        t('rotateSecret'),
        async () => {
          const { secret } = await api.call('rotateWebhookSecret', { params });
          fill(made, shownOnce(t('secret'), secret));
        },
        { confirm: t('rotateAsk') },
      ),
      action(
        t('remove'),
        async () => {
          await api.call('deleteWebhook', { params });
          go('webhooks');
        },
        { kind: 'danger', confirm: t('removeAsk') },
      ),
    ),
    made,
    told,
    list,
  );
}

/** The smallest plan reads sixty times a minute: looking may not use that up. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 15_000;
