import { invalid, Refusal, type RuleFailure, ruleFailure } from '../errors.js';
import { empty } from '../http/answer.js';
import { defineHandler, type PublicCall } from '../http/route.js';
import { toUuid } from '../http/uuid.js';
import { DELIVERY_REPORTS, type DeliveryReport } from '../mail/delivery-report.js';
import { recordReport } from '../mail/record-report.js';

/** `POST /v1/internal/email-events`: what the web application hears from the provider that carries the mails. */
export const reportMail = defineHandler({
  parse: async (exchange) => readReport(await exchange.json()),
  answer: async ({ exchange }: PublicCall, { mailId, report }) => {
    const { outbox } = exchange.services;
    if (!(await recordReport(outbox, mailId, report))) throw new Refusal('NOT_FOUND');
    return empty(204);
  },
});

// --- internal ---

function readReport(body: Readonly<Record<string, unknown>>): { mailId: string; report: DeliveryReport } {
  const { messageId, event } = body;
  const failures: RuleFailure[] = [];
  const mailId = typeof messageId === 'string' ? toMailId(messageId) : null;
  const report = DELIVERY_REPORTS.find((known) => known === event);
  if (mailId === null) failures.push(missingOr(messageId, ruleFailure('messageId', 'uuid')));
  if (!report) {
    failures.push(missingOr(event, ruleFailure('event', 'choice', { allowed: DELIVERY_REPORTS.join(', ') })));
  }
  if (mailId === null || !report) throw invalid(failures);
  return { mailId, report };
}

/** Providers name a mail by its whole Message-ID, in angle brackets or without; our answers by the id it begins with. */
function toMailId(messageId: string): string | null {
  return toUuid(messageId.trim().replace(/^<?([^<>@\s]+)(?:@[^<>@\s]+)?>?$/, '$1'));
}

function missingOr(value: unknown, failure: RuleFailure): RuleFailure {
  return value === undefined || value === null ? ruleFailure(failure.field, 'required') : failure;
}
