import {
  DOCUMENT_STATUSES,
  type DocumentFigure,
  documentTypes,
  ecuadorDate,
  formatDecimal,
  type IsoDate,
  MONEY_SCALE,
  parseDecimal,
} from 'sri-core';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type IssuerCall } from '../http/route.js';
import { currentUsage } from '../tenancy/document-quota.js';
import { LISTED_TYPES, readDate } from './documents.js';

/** `GET /v1/documents/stats` */
export const getDocumentStats = defineHandler({
  parse: readStatsQuery,
  answer: async ({ exchange, context, scope }: IssuerCall, query) => {
    const { clock, config, database, engine } = exchange.services;
    const now = clock.now();
    const all = await engine.figures(scope);
    const { documentCount, documentQuota, period } = await database.read((tables) =>
      currentUsage(tables, config.plans, context.tenant, now),
    );
    return json(200, {
      ok: true,
      stats: {
        environment: scope.environment,
        ...toOverview(all, ecuadorDate(now)),
        ...toSelection(all.filter((figure) => isSelected(figure, query))),
        quota: {
          documentCount,
          documentQuota,
          periodStart: period.start.toISOString(),
          periodEnd: period.end.toISOString(),
        },
      },
    });
  },
});

// --- internal ---

interface StatsQuery {
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly documentType: string | null;
}

const CREDIT_NOTE = '04';

function readStatsQuery(exchange: Exchange): StatsQuery {
  const reader = new QueryReader(exchange.search);
  const query = {
    from: readDate(reader, 'from'),
    to: readDate(reader, 'to'),
    documentType: reader.choice('documentType', LISTED_TYPES),
  };
  reader.done();
  return query;
}

function isSelected({ issueDate, documentType }: DocumentFigure, query: StatsQuery): boolean {
  const { from, to } = query;
  const ofType = query.documentType === null || query.documentType === documentType;
  return ofType && (from === null || from <= issueDate) && (to === null || issueDate <= to);
}

/** What the query does not narrow down. */
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
    today: { count: countOf(issuedToday), total: authorizedTotal(issuedToday.filter(isCharge)) },
  };
}

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
    authorizedTotal: authorizedTotal(figures.filter(isCharge)),
    creditedTotal: authorizedTotal(figures.filter((figure) => !isCharge(figure))),
  };
}

function isCharge({ documentType }: DocumentFigure): boolean {
  return documentType !== CREDIT_NOTE;
}

function countOf(figures: readonly DocumentFigure[]): number {
  return figures.reduce((sum, { count }) => sum + count, 0);
}

/** Voided documents count in sums: the SRI authorized them. */
function authorizedTotal(figures: readonly DocumentFigure[]): string {
  const authorized = figures.filter(({ status }) => status === 'AUTHORIZED' || status === 'VOIDED');
  return formatDecimal(
    authorized.reduce((sum, { total }) => sum + parseDecimal(total, MONEY_SCALE), 0n),
    MONEY_SCALE,
  );
}
