import { formatSequential, toIssueDate } from 'sri-core';
import { json } from '../http/answer.js';
import { defineHandler, type IssuerCall } from '../http/route.js';
import { listIssuerIds } from '../store/issuers.js';
import { readAccessKey } from './access-key-param.js';

/** `GET /v1/documents/:accessKey/credit-notes` */
export const getCreditNotes = defineHandler({
  parse: readAccessKey,
  answer: async ({ exchange, context, scope }: IssuerCall, accessKey) => {
    const { database, engine } = exchange.services;
    // Any issue point of the account may have credited it.
    const issuerIds = await database.read((tables) => listIssuerIds(tables, context.tenant.id));
    const balance = await engine.creditBalance(scope, accessKey, { issuerIds });
    return json(200, {
      ok: true,
      originalDocument: { accessKey: balance.original.accessKey, total: balance.original.total },
      creditedTotal: balance.creditedTotal,
      remaining: balance.remaining,
      creditNotes: balance.creditNotes.map((note) => ({
        accessKey: note.accessKey,
        sequential: formatSequential(note.sequential),
        total: note.total,
        issueDate: toIssueDate(note.issueDate),
      })),
    });
  },
});
