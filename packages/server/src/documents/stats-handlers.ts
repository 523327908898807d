import { Type } from '@sinclair/typebox';
import {
  DOCUMENT_STATUSES,
  DOCUMENTS,
  type DocumentFigure,
  documentTypes,
  type Effect,
  ENVIRONMENTS,
  ecuadorDate,
  formatDecimal,
  type IsoDate,
  MONEY_SCALE,
  parseDecimal,
  toIssueDate,
} from 'sri-core';
import { everyIssuer, type IssuersCall } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { choice, queryDate } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import {
  issueDate,
  listOf,
  money,
  named,
  okBody,
  oneOf,
  part,
  type Shown,
  text,
  textOfForm,
  timestamp,
  whole,
} from '../platform/schema-words.js';
import { LISTED_TYPES } from './list-handlers.js';

const count = (about: string) => whole(about, 1, { minimum: 0 });

const statsSchema = named('DocumentStats', 'Figures of the documents of an issuer, or of all.', {
  environment: oneOf(ENVIRONMENTS, 'The world they were made in.'),
  thisMonth: part('What was issued this month.', {
    byType: listOf(
      part('A type.', {
        type: text('Its short name.', 'FAC'),
        issued: count('How many were issued.'),
        authorizedTotal: money('What the authorized ones add up to; of a withholding, what was withheld.'),
      }),
      'By type.',
    ),
  }),
  needsAttention: count('Returned or not authorized.'),
  today: part('What was issued today.', { count: count('How many.'), total: money('What they charge.') }),
  daily: listOf(
    part('A day.', {
      date: issueDate('The day.'),
      count: count('How many were issued.'),
      total: money('What they charge.'),
    }),
    'The last thirty days, oldest first and today last.',
  ),
  total: count('How many were selected.'),
  byStatus: Type.Record(Type.String(), count('How many.'), {
    description: 'The selected ones by status.',
    examples: [{ AUTHORIZED: 1 }],
  }),
  byDocumentType: Type.Record(
    Type.String(),
    part('A type.', { count: count('How many.'), total: money('What the authorized ones add up to.') }),
    { description: 'The selected ones by type.', examples: [{ '01': { count: 1, total: '11.50' } }] },
  ),
  authorizedTotal: money('What the authorized invoices and debit notes charge, voided ones too.'),
  creditedTotal: money('What the authorized credit notes give back, voided ones too.', '0.00'),
  netTotal: textOfForm(
    '^-?[0-9]+\\.[0-9]{2}$',
    'The sales: invoices and debit notes minus credit notes, without voided ones.',
    '11.50',
  ),
  quota: part('The quota of the account.', {
    documentCount: count('Documents issued in the period.'),
    documentQuota: whole('Documents the plan allows.', 100),
    periodStart: timestamp('When the period began.'),
    periodEnd: timestamp('When it ends.'),
  }),
});

/** `GET /v1/documents/stats` */
export const getDocumentStats = routeHandler({
  operation: {
    id: 'getDocumentStats',
    summary: 'Gives figures of the documents of an issuer, or of all.',
    answers: { 200: okBody({ stats: statsSchema }) },
  },
  query: {
    ...everyIssuer,
    from: queryDate('Issued on that day or later, DD/MM/YYYY.'),
    to: queryDate('Issued on that day or before, DD/MM/YYYY.'),
    documentType: choice(LISTED_TYPES, 'Only documents of that type.'),
  },
  answer: async ({ exchange, context, scope }: IssuersCall, { query }) => {
    const { clock, engine, readUsage } = exchange.services;
    const now = clock.now();
    const all = await engine.figures(scope);
    const { documentCount, documentQuota, period } = await readUsage(context.tenant);
    const stats: Shown<typeof statsSchema> = {
      environment: scope.environment,
      ...toOverview(all, ecuadorDate(now)),
      ...toSelection(all.filter((figure) => isSelected(figure, query))),
      quota: {
        documentCount,
        documentQuota,
        periodStart: period.start.toISOString(),
        periodEnd: period.end.toISOString(),
      },
    };
    return json(200, { ok: true, stats });
  },
});

