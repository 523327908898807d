import { TriangleAlert } from 'lucide';
import type { OperationAnswer } from 'sri-core/client';
import { counted, daysUntil, dollars, placeOf, today, when } from '../frame/format.js';
import { type TextName, t } from '../frame/language.js';
import { AtPath, documentsWith } from '../frame/places.js';
import { useWork, type Work } from '../frame/session.js';
import { DocumentRow } from '../parts/document-row.js';
import { PageHead } from '../parts/heading.js';
import { Icon } from '../parts/icon.js';
import { Empty, Loaded, later, Outline, useLoad } from '../parts/load.js';
import { NoDocuments } from '../parts/no-documents.js';
import { Status } from '../parts/status.js';

const DayChart = later(() => import('../parts/day-chart.js'));

/** The overview of the company: open tasks, figures, and the last documents. */
export default function Overview() {
  const work = useWork();
  const { api, issuer, issuers, can, server } = work;
  const of = ofPoints(work);
  const loading = useLoad(async () => {
    const hasBilling = server.use === 'service' && can('billing:manage');
    const [{ stats }, { stats: month }, { data: last }, given, { notifications }, billing] = await Promise.all([
      api.call('getDocumentStats', { query: of }),
      api.call('getDocumentStats', { query: { ...of, from: `01${today().slice(2)}` } }),
      api.call('listDocuments', { query: { ...of, limit: 6 } }),
      findGivenUp(work),
      api.call('listNotifications', { query: { limit: 30 } }),
      hasBilling ? api.call('getSubscriptions', {}) : null,
    ]);
    const unsent = notifications.filter(({ type, readAt }) => type === 'EMAIL_DELIVERY_FAILED' && !readAt);
    return {
      stats,
      sales: month.netTotal,
      last,
      points: pointsOf(work, stats, given, unsent.length, billing?.pendingPayment ?? null),
    };
  }, [issuer?.id, api]);
  const mayRead = can('documents:read') && can('issuers:read');
  if (!mayRead || issuers.length === 0) {
    return (
      <>
        <PageHead of={t('overview')} />
        <Empty title={t(mayRead ? 'noIssuer' : 'notReadable')}>
          {mayRead && (
            <a class="button primary" href={AtPath.issuers}>
              {t('addIssuer')}
            </a>
          )}
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead of={t('overview')} />
      <Loaded of={loading} outline={<Outline rows={6} />}>
        {({ stats, sales, last, points }) => (
          <>
            <Points points={points} />
            {last.length === 0 ? (
              <NoDocuments />
            ) : (
              <>
                <div class="tiles">
                  <Tile name={t('sales')} figure={dollars(sales)} about={t('salesText')} />
                  <Tile
                    name={t('today')}
                    figure={counted(stats.today.count)}
                    about={t('todayText', { total: dollars(stats.today.total) })}
                  />
                  <Tile
                    name={t('quota')}
                    figure={counted(stats.quota.documentCount)}
                    about={
                      work.tenant.subscriptionTier === 'OWN'
                        ? t('noQuota')
                        : t('quotaText', { quota: counted(stats.quota.documentQuota) })
                    }
                  />
                </div>
                <div class="sides">
                  <section class="card">
                    <h2>{t('documentsPerDay')}</h2>
                    <DayChart days={stats.daily} title={t('documentsPerDay')} />
                  </section>
                  <section class="card">
                    <h2>{t('byStatus')}</h2>
                    <ul class="rows">
                      {Object.entries(stats.byStatus).flatMap(([status, count]) =>
                        count
                          ? [
                              <li key={status}>
                                <a href={documentsWith({ status })}>
                                  <Status of={status} />
                                </a>
                                <span class="amount">{counted(count)}</span>
                              </li>,
                            ]
                          : [],
                      )}
                    </ul>
                  </section>
                </div>
                <h2>{t('lastDocuments')}</h2>
                <table class="list stacked">
                  <tbody>
                    {last.map((document) => (
                      <DocumentRow key={document.accessKey} of={document} />
                    ))}
                  </tbody>
                </table>
                <a href={AtPath.documents}>{t('allDocuments')}</a>
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

// --- internal ---

/** The days before its expiry in which a certificate should be renewed. */
const RENEWAL_DAYS = 30;

/** The open task of an account in a status. */
const OF_ACCOUNT: Readonly<Record<string, TextName>> = {
  PENDING_VERIFICATION: 'attentionEmail',
  PAST_DUE: 'attentionPastDue',
  SUSPENDED: 'attentionSuspended',
};

interface Point {
  readonly text: string;
  readonly href: string;
}

function Points({ points }: { readonly points: readonly Point[] }) {
  if (points.length === 0) return null;
  return (
    <section class="notice warn" aria-label={t('attention')}>
      <h2>
        <Icon of={TriangleAlert} /> {t('attention')}
      </h2>
      <ul class="rows">
        {points.map(({ text, href }) => (
          <li key={text + href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tile({ name, figure, about }: { readonly name: string; readonly figure: string; readonly about: string }) {
  return (
    <section class="tile">
      <h2>{name}</h2>
      <p class="figure">{figure}</p>
      <p class="hint">{about}</p>
    </section>
  );
}

type Stats = OperationAnswer<'getDocumentStats'>['stats'];

/** The open tasks, each with a link to its remedy. */
function pointsOf(
  work: Work,
  { byStatus, quota }: Stats,
  given: GivenUp,
  unsentMails: number,
  payment: OperationAnswer<'getSubscriptions'>['pendingPayment'],
): readonly Point[] {
  const { tenant, issuers } = work;
  const ofStatus = (status: string, text: 'attentionReturned' | 'attentionRefused' | 'attentionSigned') => {
    const count = byStatus[status] ?? 0;
    return count > 0 ? [{ text: t(text, { count }), href: documentsWith({ status }) }] : [];
  };
  const share = quota.documentQuota > 0 ? quota.documentCount / quota.documentQuota : 0;
  const ofAccount = OF_ACCOUNT[tenant.status];
  return [
    ...(ofAccount ? [{ text: t(ofAccount), href: AtPath.account }] : []),
    ...(payment && payment.status !== 'REPORTED'
      ? [
          {
            text: t('attentionPayment', {
              amount: dollars(payment.totalAmount),
              date: when(payment.dueAt, { time: false }),
            }),
            href: AtPath.account,
          },
        ]
      : []),
    ...ofStatus('RETURNED', 'attentionReturned'),
    ...ofStatus('NOT_AUTHORIZED', 'attentionRefused'),
    ...given.map(({ status, count }) => ({ text: t('attentionGivenUp', { count }), href: documentsWith({ status }) })),
    ...ofStatus('SIGNED', 'attentionSigned'),
    ...(unsentMails > 0 ? [{ text: t('attentionMails', { count: unsentMails }), href: AtPath.notifications }] : []),
    ...issuers.flatMap((issuer) => {
      const days = issuer.certExpiry ? daysUntil(issuer.certExpiry) : null;
      const date = when(issuer.certExpiry, { time: false });
      const name = placeOf(issuer);
      const href = `${AtPath.issuers}/${issuer.id}`;
      return [
        ...(days !== null && days < RENEWAL_DAYS
          ? [{ text: t(days < 0 ? 'attentionExpired' : 'attentionCertificate', { issuer: name, date }), href }]
          : []),
        ...(issuer.canIssue ? [] : [{ text: t('attentionPaused', { issuer: name }), href }]),
      ];
    }),
    // More than the quota in the test environment: the server does not enforce it there.
    ...(tenant.subscriptionTier !== 'OWN' && share >= 0.8 && !(tenant.sandbox && share > 1)
      ? [
          {
            text: t('attentionQuota', { used: counted(quota.documentCount), quota: counted(quota.documentQuota) }),
            href: AtPath.account,
          },
        ]
      : []),
  ];
}

type GivenUp = readonly { readonly status: string; readonly count: number }[];

/** Counts the documents given up, by status. No filter selects them, so it reads the oldest unfinished ones. */
async function findGivenUp(work: Work): Promise<GivenUp> {
  const counts = await Promise.all(
    (['PENDING_SEND', 'RECEIVED'] as const).map(async (status) => {
      const { data } = await work.api.call('listDocuments', {
        query: { ...ofPoints(work), status, sortBy: 'issueDate', sortDir: 'asc', limit: 50 },
      });
      return { status, count: data.filter(({ dispatch }) => dispatch?.status === 'FAILED').length };
    }),
  );
  return counts.filter(({ count }) => count > 0);
}

/** The query of figures and lists: of the chosen point, else of all. */
function ofPoints({ issuer }: Work): { readonly issuerId?: 'all' } {
  return issuer ? {} : { issuerId: 'all' };
}
