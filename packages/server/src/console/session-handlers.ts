import { randomBytes, randomUUID } from 'node:crypto';
import { authenticate, hashOfHeader } from '../gate/authenticate.js';
import { type HeldKey, hasCsrfToken, readSession, type Session, sessionCookie, signOut } from '../gate/session.js';
import { readBusinessName } from '../issuers/index.js';
import { hashToken } from '../keys/index.js';
import { createTestCompany, TEST_COMPANY } from '../operator/create-test-company.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type Answer, json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import { required } from '../platform/http/field.js';
import { jsonText } from '../platform/http/fields.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { opensFirstLink } from './first-link.js';
import { showsMailPreviews } from './mail-previews.js';

/** `GET /console/session`: the accounts that the browser is signed in to. Renews the session. */
export const getSession = routeHandler({
  answer: async ({ exchange }: PublicCall) => {
    const session = await readSession(exchange);
    return answerWith(exchange, session && { ...session, seen: now(exchange) });
  },
});

/** `POST /console/session`: adds the key of the `Authorization` header to the session. */
export const postSession = routeHandler({
  answer: async ({ exchange }: PublicCall) => {
    const { keyId } = await authenticate(exchange);
    const hash = hashOfHeader(exchange);
    // A cookie alone does not sign in, since that would copy the session.
    if (hash === null || keyId === null) throw new Refusal('UNAUTHORIZED');
    return answerWith(exchange, await signIn(exchange, { id: keyId, hash }));
  },
});

/** `DELETE /console/session`: signs out of one key, `?key=`, or of all. */
export const deleteSession = routeHandler({
  answer: async ({ exchange }: PublicCall) => {
    const session = await readSession(exchange);
    if (!session) return answerWith(exchange, null);
    if (!hasCsrfToken(exchange, session)) throw new Refusal('UNAUTHORIZED');
    const left = new URLSearchParams(exchange.search).get('key');
    const keys = left === null ? [] : session.keys.filter(({ id }) => id !== left);
    const goesOn = (await signOut(exchange, session)) && keys.length > 0;
    return answerWith(exchange, goesOn ? { ...session, ...fresh(), keys } : null);
  },
});

/** `POST /console/first-session`: creates a company for tests on a server without accounts, and signs in. */
export const postStart = routeHandler({
  body: jsonBody({ token: required(jsonText(100, 'The token of the first link.', 'abc')) }),
  answer: async ({ exchange }: PublicCall, { body: { token } }) => {
    const { services, language } = exchange;
    if (!(await opensFirstLink(services, token))) throw new Refusal('NOT_FOUND');
    const { createTestP12 } = await import('sri-core/testing');
    // Sample documents of the month before need a certificate that was valid then.
    const validFrom = new Date(now(exchange) - 60 * DAY_MS);
    const { apiKey } = await createTestCompany(
      services,
      {
        ...TEST_COMPANY,
        p12: await createTestP12({ ...TEST_COMPANY, validFrom }),
        businessName: language === 'es' ? 'Mi empresa de prueba' : 'My test company',
        email: 'pruebas@example.com',
        language,
      },
      { actor: 'first link', channel: 'HTTP' },
    );
    const hash = hashToken(apiKey);
    const key = await services.knownKeys.find(hash);
    return answerWith(exchange, key && (await signIn(exchange, { id: key.id, hash })));
  },
});

// --- internal ---

const DAY_MS = 86_400_000;
/** The most keys of a session. A cookie has room for about twenty. */
const MAX_KEYS = 12;

function now({ services }: Exchange): number {
  return services.clock.now().getTime();
}

/** Starts a new session, which keeps only the keys of the former one. */
async function signIn(exchange: Exchange, key: HeldKey): Promise<Session> {
  const before = await readSession(exchange);
  const former = before && (await signOut(exchange, before)) ? before.keys : [];
  const others = former.filter(({ id }) => id !== key.id);
  const at = now(exchange);
  return { ...fresh(), keys: [key, ...others].slice(0, MAX_KEYS), since: at, seen: at };
}

/** The unique values of a session. */
function fresh(): Pick<Session, 'id' | 'csrf'> {
  return { id: randomUUID(), csrf: randomBytes(18).toString('base64url') };
}

/** Answers with the session as the console needs it. Drops ended keys; a session without keys ends. */
async function answerWith(exchange: Exchange, session: Session | null): Promise<Answer> {
  const { services } = exchange;
  const { config } = services;
  const held = await Promise.all(
    (session?.keys ?? []).map(async (key) => ({ key, account: await readAccount(exchange, key) })),
  );
  const alive = held.flatMap(({ key, account }) => (account ? [{ key, account }] : []));
  const next = session && alive.length > 0 ? { ...session, keys: alive.map(({ key }) => key) } : null;
  const cookie = next || exchange.header('cookie') ? { 'set-cookie': sessionCookie(exchange, next) } : {};
  const body = {
    ok: true,
    csrf: next?.csrf ?? null,
    accounts: alive.map(({ account }) => account),
    server: {
      use: config.use,
      hasGuide: config.guide,
      hasMails: showsMailPreviews(exchange),
      isOpen: config.onboarding === 'public',
      keyBrand: config.apiKeyBrand,
    },
  };
  return json(200, body, cookie);
}

async function readAccount({ services }: Exchange, { id, hash }: HeldKey) {
  const key = await services.knownKeys.find(hash);
  if (!key || key.environment !== key.tenant.environment) return null;
  const name = await services.database.read((tables) => readBusinessName(tables, key.tenant.id));
  const { tenant, scopes, environment } = key;
  return { keyId: id, tenantId: tenant.id, name: name ?? tenant.ruc, ruc: tenant.ruc, environment, scopes };
}
