import { invalid, Refusal, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type IssuerCall } from '../http/route.js';
import { type BulkRetry, requireMailable, retryMail, retryUnsentMails } from '../mail/mail-retry.js';
import { isEmailAddress } from '../tenancy/email-address.js';
import { readAccessKey } from './access-key-param.js';
import { toDocumentBody } from './document-body.js';

/** `POST /v1/documents/:accessKey/email-retry` */
export const retryDocumentMail = defineHandler({
  parse: async (exchange) => ({
    accessKey: readAccessKey(exchange),
    force: readForce(exchange),
    email: await readRecipient(exchange),
  }),
  answer: async ({ exchange, context, scope }: IssuerCall, { accessKey, force, email }) => {
    const { engine, background, outbox } = exchange.services;
    const document = await engine.get(scope, accessKey);
    requireMailable(document);
    await requireWithinHourlyLimit(exchange, document.id);
    const { messageId, attempt } = await retryMail(outbox, context, document, { email, force });
    const sent = attempt ? await background.within(SINGLE_WAIT_MS, background.run('mail', attempt)) : false;
    const reason = attempt ? 'queued' : 'already_sent';
    return json(200, {
      ok: true,
      result: {
        sent: sent === true,
        ...(messageId === undefined ? {} : { messageId }),
        ...(sent ? {} : { reason }),
      },
      document: toDocumentBody(await engine.get(scope, accessKey)),
    });
  },
});

/** `POST /v1/documents/email-retry` */
export const retryMails = defineHandler({
  answer: async ({ exchange, context, scope }: IssuerCall) => {
    const { background, outbox } = exchange.services;
    const progress: BulkRetry = { attempted: 0, succeeded: 0, failed: 0, queued: 0 };
    const stop = new AbortController();
    const work = background.run('mails', () =>
      retryUnsentMails(outbox, context, scope, { progress, signal: stop.signal }),
    );
    await background.within(BULK_WAIT_MS, work);
    stop.abort();
    return json(200, { ok: true, result: { ...progress } });
  },
});

// --- internal ---

const SINGLE_WAIT_MS = 10_000;
const BULK_WAIT_MS = 20_000;
const HOURLY_LIMIT = { limit: 5, windowMs: 3_600_000 };

async function requireWithinHourlyLimit({ services }: Exchange, documentId: string): Promise<void> {
  const { allowed, resetMs } = await services.limits.use(`mailRetry:${documentId}`, HOURLY_LIMIT);
  if (!allowed) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1000)) });
}

function readForce(exchange: Exchange): boolean {
  const reader = new QueryReader(exchange.search);
  const force = reader.choice('force', ['true', 'false']);
  reader.done();
  return force === 'true';
}

async function readRecipient(exchange: Exchange): Promise<string | null> {
  const email = (await exchange.optionalJson())?.['email'];
  if (email === undefined || email === null) return null;
  if (typeof email !== 'string' || !isEmailAddress(email)) throw invalid([ruleFailure('email', 'email')]);
  return email;
}
