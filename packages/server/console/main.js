import { DOCUMENT_FORMS, FORM_TYPES } from './document-forms.js';
import { fill, h } from './dom.js';
import { documentPage } from './pages/document.js';
import { documentsPage } from './pages/documents.js';
import { issuersPage } from './pages/issuers.js';
import { keysPage } from './pages/keys.js';
import { mailsPage } from './pages/mails.js';
import { newDocumentPage } from './pages/new-document.js';
import { notificationsPage } from './pages/notifications.js';
import { overviewPage } from './pages/overview.js';
import { registerPage } from './pages/register.js';
import { signInPage } from './pages/sign-in.js';
import { webhooksPage } from './pages/webhooks.js';
import { address, go, place } from './router.js';
import { issuerName, openSession } from './session.js';
import { language, setLanguage, t } from './texts.js';

/** @typedef {import('./session.js').Session} Session */

/** @type {Record<string, (session: Session, path: readonly string[], query: URLSearchParams) => Node>} */
const PAGES = {
  overview: overviewPage,
  documents: (session, path, query) => (path[1] ? documentPage(session, path[1]) : documentsPage(session, query)),
  ...Object.fromEntries(FORM_TYPES.map((type) => [DOCUMENT_FORMS[type].page, documentForm(type)])),
  issuers: (session, path) => issuersPage(session, path[1] ?? null),
  keys: keysPage,
  webhooks: (session, path) => webhooksPage(session, path[1] ?? null),
  notifications: notificationsPage,
  mails: (_session, path) => mailsPage(path[1] ?? null),
};

/** The sections, with the type of document that one is for. @type {readonly (readonly [string, Parameters<typeof t>[0], string?])[]} */
const SECTIONS = [
  ['overview', 'overview'],
  ['documents', 'documents'],
  ...FORM_TYPES.map((type) => /** @type {const} */ ([DOCUMENT_FORMS[type].page, DOCUMENT_FORMS[type].title, type])),
  ['issuers', 'issuers'],
  ['keys', 'keys'],
  ['webhooks', 'webhooks'],
  ['notifications', 'notifications'],
];

/** The page that makes a document of a type, on another one where the address names it. @param {import('./document-forms.js').FormType} documentType */
function documentForm(documentType) {
  /** @param {Session} session @param {readonly string[]} path */
  return (session, path) =>
    newDocumentPage(session, { documentType, original: path[1] ?? null, corrects: path[2] === 'correct' });
}

/** @type {Session | null} */
let session = null;
/** Whether mails are written on this machine instead of being sent, and may be looked at. */
let hasMails = false;
/** Whether this server shows the guide. */
let hasGuide = false;
const root = /** @type {HTMLElement} */ (document.getElementById('console'));

/** @param {string} apiKey */
async function signIn(apiKey) {
  session = await openSession(apiKey);
  hasMails = (await fetch('/console/mails').catch(() => null))?.ok ?? false;
  go('overview');
  show();
}

function signOut() {
  session = null;
  go('');
  show();
}

function show() {
  setLanguage(language());
  const { path, query } = place();
  if (!session) {
    const page = path[0] === 'register' ? registerPage(signIn) : signInPage(signIn);
    fill(root, banner(), h('main', { id: 'content', tabindex: '-1', class: 'narrow' }, page));
    return;
  }
  const name = path[0] ?? 'overview';
  const page = PAGES[name]?.(session, path, query) ?? h('p', {}, t('notHere'));
  const sri = h('p', { class: 'warning', role: 'status', hidden: true });
  void tellOfSri(sri, session.tenant.sandbox);
  const content = h('main', { id: 'content', tabindex: '-1' }, sri, page);
  fill(root, banner(), h('div', { class: 'frame' }, menu(name), content));
  content.focus({ preventScroll: true });
  scrollTo(0, 0);
  // On a phone the sections stand in one row, of which a part is seen.
  const current = root.querySelector('nav [aria-current]');
  const row = current?.closest('ul');
  if (row && current instanceof HTMLElement) {
    row.scrollLeft = current.offsetLeft - (row.clientWidth - current.clientWidth) / 2;
  }
}

function banner() {
  const other = language() === 'es' ? 'en' : 'es';
  const switchLanguage = () => {
    setLanguage(other);
    show();
  };
  return h(
    'header',
    { class: 'banner' },
    h('a', { class: 'skip', href: '#content', onclick: skipToContent }, t('skip')),
    h(
      'a',
      { class: 'brand', href: '#/' },
      h('img', { src: '/console/icon.svg', alt: '', width: 28, height: 28 }),
      t('title'),
    ),
    session && environmentBadge(session.tenant.sandbox),
    session && issuerChoice(session),
    h(
      'div',
      { class: 'ways' },
      hasGuide && h('a', { href: `/guide/${language()}`, target: '_blank' }, t('guide')),
      h('button', { type: 'button', class: 'plain', lang: other, onclick: switchLanguage }, t('language')),
      session && h('button', { type: 'button', class: 'plain', onclick: signOut }, t('signOut')),
    ),
  );
}

/** Says that the SRI fails for every document, which explains why they wait. @param {HTMLElement} notice @param {boolean} isSandbox */
async function tellOfSri(notice, isSandbox) {
  const health = await fetch('/readyz')
    .then((response) => response.json())
    .catch(() => null);
  const state = health?.sri?.[isSandbox ? 'sandbox' : 'production'];
  if (!state) return;
  fill(notice, t(`sri.${state}`));
  notice.hidden = false;
}

/** The address behind `#` says which page is shown, so that a link within the page must not change it. @param {Event} event */
function skipToContent(event) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** @param {boolean} isSandbox */
function environmentBadge(isSandbox) {
  return h(
    'span',
    { class: isSandbox ? 'badge sandbox' : 'badge production' },
    t(isSandbox ? 'sandbox' : 'production'),
  );
}

/** @param {Session} current */
function issuerChoice(current) {
  const select = h(
    'select',
    { 'aria-label': t('issuer') },
    current.issuers.map((issuer) =>
      h('option', { value: issuer.id, selected: issuer.id === current.issuer?.id }, issuerName(issuer)),
    ),
  );
  select.addEventListener('change', () => {
    current.choose(current.issuers.find(({ id }) => id === select.value) ?? null);
    show();
  });
  return select;
}

/** @param {string} current */
function menu(current) {
  const types = session?.issuer?.documentTypes ?? [];
  const own = SECTIONS.filter(([, , type]) => !type || types.some((each) => each === type));
  const sections = hasMails ? [...own, /** @type {const} */ (['mails', 'mails'])] : own;
  return h(
    'nav',
    { 'aria-label': t('menu') },
    h(
      'ul',
      {},
      sections.map(([path, label]) =>
        h('li', {}, h('a', { href: address(path), 'aria-current': path === current ? 'page' : null }, t(label))),
      ),
    ),
  );
}

addEventListener('hashchange', show);
hasGuide = (await fetch('/guide/assets/icon.svg', { method: 'HEAD' }).catch(() => null))?.ok ?? false;
show();
