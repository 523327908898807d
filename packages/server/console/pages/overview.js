import { dayChart } from '../chart.js';
import { hasTotal } from '../document-forms.js';
import { h } from '../dom.js';
import { dollars, empty, facts, later, statusBadge, table, when } from '../parts.js';
import { address } from '../router.js';
import { daysUntil, issuerName, issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('sri-core/client').OperationAnswer<'getDocumentStats'>['stats']} Stats */
/** @typedef {import('sri-core/client').Document} ListedDocument */

/** The account at a glance. @param {Session} session */
export function overviewPage(session) {
  return h(
    'div',
    {},
    h('h1', {}, t('overview')),
    session.issuer
      ? later(async () => {
          const [{ stats }] = await Promise.all([session.api.call('getDocumentStats', {}), session.refresh()]);
          const points = [...attention(session, stats), ...givenUp(session, await findGivenUp(session, stats))];
          return [
            figures(session, stats, points.length),
            points.length > 0 && pointsToSee(points),
            chart(stats),
            byStatus(stats),
            byType(stats),
            certificates(session),
          ];
        })
      : empty(t('noIssuer'), h('a', { href: address('issuers') }, t('addIssuer'))),
  );
}

// --- internal ---

/** Under these many days a certificate is to be renewed. */
const RENEWAL_DAYS = 30;
/** How many of those that were given up are looked for, oldest first. */
const GIVEN_UP_READ = 50;

/** @param {Session} session @param {Stats} stats @param {number} points */
function figures({ tenant }, stats, points) {
  const { documentCount, documentQuota } = stats.quota;
  const full = documentQuota > 0 ? Math.min(1, documentCount / documentQuota) : 1;
  return h(
    'div',
    { class: 'tiles' },
    tile(t('today'), h('strong', {}, stats.today.count), t('todayText', { total: stats.today.total })),
    tile(t('sales'), h('strong', {}, `$ ${stats.netTotal}`), t('salesText')),
    tile(
      t('attention'),
      h('strong', { class: points > 0 ? 'warn' : '' }, points),
      points > 0 ? h('a', { href: '#attention', onclick: showPoints }, t('attentionBelow')) : t('attentionNone'),
    ),
    tile(
      t('quota'),
      h('meter', { min: 0, max: 1, high: 0.8, optimum: 0, value: full, 'aria-label': t('quota') }),
      t('quotaText', { used: documentCount, quota: documentQuota }),
    ),
    tile(
      t('plan'),
      h('strong', {}, tenant.subscriptionTier),
      `${t('accountStatus')}: ${t(`account.${tenant.status}`)}`,
    ),
  );
}

/** The address behind `#` says which page is shown, so that a link within the page must not change it. @param {Event} event */
function showPoints(event) {
  event.preventDefault();
  const points = document.getElementById('attention');
  points?.scrollIntoView();
  points?.focus();
}

/** @param {string} title @param {Node} figure @param {string | Node} text */
function tile(title, figure, text) {
  return h('section', { class: 'tile' }, h('h2', {}, title), figure, h('p', {}, text));
}

/** What somebody has to do, each with the way to it. @param {readonly Node[]} points */
function pointsToSee(points) {
  return h(
    'section',
    { class: 'card attention', id: 'attention', tabindex: '-1' },
    h('h2', {}, t('attention')),
    h(
      'ul',
      {},
      points.map((point) => h('li', {}, point)),
    ),
  );
}

