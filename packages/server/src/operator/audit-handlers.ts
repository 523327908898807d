import { json } from '../platform/http/answer.js';
import { queryPage, queryWords } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, okBody, paginationSchema } from '../platform/schema-words.js';
import { listAuditEntries } from './audit-rows.js';
import type { OperatorCall } from './operator-route.js';
import { auditSchema, showAuditEntry } from './schemas.js';

/** `GET /v1/admin/audit` */
export const getAudit = routeHandler({
  operation: {
    id: 'listAuditEntries',
    summary: 'Lists what the operator did, newest first.',
    answers: { 200: okBody({ entries: listOf(auditSchema, 'The entries.'), pagination: paginationSchema }) },
  },
  query: {
    target: queryWords(100, 'Only what was done to that id.', '0197f3a0-c5d2-7b1e-8f00-3c2a9d4e5f60'),
    action: queryWords(100, 'Only that action.', 'tenant.suspend'),
    ...queryPage(),
  },
  parse: (_exchange, { query: { target: targetId, ...filter } }) => ({ ...filter, targetId }),
  answer: async ({ exchange }: OperatorCall, filter) => {
    const { entries, total } = await exchange.services.database.read((tables) => listAuditEntries(tables, filter));
    const { page, limit } = filter;
    return json(200, { ok: true, entries: entries.map(showAuditEntry), pagination: { total, page, limit } });
  },
});
