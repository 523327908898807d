import { json } from '../../http/answer.js';
import { QueryReader } from '../../http/parse-query.js';
import { defineHandler, type OperatorCall } from '../../http/route.js';
import { listAuditEntries } from '../../store/audit.js';
import { showAuditEntry } from '../shown.js';
import { readPage } from './read-request.js';

/** `GET /v1/admin/audit` */
export const getAudit = defineHandler({
  parse: (exchange) => {
    const query = new QueryReader(exchange.search);
    const filter = { targetId: query.words('target', 100), action: query.words('action', 100), ...readPage(query) };
    query.done();
    return filter;
  },
  answer: async ({ exchange }: OperatorCall, filter) => {
    const { entries, total } = await exchange.services.database.read((tables) => listAuditEntries(tables, filter));
    const { page, limit } = filter;
    return json(200, { ok: true, entries: entries.map(showAuditEntry), pagination: { total, page, limit } });
  },
});