// --- internal ---

interface StatsQuery {
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly documentType: string | null;
}

function isSelected({ issueDate, documentType }: DocumentFigure, query: StatsQuery): boolean {
  const { from, to } = query;
  const ofType = query.documentType === null || query.documentType === documentType;
  return ofType && (from === null || from <= issueDate) && (to === null || issueDate <= to);
}

/** The figures that the query does not filter. */
function toOverview(all: readonly DocumentFigure[], today: IsoDate) {
  const thisMonth = all.filter(({ issueDate }) => issueDate.slice(0, 7) === today.slice(0, 7));
  const issuedToday = all.filter(({ issueDate }) => issueDate === today);
  return {
    thisMonth: {
      byType: documentTypes.flatMap(({ code, shortName }) => {
        const ofType = thisMonth.filter(({ documentType }) => documentType === code);
        return ofType.length > 0
          ? [{ type: shortName, issued: countOf(ofType), authorizedTotal: authorizedTotal(ofType) }]
          : [];
      }),
    },
    needsAttention: countOf(all.filter(({ status }) => status === 'RETURNED' || status === 'NOT_AUTHORIZED')),
    today: { count: countOf(issuedToday), total: authorizedTotal(issuedToday.filter(hasEffect('charge'))) },
    daily: toDays(all, today),
  };
}

/** The last days, oldest first and today last, for a chart. */
function toDays(all: readonly DocumentFigure[], today: IsoDate) {
  const byDay = Map.groupBy(all, ({ issueDate }) => issueDate as string);
  return Array.from({ length: CHARTED_DAYS }, (_, place) => {
    const daysAgo = CHARTED_DAYS - 1 - place;
    const date = new Date(Date.parse(today) - daysAgo * DAY_MS).toISOString().slice(0, 10);
    const ofDay = byDay.get(date) ?? [];
    return {
      date: toIssueDate(date),
      count: countOf(ofDay),
      total: authorizedTotal(ofDay.filter(hasEffect('charge'))),
    };
  });
}

const CHARTED_DAYS = 30;
const DAY_MS = 86_400_000;

function toSelection(figures: readonly DocumentFigure[]) {
  const types = [...new Set(figures.map(({ documentType }) => documentType))].toSorted();
  return {
    total: countOf(figures),
    byStatus: Object.fromEntries(
      DOCUMENT_STATUSES.map((status) => [status, countOf(figures.filter((figure) => figure.status === status))]),
    ),
    byDocumentType: Object.fromEntries(
      types.map((type) => {
        const ofType = figures.filter(({ documentType }) => documentType === type);
        return [type, { count: countOf(ofType), total: authorizedTotal(ofType) }];
      }),
    ),
    authorizedTotal: authorizedTotal(figures.filter(hasEffect('charge'))),
    creditedTotal: authorizedTotal(figures.filter(hasEffect('credit'))),
    netTotal: netTotal(figures),
  };
}

function hasEffect(effect: Effect): (figure: DocumentFigure) => boolean {
  return ({ documentType }) => DOCUMENTS[documentType].effect === effect;
}

function countOf(figures: readonly DocumentFigure[]): number {
  return figures.reduce((sum, { count }) => sum + count, 0);
}

/** Voided documents count in sums: the SRI authorized them. */
function authorizedTotal(figures: readonly DocumentFigure[]): string {
  return formatDecimal(
    centsOf(figures.filter(({ status }) => status === 'AUTHORIZED' || status === 'VOIDED')),
    MONEY_SCALE,
  );
}

/** The net total: charges minus credits, without voided documents. */
function netTotal(figures: readonly DocumentFigure[]): string {
  const standing = figures.filter(({ status }) => status === 'AUTHORIZED');
  const [charged, credited] = [standing.filter(hasEffect('charge')), standing.filter(hasEffect('credit'))];
  return formatDecimal(centsOf(charged) - centsOf(credited), MONEY_SCALE);
}

function centsOf(figures: readonly DocumentFigure[]): bigint {
  return figures.reduce((sum, { total }) => sum + parseDecimal(total, MONEY_SCALE), 0n);
}
