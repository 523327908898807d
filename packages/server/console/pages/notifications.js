import { fill, h } from '../dom.js';
import { action, empty, later, when } from '../parts.js';
import { t } from '../texts.js';

/** What the account was told. @param {import('../session.js').Session} session */
export function notificationsPage({ api }) {
  const list = h('div', {});
  const reload = () =>
    fill(
      list,
      later(async () => {
        const { notifications, unreadCount } = await api.call('listNotifications', { query: {} });
        if (notifications.length === 0) return empty(t('noNotifications'));
        return [
          h('p', {}, t('unread', { count: unreadCount })),
          h('ul', { class: 'notices' }, notifications.map(notice)),
        ];
      }),
    );

  /** @param {import('sri-core/client').Notification} notification */
  function notice({ id, severity, title, message, readAt, createdAt }) {
    return h(
      'li',
      { class: `card ${severity.toLowerCase()}${readAt ? '' : ' unread'}` },
      h('h2', {}, title),
      h('p', {}, message),
      h('p', { class: 'hint' }, when(createdAt)),
      !readAt &&
        action(t('markRead'), async () => {
          await api.call('readNotification', { params: { id } });
          reload();
        }),
    );
  }

  reload();
  return h('div', {}, h('h1', {}, t('notifications')), list);
}
