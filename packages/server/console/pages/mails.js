import { ask } from '../api.js';
import { h } from '../dom.js';
import { empty, facts, later, table, when } from '../parts.js';
import { address } from '../router.js';
import { t } from '../texts.js';

/**
 * A mail that was written on this machine.
 *
 * @typedef {object} WrittenMail
 * @property {string} id
 * @property {string} subject
 * @property {string} to
 * @property {string | null} date
 * @property {readonly string[]} attachments their names
 */

/** The mails this machine wrote instead of sending them; or one of them, as its reader would see it. @param {string | null} id */
export function mailsPage(id) {
  return h(
    'div',
    {},
    h('h1', {}, t('mails')),
    h('p', { class: 'hint' }, t('mailsIntro')),
    later(async () => {
      const answer = await ask(`/console/mails${id ? `/${encodeURIComponent(id)}` : ''}`);
      /** @type {{ mails?: readonly WrittenMail[], mail?: WrittenMail }} */
      const { mails = [], mail } = await answer.json();
      return mail ? shown(mail) : list(mails);
    }),
  );
}

// --- internal ---

/** @param {readonly WrittenMail[]} mails */
function list(mails) {
  if (mails.length === 0) return empty(t('noMails'));
  return table(
    [t('subject'), t('recipient'), t('date')],
    mails.map((mail) => [h('a', { href: address(`mails/${mail.id}`) }, mail.subject), mail.to, when(mail.date)]),
    t('mails'),
  );
}

/** @param {WrittenMail} mail */
function shown({ id, subject, to, date, attachments }) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, subject),
    facts([
      [t('recipient'), to],
      [t('date'), when(date)],
      [t('attachments'), attachments.map((name) => h('p', {}, name)), 'wide'],
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
