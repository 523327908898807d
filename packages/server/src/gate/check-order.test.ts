import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InternalRoute, TenantRoute } from '../accounts/account-route.js';
import type { Scope } from '../accounts/scopes.js';
import type { TenantContext } from '../accounts/tenant.js';
import type { IssuerCall, IssuerRoute } from '../issuers/issuer-route.js';
import { Refusal, type RefusalDetails } from '../platform/errors/refusal.js';
import { json } from '../platform/http/answer.js';
import { type PublicRoute, routeHandler } from '../platform/http/route.js';
import { createRouteAsker, type RouteAsker } from '../testing/asked-routes.js';
import { describeStores, storeIssuer, storeKey, storeTenant } from '../testing/test-store.js';

const SECRET = 'un secreto de la aplicacion web de 32 bytes';
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

type Headers = Readonly<Record<string, string>>;

await describeStores('checks before the answer of a route', (store) => {
  let asker: RouteAsker;
  let owner: TenantContext;
  let auth: Headers;
  let issuerId: string;
  /** The steps of a handler so far. */
  let steps: string[];
  beforeAll(async () => {
    asker = createRouteAsker(store, { INTERNAL_SERVICE_SECRET: SECRET });
    owner = await storeTenant(store);
    auth = await keyOf(owner);
    issuerId = await storeIssuer(store, owner);
  });
  beforeEach(() => {
    steps = [];
  });

  async function keyOf(of: TenantContext, scopes?: readonly Scope[]): Promise<Headers> {
    const { token } = await storeKey(store, of, scopes ? { scopes } : {});
    return { authorization: `Bearer ${token}` };
  }
  const withSecret = { 'x-internal-service-secret': SECRET };

  /** Records each step, and fails where the test asks for it. */
  function noting(refusals: Partial<Readonly<Record<'parse' | 'answer' | 'review' | 'find', Error>>> = {}) {
    const step = (name: 'parse' | 'answer' | 'review' | 'find') => {
      steps.push(name);
      if (refusals[name]) throw refusals[name];
    };
    return {
      parse: () => step('parse'),
      review: () => step('review'),
      find: async () => step('find'),
      answer: async (call: object) => {
        step('answer');
        return json(200, Object.keys(call).toSorted());
      },
    };
  }
  const route = {
    method: 'POST',
    path: '/v1/anything',
    limit: null,
    scope: null,
    suspended: 'refused',
    unverified: 'refused',
  } as const;
  const keyRoute = (rest: Partial<TenantRoute> = {}): TenantRoute => ({
    ...route,
    access: 'tenant',
    handler: routeHandler(noting()),
    ...rest,
  });
  const issuerRoute = (refusals: Parameters<typeof noting>[0] = {}, rest: Partial<IssuerRoute> = {}): IssuerRoute => ({
    ...route,
    access: 'issuer',
    handler: routeHandler(noting(refusals)),
    ...rest,
  });
  const publicRoute = (access: PublicRoute['access'], limit: PublicRoute['limit'] = null): PublicRoute => ({
    method: 'GET',
    path: '/v1/anything',
    access,
    limit,
    handler: routeHandler(noting()),
  });
  const refused = (code: string, details: RefusalDetails = {}) => ({ code, ...details });

  describe('checks of a public route', () => {
    it.each<{ access: PublicRoute['access']; onboarding: string; headers: Headers; isOpen: boolean }>([
      { access: 'public', onboarding: 'public', headers: {}, isOpen: true },
      { access: 'public', onboarding: 'internal', headers: {}, isOpen: true },
      { access: 'onboarding', onboarding: 'public', headers: {}, isOpen: true },
      { access: 'onboarding', onboarding: 'internal', headers: {}, isOpen: false },
      { access: 'onboarding', onboarding: 'internal', headers: withSecret, isOpen: true },
      { access: 'service', onboarding: 'public', headers: {}, isOpen: false },
      { access: 'service', onboarding: 'public', headers: withSecret, isOpen: true },
    ])(
      'a route with access $access is open or not, with onboarding $onboarding and $headers',
      async ({ access, onboarding, headers, isOpen }) => {
        const settings = { ONBOARDING: onboarding, INTERNAL_SERVICE_SECRET: SECRET };
        const { answered: reported, refused: why } = await createRouteAsker(store, settings).ask(
          publicRoute(access),
          headers,
        );
        expect(why).toEqual(isOpen ? null : refused('INTERNAL_SERVICE_ONLY'));
        expect(reported).toEqual(isOpen ? ['exchange'] : null);
        expect(steps).toEqual(isOpen ? ['parse', 'answer'] : []);
      },
    );

    it('a public route checks the limit of the address first', async () => {
      const { ask } = createRouteAsker(store, { ONBOARDING_RATE: '1/1h' });
      const limited = publicRoute('service', 'onboarding');
      const codes = [];
      for (let tried = 0; tried < 2; tried += 1) codes.push((await ask(limited, {}, '203.0.113.1')).refused?.code);
      codes.push((await ask(limited, {}, '203.0.113.2')).refused?.code);
      codes.push((await ask(publicRoute('service'), {}, '203.0.113.1')).refused?.code);
      const only = 'INTERNAL_SERVICE_ONLY';
      expect(codes).toEqual([only, 'TOO_MANY_REQUESTS', only, only]);
    });
  });

  describe('checks of a route with a key', () => {
    it('a route checks the scope, and refuses with its own code', async () => {
      const limited = await keyOf(owner, ['documents:read']);
      const scoped = (rest: Partial<TenantRoute> = {}) => keyRoute({ scope: 'keys:manage', ...rest });
      const details = { params: { scope: 'keys:manage' }, members: { requiredScope: 'keys:manage' } };
      expect((await asker.ask(scoped(), limited)).refused).toEqual(refused('INSUFFICIENT_SCOPE', details));
      const forbidden = await asker.ask(scoped({ scopeRefusal: 'FORBIDDEN' }), limited);
      expect(forbidden.refused).toEqual(refused('FORBIDDEN', details));
      expect(steps).toEqual([]);
      expect((await asker.ask(keyRoute({ scope: 'documents:read' }), limited)).answered).toEqual([
        'context',
        'exchange',
      ]);
      expect((await asker.ask(keyRoute(), limited)).refused).toBeNull();
    });

    it.each<{
      status: 'SUSPENDED' | 'PAST_DUE' | 'PENDING_VERIFICATION';
      mode: string;
      route: Partial<TenantRoute>;
      code: string | null;
    }>([
      { status: 'SUSPENDED', mode: 'free', route: {}, code: 'ACCOUNT_SUSPENDED' },
      { status: 'SUSPENDED', mode: 'free', route: { suspended: 'served' }, code: null },
      { status: 'SUSPENDED', mode: 'block', route: { pastDue: 'served' }, code: 'ACCOUNT_SUSPENDED' },
      { status: 'PAST_DUE', mode: 'free', route: {}, code: null },
      { status: 'PAST_DUE', mode: 'block', route: {}, code: 'ACCOUNT_PAST_DUE' },
      { status: 'PAST_DUE', mode: 'block', route: { pastDue: 'served' }, code: null },
      { status: 'PAST_DUE', mode: 'block', route: { suspended: 'served' }, code: null },
      { status: 'PENDING_VERIFICATION', mode: 'block', route: {}, code: null },
    ])(
      'a route serves or refuses an account that is $status in mode $mode: $route',
      async ({ status, mode, route: rest, code }) => {
        const { ask } = createRouteAsker(store, { PAST_DUE_MODE: mode });
        const headers = await keyOf(await storeTenant(store, { status }));
        const { refused: why, answered: reported } = await ask(keyRoute(rest), headers);
        expect(why).toEqual(code && refused(code));
        expect(reported).toEqual(code ? null : ['context', 'exchange']);
      },
    );

    it.each<{
      environment: 'sandbox' | 'production';
      isRecovered: boolean;
      unverified: TenantRoute['unverified'];
      isRefused: boolean;
    }>([
      { environment: 'sandbox', isRecovered: false, unverified: 'refused', isRefused: false },
      { environment: 'sandbox', isRecovered: false, unverified: 'sandbox', isRefused: false },
      { environment: 'sandbox', isRecovered: true, unverified: 'refused', isRefused: true },
      { environment: 'sandbox', isRecovered: true, unverified: 'sandbox', isRefused: false },
      { environment: 'sandbox', isRecovered: true, unverified: 'served', isRefused: false },
      // An account that was recovered before recoveries were recorded.
      { environment: 'production', isRecovered: false, unverified: 'refused', isRefused: true },
      { environment: 'production', isRecovered: true, unverified: 'sandbox', isRefused: true },
      { environment: 'production', isRecovered: true, unverified: 'served', isRefused: false },
    ])(
      'a route serves or refuses an unverified account in $environment, recovered $isRecovered: $unverified',
      async ({ environment, isRecovered, unverified, isRefused }) => {
        const recoveredAt = isRecovered ? store.clock.now() : null;
        const waiting = await storeTenant(store, { status: 'PENDING_VERIFICATION', environment, recoveredAt });
        await store.database.transaction((tables) =>
          tables
            .updateTable('tenants')
            .set({ recovered_at: recoveredAt?.getTime() ?? null })
            .where('id', '=', waiting.tenant.id)
            .execute(),
        );
        const { refused: why } = await asker.ask(keyRoute({ unverified }), await keyOf(waiting));
        expect(why).toEqual(isRefused ? refused('EMAIL_VERIFICATION_REQUIRED') : null);
        expect(steps).toEqual(isRefused ? ['parse', 'review', 'find'] : ['parse', 'answer']);
      },
    );

    it('malformed input and missing objects come before the missing verification', async () => {
      const waiting = await storeTenant(store, { status: 'PENDING_VERIFICATION', environment: 'production' });
      const headers = { ...(await keyOf(waiting)), 'x-issuer-id': await storeIssuer(store, waiting) };
      const codeOf = async (refusals: Parameters<typeof noting>[0]) =>
        (await asker.ask(issuerRoute(refusals), headers)).refused?.code;
      expect(await codeOf({ parse: new Refusal('VALIDATION_FAILED') })).toBe('VALIDATION_FAILED');
      expect(await codeOf({ review: new Refusal('VALIDATION_FAILED') })).toBe('VALIDATION_FAILED');
      expect(await codeOf({ find: new Refusal('NOT_FOUND') })).toBe('NOT_FOUND');
      expect(await codeOf({})).toBe('EMAIL_VERIFICATION_REQUIRED');
      expect((await asker.ask(issuerRoute(), { ...headers, 'x-issuer-id': UNKNOWN_ID })).refused?.code).toBe(
        'NOT_FOUND',
      );
      // A handler without a lookup.
      const plain = issuerRoute({}, { handler: routeHandler({ answer: async () => json(200, null) }) });
      expect((await asker.ask(plain, headers)).refused?.code).toBe('EMAIL_VERIFICATION_REQUIRED');
    });

    it('the checks run in a fixed order, whatever else is wrong', async () => {
      const suspended = await storeTenant(store, { status: 'SUSPENDED' });
      const limited = await keyOf(suspended, ['documents:read']);
      const full = await keyOf(suspended);
      const busy = issuerRoute(
        { parse: new Refusal('VALIDATION_FAILED') },
        { scope: 'keys:manage', limit: 'sequentials' },
      );
      const codeOf = async (headers: Headers, to = busy) => (await asker.ask(to, headers)).refused?.code;
      expect(await codeOf({})).toBe('UNAUTHORIZED');
      expect(await codeOf(limited)).toBe('INSUFFICIENT_SCOPE');
      expect(await codeOf(full)).toBe('ACCOUNT_SUSPENDED');
      const hits = JSON.stringify(Array.from({ length: 60 }, () => store.clock.now().getTime()));
      await store.database.transaction((tables) => tables.updateTable('rate_limits').set({ hits }).execute());
      expect(await codeOf(full)).toBe('TOO_MANY_REQUESTS');
      expect(steps).toEqual([]);
    });

    it('a key has its own limit', async () => {
      const [one, two] = [await keyOf(owner), await keyOf(owner)];
      const remaining = async (headers: Headers, to: TenantRoute | InternalRoute) =>
        (await asker.ask(to, { ...headers, ...withSecret })).exchange.headers['ratelimit-remaining'];
      const limited = keyRoute({ limit: 'sequentials' });
      const reported = [await remaining(one, limited), await remaining(one, limited), await remaining(two, limited)];
      expect(reported).toEqual(['59', '58', '59']);
      const internal: InternalRoute = {
        ...route,
        access: 'internal',
        limit: 'sequentials',
        unverified: 'served',
        handler: routeHandler(noting()),
      };
      expect(await remaining({ 'x-tenant-id': owner.tenant.id }, internal)).toBe('59');
      expect(await remaining(one, internal)).toBe('57');
    });
  });

  describe('checks of a route with an issuer', () => {
    const absent = refused('NOT_FOUND', { reason: 'ISSUER_NOT_FOUND' });

    it('a route reads the issuer after the request, and logs it', async () => {
      const { answered: reported, exchange } = await asker.ask(issuerRoute(), {
        ...auth,
        'x-issuer-id': ` ${issuerId.toUpperCase()} `,
      });
      expect(reported).toEqual(['context', 'exchange', 'issuer', 'scope']);
      expect(exchange.logFields).toEqual({ tenantId: owner.tenant.id, issuerId });
      expect(steps).toEqual(['parse', 'answer']);
    });

    it('the scope of a call is the issuer in the environment of the account', async () => {
      const live = await storeTenant(store, { environment: 'production' });
      const id = await storeIssuer(store, live);
      const handler = routeHandler({ answer: async ({ scope, issuer }: IssuerCall) => json(200, [scope, issuer.id]) });
      const headers = { ...(await keyOf(live)), 'x-issuer-id': id };
      const { answered: reported } = await asker.ask(issuerRoute({}, { handler }), headers);
      expect(reported).toEqual([{ issuerId: id, environment: 'production' }, id]);
    });

    it.each([
      { name: 'missing', header: null, reason: 'ISSUER_ID_REQUIRED' as const },
      { name: 'empty', header: ' ', reason: 'ISSUER_ID_REQUIRED' as const },
      { name: 'an invalid UUID', header: 'x', reason: 'ISSUER_ID_INVALID' as const },
    ])('an X-Issuer-Id that is $name is reported before the request is read', async ({ header, reason }) => {
      const { refused: why, exchange } = await asker.ask(issuerRoute(), {
        ...auth,
        ...(header === null ? {} : { 'x-issuer-id': header }),
      });
      expect(why).toEqual(refused('BAD_REQUEST', { reason }));
      expect([steps, exchange.logFields]).toEqual([[], { tenantId: owner.tenant.id }]);
    });

    it('a malformed request is reported before a missing issuer', async () => {
      const malformed = issuerRoute({ parse: new Refusal('VALIDATION_FAILED') });
      const { refused: why, exchange } = await asker.ask(malformed, { ...auth, 'x-issuer-id': UNKNOWN_ID });
      expect(why).toEqual(refused('VALIDATION_FAILED'));
      expect(exchange.logFields).toMatchObject({ issuerId: UNKNOWN_ID });
      expect(steps).toEqual(['parse']);
    });

    it('input errors of the review are reported before a missing or foreign issuer', async () => {
      const foreign = await storeIssuer(store, await storeTenant(store));
      const headers = (id: string) => ({ ...auth, 'x-issuer-id': id });
      expect((await asker.ask(issuerRoute(), headers(UNKNOWN_ID))).refused).toEqual(absent);
      expect((await asker.ask(issuerRoute(), headers(foreign))).refused).toEqual(
        refused('FORBIDDEN', { reason: 'ISSUER_FORBIDDEN' }),
      );
      expect(steps).toEqual(['parse', 'review', 'parse', 'review']);
      const reviewed = issuerRoute({ review: new Refusal('VALIDATION_FAILED') });
      for (const id of [UNKNOWN_ID, foreign]) {
        expect((await asker.ask(reviewed, headers(id))).refused).toEqual(refused('VALIDATION_FAILED'));
      }
      // A handler without further errors.
      const plain = issuerRoute({}, { handler: routeHandler({ answer: async () => json(200, null) }) });
      expect((await asker.ask(plain, headers(UNKNOWN_ID))).refused).toEqual(absent);
    });

    it.each<{ name: string; answer: Error; isReviewed: boolean }>([
      {
        name: 'a missing document',
        answer: new Refusal('NOT_FOUND', { reason: 'DOCUMENT_NOT_FOUND' }),
        isReviewed: true,
      },
      { name: 'something else', answer: new Refusal('NOT_FOUND'), isReviewed: false },
      {
        name: 'another reason',
        answer: new Refusal('BAD_REQUEST', { reason: 'INVALID_STATE_TRANSITION' }),
        isReviewed: false,
      },
    ])('input errors of the review are reported before $name, or not', async ({ answer, isReviewed }) => {
      const handled = issuerRoute({ answer, review: new Refusal('VALIDATION_FAILED') });
      const { refused: why } = await asker.ask(handled, { ...auth, 'x-issuer-id': issuerId });
      expect(why?.code).toBe(isReviewed ? 'VALIDATION_FAILED' : (answer as Refusal).code);
      expect(steps).toEqual(['parse', 'answer', ...(isReviewed ? ['review'] : [])]);
    });
  });
});
