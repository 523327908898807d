import { formatSequential, toIssueDate } from 'sri-core';
import { type IssuerCall, listIssuerIds } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { pathAccessKey } from '../platform/http/path-fields.js';
import { defineHandler } from '../platform/http/route.js';
import { accessKeyText, issueDate, listOf, money, okBody, part, textOfForm } from '../platform/schema-words.js';

/** `GET /v1/documents/:accessKey/credit-notes` */
export const getCreditNotes = defineHandler({
  operation: {
    id: 'listCreditNotes',
    summary: 'Lists the credit notes of an invoice, and what is left to credit.',
    answers: {
      200: okBody({
        originalDocument: part('The invoice.', {
          accessKey: accessKeyText('Its access key.'),
          total: money('Its total.'),
        }),
        creditedTotal: money('What was credited.', '0.00'),
        remaining: textOfForm(
          '^-?[0-9]+\\.[0-9]{2}$',
          'What is left; below zero when more was credited than there was.',
          '11.50',
        ),
        creditNotes: listOf(
          part('A credit note.', {
            accessKey: accessKeyText('Its access key.'),
            sequential: textOfForm('^[0-9]{9}$', 'Its number.', '000000001'),
            total: money('Its total.'),
            issueDate: issueDate('Day of issue.'),
          }),
          'The credit notes.',
        ),
      }),
    },
    refuses: ['BAD_REQUEST'],
  },
  params: { accessKey: pathAccessKey },
  answer: async ({ exchange, context, scope }: IssuerCall, { params: { accessKey } }) => {
    const { database, engine } = exchange.services;
    // Its credit notes may come from any issue point of the account.
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
