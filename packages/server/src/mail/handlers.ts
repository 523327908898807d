import { Refusal } from '../platform/errors/refusal.js';
import { empty } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { required, textAs } from '../platform/http/field.js';
import { choice } from '../platform/http/fields.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { toUuid } from '../platform/http/uuid.js';
import { text } from '../platform/schema-words.js';
import { DELIVERY_REPORTS } from './delivery-report.js';
import { recordReport } from './record-report.js';

const mailField = textAs(
  text('The Message-ID of the mail, or the id it begins with.', '0197f3a0-c5d2-7b1e-8f00-3c2a9d4e5f60'),
  toMailId,
  ['uuid'],
);

/** `POST /v1/internal/email-events`: a report that the web application forwards from the mail provider. */
export const reportMail = routeHandler({
  operation: {
    id: 'reportMail',
    summary: 'Tells what became of a mail.',
    answers: { 204: 'nothing' },
    refuses: ['NOT_FOUND'],
  },
  body: jsonBody({
    messageId: required(mailField),
    event: required(choice(DELIVERY_REPORTS, 'What the provider reports.')),
  }),
  answer: async ({ exchange }: PublicCall, { body: { messageId, event } }) => {
    const { outbox } = exchange.services;
    if (!(await recordReport(outbox, messageId, event))) throw new Refusal('NOT_FOUND');
    return empty(204);
  },
});

// --- internal ---

/**
 * Providers name a mail by its whole Message-ID, in angle brackets or without; answers of the server use the id at its
 * start.
 */
function toMailId(messageId: string): string | null {
  return toUuid(messageId.trim().replace(/^<?([^<>@\s]+)(?:@[^<>@\s]+)?>?$/, '$1'));
}
