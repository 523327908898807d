import { formatSequential, type StoredDocument, toIssueDate } from 'sri-core';
import { type IssuerCall, listIssuerIds } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { pathAccessKey } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import {
  accessKeyText,
  issueDate,
  listOf,
  money,
  named,
  okBody,
  part,
  type Shown,
  textOfForm,
} from '../platform/schema-words.js';

/** A note on a document, as the list shows it. */
const noteSchema = named('NoteOnDocument', 'A credit note or debit note on a document.', {
  accessKey: accessKeyText('Its access key.'),
  sequential: textOfForm('^[0-9]{9}$', 'Its number.', '000000001'),
  total: money('Its total.'),
  issueDate: issueDate('Day of issue.'),
});

/** `GET /v1/documents/:accessKey/credit-notes` */
export const getCreditNotes = routeHandler({
  operation: {
    id: 'listCreditNotes',
    summary: 'Lists the credit notes and debit notes on a document, and what is left to credit.',
    answers: {
      200: okBody({
        originalDocument: part('The document.', {
          accessKey: accessKeyText('Its access key.'),
          total: money('Its total.'),
        }),
        creditedTotal: money('What was credited.', '0.00'),
        debitedTotal: money('What was debited.', '0.00'),
        remaining: textOfForm(
          '^-?[0-9]+\\.[0-9]{2}$',
          'The total plus what was debited, minus what was credited; below zero when more was credited than there was.',
          '11.50',
        ),
        creditNotes: listOf(noteSchema, 'The authorized credit notes, newest first.'),
        debitNotes: listOf(noteSchema, 'The authorized debit notes, newest first.'),
      }),
    },
    refuses: ['BAD_REQUEST'],
  },
  params: { accessKey: pathAccessKey },
  answer: async ({ exchange, context, scope }: IssuerCall, { params: { accessKey } }) => {
    const { database, engine } = exchange.services;
    // Its notes may come from any issue point of the account.
    const issuerIds = await database.read((tables) => listIssuerIds(tables, context.tenant.id));
    const balance = await engine.creditBalance(scope, accessKey, { issuerIds });
    return json(200, {
      ok: true,
      originalDocument: { accessKey: balance.original.accessKey, total: balance.original.total },
      creditedTotal: balance.creditedTotal,
      debitedTotal: balance.debitedTotal,
      remaining: balance.remaining,
      creditNotes: balance.creditNotes.map(toNote),
      debitNotes: balance.debitNotes.map(toNote),
    });
  },
});

// --- internal ---

function toNote({ accessKey, sequential, total, issueDate: date }: StoredDocument): Shown<typeof noteSchema> {
  return { accessKey, sequential: formatSequential(sequential), total, issueDate: toIssueDate(date) };
}
