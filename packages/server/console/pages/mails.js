import { createApi } from '../api.js';
import { h } from '../dom.js';
import { facts, later, table, when } from '../parts.js';
import { address } from '../router.js';
import { t } from '../texts.js';

/** The mails this machine wrote instead of sending them; or one of them, as its reader would see it. */
export function mailsPage(/** @type {string | null} */ id) {
  const api = createApi({});
  return h(
    'div',
    {},
    h('h1', {}, t('mails')),
    h('p', { class: 'hint' }, t('mailsIntro')),
    later(async () => {
      if (!id) return list((await api.get('/console/mails')).mails);
      return shown((await api.get(`/console/mails/${encodeURIComponent(id)}`)).mail);
    }),
  );
}

// --- internal ---

/** @param {readonly any[]} mails */
function list(mails) {
  if (mails.length === 0) return h('p', {}, t('nothing'));
  return table(
    [t('subject'), t('recipient'), t('date')],
    mails.map((mail) => [h('a', { href: address(`mails/${mail.id}`) }, mail.subject), mail.to, when(mail.date)]),
    t('mails'),
  );
}

/** @param {any} mail */
function shown({ id, subject, to, date, attachments }) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, subject),
    facts([
      [t('recipient'), to],
      [t('date'), when(date)],
      [t('attachments'), attachments.join(', ')],
    ]),
    // Without rights of any kind: no scripts, no forms, no way out but links that open elsewhere.
    h('iframe', {
      src: `/console/mails/${encodeURIComponent(id)}/page`,
      sandbox: 'allow-popups',
      title: subject,
      class: 'mail',
    }),
  );
}
