import { fill, h } from '../dom.js';
import { action, later, when } from '../parts.js';
import { t } from '../texts.js';

/** What the account was told. */
export function notificationsPage(/** @type {import('../session.js').Session} */ { api }) {
  const list = h('div', {});
  const reload = () =>
    fill(
      list,
      later(async () => {
        const { notifications, unreadCount } = await api.get('/v1/notifications');
        if (notifications.length === 0) return h('p', {}, t('nothing'));
        return [
          h('p', {}, t('unread', { count: unreadCount })),
          h('ul', { class: 'notices' }, notifications.map(notice)),
        ];
      }),
    );

  /** @param {any} notification */
  function notice({ id, severity, title, message, readAt, createdAt }) {
    return h(
      'li',
      { class: `card ${severity.toLowerCase()}${readAt ? '' : ' unread'}` },
      h('h2', {}, title),
      h('p', {}, message),
      h('p', { class: 'hint' }, when(createdAt)),
      !readAt &&
        action(t('markRead'), async () => {
          await api.post(`/v1/notifications/${id}/read`);
          reload();
        }),
    );
  }

  reload();
  return h('div', {}, h('h1', {}, t('notifications')), list);
}
