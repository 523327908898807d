import { dayChart } from '../chart.js';
import { h } from '../dom.js';
import { facts, later, when } from '../parts.js';
import { address } from '../router.js';
import { daysUntil, issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** @param {import('../session.js').Session} session */
export function overviewPage(session) {
  return h(
    'div',
    {},
    h('h1', {}, t('overview')),
    session.issuer
      ? later(async () => {
          await session.refresh();
          const { stats } = await session.issuerApi.get('/v1/documents/stats');
          return [figures(session, stats), chart(stats), byStatus(stats), certificates(session)];
        })
      : h('p', {}, t('nothing')),
  );
}

/** @param {import('../session.js').Session} session @param {any} stats */
function figures({ tenant }, stats) {
  const { documentCount, documentQuota } = stats.quota;
  const full = documentQuota > 0 ? Math.min(1, documentCount / documentQuota) : 1;
  return h(
    'div',
    { class: 'tiles' },
    tile(
      t('today'),
      h('strong', {}, stats.today.count),
      t('todayText', { count: stats.today.count, total: stats.today.total }),
    ),
    tile(
      t('attention'),
      h('strong', { class: stats.needsAttention > 0 ? 'warn' : '' }, stats.needsAttention),
      stats.needsAttention > 0
        ? h(
            'a',
            { href: address('documents', { status: 'RETURNED' }) },
            t('attentionText', { count: stats.needsAttention }),
          )
        : t('attentionNone'),
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

/** @param {string} title @param {Node} figure @param {string | Node} text */
function tile(title, figure, text) {
  return h('section', { class: 'tile' }, h('h2', {}, title), figure, h('p', {}, text));
}

/** @param {any} stats */
function chart({ daily }) {
  return h('section', { class: 'card' }, h('h2', {}, t('documentsPerDay')), dayChart(daily));
}

/** @param {any} stats */
function byStatus({ byStatus: counts }) {
  const links = Object.entries(counts).map(([status, count]) => [
    t(`status.${status}`),
    h('a', { href: address('documents', { status }) }, count),
  ]);
  return h('section', { class: 'card' }, h('h2', {}, t('byStatus')), facts(/** @type {any} */ (links)));
}

/** @param {import('../session.js').Session} session */
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
          `${issuerPlace(issuer)} ${issuer.tradeName ?? issuer.businessName}`,
          h(
            'span',
            { class: days !== null && days < 30 ? 'warn' : '' },
            left,
            ' · ',
            when(issuer.certExpiry, { time: false }),
          ),
        ];
      }),
    ),
  );
}
