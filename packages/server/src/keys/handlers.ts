import { SCOPES, type TenantCall } from '../accounts/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { choice, choices, line, pathId, pathIdOrNone, queryInteger } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import {
  flag,
  listOf,
  named,
  okBody,
  oneOf,
  orNull,
  part,
  type Shown,
  show,
  text,
  textOfForm,
  timestamp,
  uuid,
  whole,
} from '../platform/schema-words.js';
import { createKey, listKeys, readUsage, revokeKey } from './administer-keys.js';
import { type ApiKeyRecord, MOST_USAGE_DAYS } from './rows.js';

const MAX_LABEL = 100;
const scopesSchema = listOf(oneOf(SCOPES, 'A scope.', 'documents:read'), 'What the key may do.');

const keySchema = named('ApiKey', 'A key of the account, without its token.', {
  id: uuid('Id of the key.'),
  label: orNull(text('What it is called.', 'Contabilidad')),
  environment: oneOf(['sandbox', 'production'], 'The environment it belongs to.'),
  scopes: scopesSchema,
  active: flag('Whether it can be used.'),
  createdAt: timestamp('When it was made.'),
  revokedAt: orNull(timestamp('When it was revoked.')),
  lastUsedAt: orNull(timestamp('When it was last used.')),
  requestCount: whole('Requests made with it.', 42, { minimum: 0 }),
  last4: text('The end of its token.', 'x7Kp'),
});

/** `GET /v1/keys` */
export const getKeys = routeHandler({
  operation: {
    id: 'listKeys',
    summary: 'Lists the keys of the account.',
    answers: {
      200: okBody({
        keys: listOf(keySchema, 'The keys.'),
        limit: part('What the plan allows.', {
          max: whole('Keys it allows.', 5),
          used: whole('Keys there are.', 1, { minimum: 0 }),
        }),
      }),
    },
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const { keys, max } = await listKeys(exchange.services.keys, context);
    return json(200, { ok: true, keys: keys.map(toKeyBody), limit: { max, used: keys.length } });
  },
});

/** `POST /v1/keys` */
export const postKey = routeHandler({
  operation: {
    id: 'createKey',
    summary: 'Makes a key; its token is shown this once.',
    description: 'Without `scopes` it gets those of the key that makes it. Null counts as left out.',
    answers: { 201: okBody({ apiKey: text('The token.', 'sri_test_…'), scopes: scopesSchema, key: keySchema }) },
    refuses: [
      'EMAIL_VERIFICATION_REQUIRED',
      'PRODUCTION_KEY_REQUIRES_PROMOTION',
      'SCOPE_ESCALATION_FORBIDDEN',
      'API_KEY_LIMIT_REACHED',
    ],
  },
  body: jsonBody(
    {
      label: line({ max: MAX_LABEL, about: 'What it is called.', example: 'Contabilidad' }),
      environment: choice(['sandbox', 'production'], 'Which environment it is for; default sandbox.'),
      scopes: choices(SCOPES, 'What it may do.', { min: 1 }),
    },
    { optional: true },
  ),
  answer: async ({ exchange, context }: TenantCall, { body }) => {
    const request = { ...body, environment: body.environment ?? 'sandbox' };
    const { key, apiKey } = await createKey(exchange.services.keys, context, request);
    return json(201, { ok: true, apiKey, scopes: key.scopes, key: toKeyBody(key) });
  },
});

/** `DELETE /v1/keys/:id` */
export const deleteKey = routeHandler({
  operation: {
    id: 'revokeKey',
    summary: 'Revokes a key.',
    answers: { 200: okBody({}) },
    refuses: ['NOT_FOUND', 'BAD_REQUEST'],
  },
  params: { id: pathIdOrNone('key') },
  answer: async ({ exchange, context }: TenantCall, { params: { id } }) => {
    await revokeKey(exchange.services.keys, context, id);
    return json(200, { ok: true });
  },
});

/** `GET /v1/keys/:id/usage` */
export const getKeyUsage = routeHandler({
  operation: {
    id: 'getKeyUsage',
    summary: 'Tells how often a key was used on each day.',
    answers: {
      200: okBody({
        usage: listOf(
          part('A day in Ecuador.', {
            date: textOfForm('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'The day.', '2026-11-21'),
            requestCount: whole('Requests.', 12, { minimum: 0 }),
          }),
          'Every day, oldest first.',
        ),
      }),
    },
    refuses: ['NOT_FOUND'],
  },
  params: { id: pathId('key') },
  query: { days: queryInteger({ min: 1, max: MOST_USAGE_DAYS, fallback: 30 }, 'How many days.') },
  parse: (_exchange, { params, query }) => ({ ...params, ...query }),
  answer: async ({ exchange, context }: TenantCall, asked) => {
    const usage = await readUsage(exchange.services.keys, context, asked);
    return json(200, { ok: true, usage });
  },
});

// --- internal ---

/** A key as answers show it; only its creation returns the token. */
function toKeyBody(key: ApiKeyRecord): Shown<typeof keySchema> {
  return show(keySchema, key);
}
