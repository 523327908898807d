import type { IssuerCall } from '../issuers/index.js';
import { toEmailAddress } from '../platform/email-address.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { textAs } from '../platform/http/field.js';
import { choice, pathAccessKey } from '../platform/http/fields.js';
import { requireAllowedWithHeaders } from '../platform/http/require-allowed.js';
import { routeHandler } from '../platform/http/route.js';
import { flag, maybe, okBody, oneOf, part, text, whole } from '../platform/schema-words.js';
import { type BulkRetry, requireMailable, retryMail, retryUnsentMails } from './retry-mail.js';
import { documentSchema, toDocumentBody } from './schemas.js';

const recipient = textAs(
  text('Another address than the buyer has.', 'maria@example.com', { maxLength: 254 }),
  toEmailAddress,
  ['email'],
);
const count = (about: string) => whole(about, 0, { minimum: 0 });

/** `POST /v1/documents/:accessKey/email-retry` */
export const retryDocumentMail = routeHandler({
  operation: {
    id: 'retryDocumentEmail',
    summary: 'Mails an authorized document again.',
    answers: {
      200: okBody({
        result: part('What became of it.', {
          sent: flag('Whether it was sent by now.'),
          messageId: maybe(text('Id of the mail.', '0197f3a0-c5d2-7b1e-8f00-3c2a9d4e5f60')),
          reason: maybe(oneOf(['queued', 'already_sent', 'skipped'], 'Why it was not sent by now.')),
        }),
        document: documentSchema,
      }),
    },
    refuses: ['BAD_REQUEST', 'TOO_MANY_REQUESTS'],
  },
  params: { accessKey: pathAccessKey },
  query: { force: choice(['true', 'false'], 'Whether a mail that was sent is sent again.') },
  body: jsonBody({ email: recipient }, { optional: true }),
  parse: (_exchange, { params, query, body }) => ({
    accessKey: params.accessKey,
    force: query.force === 'true',
    email: body.email,
  }),
  find: ({ exchange, scope }: IssuerCall, { accessKey }) => exchange.services.engine.get(scope, accessKey),
  answer: async ({ exchange, context, scope }: IssuerCall, { accessKey, force, email }) => {
    const { engine, background, limits, outbox } = exchange.services;
    const document = await engine.get(scope, accessKey);
    requireMailable(document);
    requireAllowedWithHeaders(exchange, await limits.use(`mailRetry:${document.id}`, HOURLY_LIMIT));
    const { messageId, attempt } = await retryMail(outbox, context, document, { email, force });
    const sent = attempt ? await background.within(SINGLE_WAIT_MS, background.run('mail', attempt)) : false;
    const isSkipped = sent === 'skipped' || (!attempt && document.mail.status === 'SKIPPED');
    const reason = isSkipped ? 'skipped' : attempt ? 'queued' : 'already_sent';
    return json(200, {
      ok: true,
      result: {
        sent: sent === true,
        ...(messageId === undefined ? {} : { messageId }),
        ...(sent === true ? {} : { reason }),
      },
      document: toDocumentBody(await engine.get(scope, accessKey), exchange.language),
    });
  },
});

/** `POST /v1/documents/email-retry` */
export const retryMails = routeHandler({
  operation: {
    id: 'retryEmails',
    summary: 'Mails every authorized document of the issuer whose mail was not sent.',
    answers: {
      200: okBody({
        result: part('What became of them.', {
          attempted: count('Mails that were tried.'),
          sent: count('Mails that were sent.'),
          succeeded: count('The same figure.'),
          failed: count('Mails that could not be sent.'),
          queued: count('Mails that wait for their turn.'),
        }),
      }),
    },
  },
  answer: async ({ exchange, context, scope }: IssuerCall) => {
    const { background, outbox } = exchange.services;
    const progress: BulkRetry = { attempted: 0, succeeded: 0, failed: 0, queued: 0 };
    const stop = new AbortController();
    const work = background.run('mails', () =>
      retryUnsentMails(outbox, context, scope, { progress, signal: stop.signal }),
    );
    await background.within(BULK_WAIT_MS, work);
    stop.abort();
    return json(200, { ok: true, result: { ...progress, sent: progress.succeeded } });
  },
});

// --- internal ---

const SINGLE_WAIT_MS = 10_000;
const BULK_WAIT_MS = 20_000;
const HOURLY_LIMIT = { limit: 5, windowMs: 3_600_000 };