/** What the figures and the issuers tell. @param {Session} session @param {Stats} stats @returns {Node[]} */
function attention({ tenant, issuers }, { byStatus: counts }) {
  /** @param {string} status @param {import('../texts.js').TextName} text */
  const ofStatus = (status, text) => {
    const count = counts[status] ?? 0;
    return count > 0 ? [h('a', { href: address('documents', { status }) }, t(text, { count }))] : [];
  };
  return [
    ...ofStatus('RETURNED', 'attentionReturned'),
    ...ofStatus('NOT_AUTHORIZED', 'attentionRefused'),
    ...ofStatus('SIGNED', 'attentionSigned'),
    ...issuers.flatMap((issuer) => {
      const days = issuer.certExpiry ? daysUntil(issuer.certExpiry) : null;
      const left = days !== null && days < 0 ? t('certificateEnded') : t('certificateEnds', { days: days ?? 0 });
      const href = address(`issuers/${issuer.id}`);
      const name = issuerName(issuer);
      return [
        ...(days !== null && days < RENEWAL_DAYS
          ? [h('a', { href }, t('attentionCertificate', { issuer: name, left }))]
          : []),
        ...(issuer.canIssue ? [] : [h('a', { href }, t('attentionPaused', { issuer: name }))]),
      ];
    }),
    ...(tenant.status === 'PENDING_VERIFICATION' ? [h('span', {}, t('attentionEmail'))] : []),
  ];
}

/**
 * The documents whose attempts ended without the SRI: no filter knows them, so the oldest of those on their way are read.
 *
 * @param {Session} session
 * @param {Stats} stats
 * @returns {Promise<readonly ListedDocument[]>}
 */
async function findGivenUp({ api }, { byStatus: counts }) {
  const statuses = /** @type {const} */ (['PENDING_SEND', 'RECEIVED']).filter((status) => (counts[status] ?? 0) > 0);
  const lists = await Promise.all(
    statuses.map((status) =>
      api.call('listDocuments', { query: { status, sortBy: 'issueDate', sortDir: 'asc', limit: GIVEN_UP_READ } }),
    ),
  );
  return lists.flatMap(({ data }) => data).filter(({ dispatch }) => dispatch?.status === 'FAILED');
}

/** @param {Session} session @param {readonly ListedDocument[]} documents */
function givenUp({ issuer }, documents) {
  return documents.map(({ accessKey, documentType, sequential, status }) =>
    h(
      'span',
      {},
      h(
        'a',
        { href: address(`documents/${accessKey}`) },
        t('attentionGivenUp', {
          place: `${t(`type.${documentType}`)} ${issuer ? issuerPlace(issuer) : ''}-${sequential}`,
        }),
      ),
      ' ',
      statusBadge(status),
    ),
  );
}

/** @param {Stats} stats */
function chart({ daily }) {
  return h('section', { class: 'card' }, h('h2', {}, t('documentsPerDay')), dayChart(daily, t('documentsPerDay')));
}

/** @param {Stats} stats */
function byStatus({ byStatus: counts }) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('byStatus')),
    facts(
      Object.entries(counts).map(([status, count]) => [
        t(`status.${status}`),
        count ? h('a', { href: address('documents', { status }) }, count) : h('span', { class: 'hint' }, 0),
      ]),
      'short',
    ),
  );
}

/** @param {Stats} stats */
function byType({ byDocumentType }) {
  const types = Object.entries(byDocumentType).flatMap(([type, figure]) => (figure ? [{ type, ...figure }] : []));
  if (types.length === 0) return null;
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('byType')),
    table(
      [t('type'), { number: t('documentCount') }, { number: t('total') }],
      types.map(({ type, count, total }) => [
        h('a', { href: address('documents', { documentType: type }) }, t(`type.${type}`)),
        count,
        hasTotal(type) ? dollars(total) : '–',
      ]),
      t('byType'),
    ),
  );
}

/** @param {Session} session */
function certificates({ issuers }) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('certificates')),
    facts(
      issuers.map((issuer) => {
        const days = issuer.certExpiry ? daysUntil(issuer.certExpiry) : null;
        const left = days === null ? '–' : days < 0 ? t('expired') : t('daysLeft', { days });
        return [
          issuerName(issuer),
          h(
            'a',
            { href: address(`issuers/${issuer.id}`), class: days !== null && days < RENEWAL_DAYS ? 'warn' : '' },
            left,
            ' · ',
            when(issuer.certExpiry, { time: false }),
          ),
        ];
      }),
    ),
  );
}
