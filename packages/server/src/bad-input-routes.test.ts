import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from './gate/route.js';
import { createApiToken } from './keys/api-token.js';
import { SMALL_BODY } from './platform/http/body-input.js';
import { WEBHOOK_URL } from './testing/bad-input/address-kinds.js';
import type { FieldKind } from './testing/bad-input/field-kinds.js';
import {
  badCredentials,
  IDEMPOTENCY_KEYS,
  issuerFilters,
  issuerHeaders,
  type SentHeader,
  tenantHeaders,
  wrongSecrets,
} from './testing/bad-input/header-values.js';
import { jsonBodies } from './testing/bad-input/json-bodies.js';
import { BAD_SEGMENTS, refusalOf } from './testing/bad-input/path-segments.js';
import { withValue } from './testing/bad-input/places.js';
import {
  type Expected,
  faultOfRefusal,
  faultOfText,
  invalidField,
  type Seen,
  see,
} from './testing/bad-input/refusal.js';
import { type BodyInput, ROUTE_INPUTS, type RouteInput, UNKNOWN_ID } from './testing/bad-input/route-inputs.js';
import { sampleOn } from './testing/bad-input/sample.js';
import { storedRows } from './testing/bad-input/stored-rows.js';
import { STRANGE_QUERIES } from './testing/bad-input/strange-queries.js';
import { SENT_TEXTS, SENT_VALUES, type SentValue } from './testing/bad-input/values.js';
import { activeTenant } from './testing/production-tenant.js';
import { databaseKinds } from './testing/test-databases.js';
import { describeOnDatabases, type TestServer, testP12 } from './testing/test-server.js';
import { postJson, type TestTenant } from './testing/test-tenant.js';
import { ROUTES } from './v1-routes.js';

/** A request before it is sent. */
interface Draft {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are left out. */
  readonly without?: readonly string[];
  readonly body?: NonNullable<RequestInit['body']>;
}

const SECRET = 'w'.repeat(32);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const TABLE = ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route }));

describe('the table of route inputs', () => {
  it('the table names every route, and no other', () => {
    expect(Object.keys(ROUTE_INPUTS).toSorted()).toEqual(TABLE.map(({ name }) => name).toSorted());
  });
});

describeOnDatabases(`${countCases()} requests to the routes`, await databaseKinds(), (open, database) => {
  const sample = sampleOn(database);
  let server: TestServer;
  let tenant: TestTenant;
  let certificate: Uint8Array;
  let unknownKey = '';
  let keyId = '';
  let webhookId = '';
  let sentSoFar = 0;
  const faults: unknown[] = [];

  beforeAll(async () => {
    const logger = { info: () => {}, warn: () => {}, error: (fields: unknown) => void faults.push(fields) };
    server = await open({
      logger,
      settings: {
        ONBOARDING_RATE: '100000/1h',
        INTERNAL_SERVICE_SECRET: SECRET,
        VERIFICATION_REDIRECT_HOSTS: 'app.ejemplo.ec,localhost',
      },
    });
    tenant = await activeTenant(server);
    certificate = await testP12();
    unknownKey = createApiToken({ bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) }, 'sri', 'sandbox');
    const webhook = await postJson(server, '/v1/webhooks', tenant.auth, { url: WEBHOOK_URL });
    webhookId = ((await webhook.json()) as { endpoint: { id: string } }).endpoint.id;
    const keys = await server.request('/v1/keys', { headers: tenant.auth });
    keyId = ((await keys.json()) as { keys: readonly { id: string }[] }).keys[0]?.id ?? '';
  });

  /** Sends a request that is valid except for the draft, from a fresh address. */
  async function send(route: Route, { path, query, headers, without = [], body }: Draft): Promise<Seen> {
    sentSoFar += 1;
    const all = new Headers({ ...callerOf(route), ...headers });
    for (const name of without) all.delete(name);
    const hasStream = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
    const init = { method: route.method, headers: all, ...(body === undefined ? {} : { body }), ...hasStream };
    const address = `10.${sentSoFar >> 16}.${(sentSoFar >> 8) & 255}.${sentSoFar & 255}`;
    // This test is not about limits.
    if ('scope' in route && route.limit) await forgetLimits();
    return see(server.request(`${path ?? goodPath(route)}${query ? `?${query}` : ''}`, init, address));
  }

  function callerOf({ access }: Route): Readonly<Record<string, string>> {
    const secret = { 'x-internal-service-secret': SECRET };
    if (access === 'issuer' || access === 'issuers') return tenant.headers;
    if (access === 'tenant') return tenant.auth;
    return access === 'internal' ? { ...tenant.auth, ...secret } : secret;
  }

  function forgetLimits() {
    return server.services.database.transaction((tables) => tables.deleteFrom('rate_limits').execute());
  }

  function goodPath({ method, path }: Route, written = path): string {
    const own = { issuer: tenant.issuerId, key: keyId, webhook: webhookId };
    const owner = ROUTE_INPUTS[`${method} ${path}`]?.id;
    return written
      .replace(':accessKey', '1'.repeat(49))
      .replace(':id', owner ? own[owner] : UNKNOWN_ID)
      .replace(/:(deliveryId|proofId)/, UNKNOWN_ID)
      .replace(':name', 'id-types')
      .replace(':type', 'TERMS')
      .replace(/:(code|documentType)/, '01');
  }

  /** Sends each request. Afterwards nothing new may be stored, and nothing may have failed unexpectedly. */
  async function expectAllRefused<T>(
    cases: readonly T[],
    check: (one: T) => Promise<{ readonly name: string; readonly fault: string | null }>,
  ): Promise<void> {
    const before = await storedRows(server);
    const complaints: string[] = [];
    for (const one of cases) {
      const { name, fault } = await check(one);
      if (fault) complaints.push(`${name}: ${fault}`);
    }
    expect(complaints).toEqual([]);
    expect(await storedRows(server)).toEqual(before);
    expect(faults).toEqual([]);
  }

  describe.each(TABLE)('$name', ({ name: routeName, route }) => {
    const input: RouteInput = ROUTE_INPUTS[routeName] ?? { fine: [] };
    const goodBody = (): Draft => draftOf(input, input.json?.good, certificate);
    const good = (): Draft => ({ ...(input.goodQuery ? { query: input.goodQuery } : {}), ...goodBody() });

    it('accepts the valid request of this test', async () => {
      expect(faultOfFine(await send(route, good()), input)).toBeNull();
    });

    it.runIf('scope' in route)('rejects invalid keys', async () => {
      const keys = badCredentials({ good: tenant.apiKey, unknown: unknownKey });
      await expectAllRefused(sample(Object.entries(keys), routeName), async ([name, value]) => {
        const draft = good();
        const headers = { ...draft.headers, ...(value === null ? {} : { authorization: value }) };
        const seen = await send(route, { ...draft, headers, without: value === null ? ['authorization'] : [] });
        const challenge = seen.headers.get('www-authenticate') === 'Bearer' ? null : 'no challenge';
        return { name, fault: faultOfRefusal(seen, UNAUTHORIZED, value) ?? challenge };
      });
    });

    it.runIf(route.access === 'issuer' || route.access === 'issuers')('rejects invalid issuer headers', () =>
      tryHeader('x-issuer-id', issuerHeaders(tenant.issuerId)),
    );

    it.runIf(input.idCode !== undefined)('rejects invalid issuer filters', () =>
      tryHeader('x-issuer-id', issuerFilters(tenant.issuerId, input.idCode ?? '')),
    );

    it.runIf(route.access === 'internal' || route.access === 'service')(
      'rejects wrong secrets of the web application',
      () => tryHeader('x-internal-service-secret', wrongSecrets(SECRET)),
    );

    it.runIf(route.access === 'internal')('rejects invalid account headers without a key', () =>
      tryHeader('x-tenant-id', tenantHeaders(tenant.tenantId), ['authorization']),
    );

    async function tryHeader(header: string, values: readonly SentHeader[], without: readonly string[] = []) {
      const ask = ({ value }: SentHeader): Promise<Seen> => {
        const draft = good();
        const headers = { ...draft.headers, ...(value === null ? {} : { [header]: value }) };
        return send(route, { ...draft, headers, without: value === null ? [...without, header] : without });
      };
      const refused = values.filter(({ expected }) => expected);
      await expectAllRefused(sample(refused, routeName), async (sent) => ({
        name: sent.name,
        fault: sent.expected && faultOfRefusal(await ask(sent), sent.expected, sent.value),
      }));
      for (const sent of values) {
        if (!sent.expected) expect(faultOfFine(await ask(sent), input), sent.name).toBeNull();
      }
    }

    for (const [part, kind] of Object.entries(input.path ?? {})) {
      it(`rejects invalid values in the place of :${part}`, async () => {
        await expectAllRefused(sample(Object.entries(BAD_SEGMENTS), routeName), async ([name, segment]) => {
          const path = goodPath(route, route.path.replace(`:${part}`, segment));
          const seen = await send(route, { ...good(), path });
          // An encoded slash makes it another path.
          const isOtherPath = seen.status === 404 && /%2f/i.test(segment);
          return { name, fault: isOtherPath ? faultOfText(seen.text) : faultOfRefusal(seen, refusalOf(kind, part)) };
        });
      });
    }

    it('ignores unknown query parameters', async () => {
      for (const query of sample(STRANGE_QUERIES, routeName)) {
        const draft = good();
        const whole = draft.query ? `${draft.query}&${query}` : query;
        expect(faultOfFine(await send(route, { ...draft, query: whole }), input), query).toBeNull();
      }
    });

    for (const [parameter, kind] of Object.entries(input.query ?? {})) {
      it(`rejects invalid values of the parameter ${parameter}`, async () => {
        const values = sample([...SENT_TEXTS, ...kind.edges], parameter).filter(isText);
        const written = (value: unknown) => `${parameter}=${encodeURIComponent(String(value))}`;
        const queryOf = (sent: SentValue) => (sent.sort === 'absent' ? '' : written(sent.value));
        const bad = values.filter((sent) => !kind.takes(sent)).map((sent) => ({ ...sent, query: queryOf(sent) }));
        const fine = values.filter((sent) => sent.sort !== 'absent' && kind.takes(sent));
        const [one] = kind.edges.filter((sent) => kind.takes(sent));
        const twice = [
          { name: 'twice', value: null, query: `${written(one?.value)}&${written(one?.value)}` },
          { name: 'broken bytes', value: null, query: `${parameter}=%ff` },
          { name: 'an overlong slash', value: null, query: `${parameter}=%c0%af` },
          { name: 'no value', value: null, query: parameter },
        ];
        await expectAllRefused([...bad, ...twice], async ({ name, value, query }) => {
          const seen = await send(route, { ...good(), query });
          const isNearlyGood = typeof value === 'string' && kind.takes({ name, sort: 'text', value: value.trim() });
          const hidden = isNearlyGood ? undefined : value;
          const isRead = name === 'no value' || (typeof value === 'string' && !UNREADABLE.test(value));
          const asId: Expected | undefined = input.idCode ? { status: 400, code: input.idCode } : undefined;
          const expected = (isRead && asId) || invalidField(`query:${parameter}`);
          return { name, fault: faultOfRefusal(seen, expected, hidden) };
        });
        for (const sent of fine) {
          const seen = await send(route, { ...good(), query: written(sent.value) });
          expect(faultOfFine(seen, input), sent.name).toBeNull();
        }
      });
    }

    const { json, form } = input;
    if (json) {
      it('rejects invalid JSON, and accepts JSON in unusual forms', async () => {
        const bodies = sample(jsonBodies(json.good, mostBytesOf(route)), routeName);
        await expectAllRefused(
          bodies.filter(({ expected }) => expected),
          async ({ name, body, headers, expected }) => {
            const sent = { 'content-type': 'application/json', ...headers };
            const seen = await send(route, { ...good(), headers: sent, body: toBody(body()) });
            return { name, fault: expected && faultOfRefusal(seen, expected) };
          },
        );
        for (const { name, body, headers, expected } of bodies) {
          if (expected) continue;
          const sent = { 'content-type': 'application/json', ...headers };
          const seen = await send(route, { ...good(), headers: sent, body: toBody(body()) });
          expect(faultOfFine(seen, input), name).toBeNull();
        }
      });

      it('accepts a missing body only where the body is optional', async () => {
        for (const body of [undefined, '']) {
          const headers = { 'content-type': 'application/json' };
          const draft = input.goodQuery ? { query: input.goodQuery } : {};
          const seen = await send(route, { ...draft, headers, ...(body === undefined ? {} : { body }) });
          const fault = json.optional ? faultOfFine(seen, input) : faultOfRefusal(seen, invalidField('body'));
          expect(fault).toBeNull();
        }
      });

      it.runIf(json.whole)('rejects invalid bodies as a whole', async () => {
        const ask = (body: string) => send(route, { ...good(), headers: { 'content-type': 'application/json' }, body });
        const bodies = sample(json.whole ?? [], routeName);
        await expectAllRefused(
          bodies.filter(({ field }) => field !== null),
          async ({ name, json: body, field }) => {
            return { name, fault: faultOfRefusal(await ask(body), invalidField(field ?? '')) };
          },
        );
        for (const { name, json: body, field } of bodies) {
          if (field === null) expect(faultOfFine(await ask(body), input), name).toBeNull();
        }
      });

      for (const [field, kind] of Object.entries(json.fields)) {
        it(`rejects invalid values of the field ${field}`, () =>
          tryField({ field, kind, body: json, values: SENT_VALUES, as: toJsonDraft }));
      }
    }

    if (form) {
      for (const [field, kind] of Object.entries(form.fields)) {
        it(`rejects invalid values of the field ${field} of a form`, () =>
          tryField({ field, kind, body: form, values: SENT_TEXTS, as: (fields) => toFormDraft(fields, certificate) }));
      }
    }

    async function tryField(trial: {
      readonly field: string;
      readonly kind: FieldKind;
      readonly body: BodyInput;
      readonly values: readonly SentValue[];
      readonly as: (body: unknown) => Draft;
    }): Promise<void> {
      const { field, kind, body, as } = trial;
      const isForm = trial.values === SENT_TEXTS;
      const values = sample([...trial.values, ...kind.edges], field).filter((sent) => !isForm || isText(sent));
      const query = input.goodQuery ? { query: input.goodQuery } : {};
      const draft = (sent: SentValue): Draft => ({ ...query, ...as(withValue(body.good, field, sent.value)) });
      await expectAllRefused(
        values.filter((sent) => !kind.takes(sent)),
        async (sent) => {
          // An error may list a value that is valid except for its blanks among the valid ones.
          const isNearlyGood = typeof sent.value === 'string' && kind.takes({ ...sent, value: sent.value.trim() });
          const hidden = isNearlyGood ? undefined : sent.value;
          const fault = faultOfRefusal(await send(route, draft(sent)), invalidField(field), hidden);
          return { name: sent.name, fault };
        },
      );
      for (const sent of values.filter((value) => kind.takes(value))) {
        expect(faultOfFine(await send(route, draft(sent)), input), sent.name).toBeNull();
      }
    }
  });

  it('rejects invalid idempotency keys', async () => {
    const create = TABLE.find(({ name }) => name === 'POST /v1/documents');
    if (!create) throw new Error('There is no route that creates documents.');
    const draft = (value: string): Draft => {
      const body = toJsonDraft(ROUTE_INPUTS['POST /v1/documents']?.json?.good);
      return { ...body, headers: { ...body.headers, 'idempotency-key': value } };
    };
    await expectAllRefused(
      IDEMPOTENCY_KEYS.filter(({ expected }) => expected),
      async ({ name, value, expected }) => {
        return { name, fault: expected && faultOfRefusal(await send(create.route, draft(value)), expected, value) };
      },
    );
    for (const { name, value, expected } of IDEMPOTENCY_KEYS) {
      if (expected) continue;
      const statuses = [await send(create.route, draft(value)), await send(create.route, draft(value))];
      expect(
        statuses.map(({ status }) => status),
        name,
      ).toEqual([201, 200]);
    }
  });

  it('rejects the methods that a path does not have', async () => {
    const paths = [...new Set(ROUTES.map(({ path }) => path))];
    for (const path of paths) {
      const allowed = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
      for (const method of METHODS.filter((one) => !allowed.some((other) => other === one))) {
        const response = await server.request(path.replace(/:\w+/g, 'x'), { method });
        // A fixed name of one route may match a path parameter of another.
        if (response.status === 401 || response.status === 400) continue;
        const seen = await see(response);
        expect(faultOfRefusal(seen, NOT_ALLOWED), `${method} ${path}`).toBeNull();
        expect(seen.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(allowed));
      }
    }
  });
});

// --- internal ---

const UNAUTHORIZED: Expected = { status: 401, code: 'UNAUTHORIZED' };
/** Control characters, and bytes that are not text. */
const UNREADABLE = /[\0-\x1f\x7f-\x9f\ufffd]/;
const NOT_ALLOWED: Expected = { status: 405, code: 'METHOD_NOT_ALLOWED' };

function isText({ sort, value }: SentValue): boolean {
  return sort === 'absent' || (typeof value === 'string' && value.isWellFormed());
}

function toBody(body: string | Uint8Array | ReadableStream<Uint8Array>): NonNullable<RequestInit['body']> {
  return body instanceof Uint8Array ? Uint8Array.from(body) : body;
}

function toJsonDraft(body: unknown): Draft {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function toFormDraft(fields: unknown, cert: Uint8Array): Draft {
  const form = new FormData();
  // A registration without a container is rejected for that.
  form.append('cert', new Blob([Uint8Array.from(cert)]), 'a.p12');
  for (const [name, value] of Object.entries(fields ?? {})) if (typeof value === 'string') form.append(name, value);
  return { body: form };
}

function draftOf({ json, form }: RouteInput, body: unknown, cert: Uint8Array): Draft {
  if (json) return toJsonDraft(body);
  return form ? toFormDraft(form.good, cert) : {};
}

/** The fault of an answer to a valid request; null without one. */
function faultOfFine({ status, text }: Seen, { fine }: RouteInput): string | null {
  const code = status < 400 ? '' : ` ${/"code":"(\w+)"/.exec(text)?.[1]}`;
  if (!fine.includes(`${status}${code}`)) return `got ${status} ${text.slice(0, 300)}`;
  return faultOfText(text);
}

/** The largest JSON body that the route reads. */
function mostBytesOf({ handler }: Route): number {
  return handler.operation?.body?.limits['application/json'] ?? SMALL_BODY;
}

/** The number of requests on a database that tries every field. */
function countCases(): number {
  const keys = { good: 'sri_test_x', unknown: 'sri_test_y' };
  const perField = (fields: Readonly<Record<string, FieldKind>>, values: readonly SentValue[]) =>
    Object.values(fields).reduce((sum, { edges }) => sum + values.length + edges.length, 0);
  return TABLE.reduce((sum, { name, route }) => {
    const { path = {}, query = {}, idCode, json, form } = ROUTE_INPUTS[name] ?? {};
    const { access } = route;
    return (
      sum +
      ('scope' in route ? Object.keys(badCredentials(keys)).length : 0) +
      (access === 'issuer' || access === 'issuers' || idCode ? issuerHeaders(UNKNOWN_ID).length : 0) +
      (access === 'internal' || access === 'service' ? wrongSecrets(SECRET).length : 0) +
      (access === 'internal' ? tenantHeaders(UNKNOWN_ID).length : 0) +
      Object.keys(path).length * Object.keys(BAD_SEGMENTS).length +
      STRANGE_QUERIES.length +
      perField(query, SENT_TEXTS) +
      (json
        ? jsonBodies(json.good, mostBytesOf(route)).length +
          (json.whole?.length ?? 0) +
          perField(json.fields, SENT_VALUES)
        : 0) +
      (form ? perField(form.fields, SENT_TEXTS) : 0)
    );
  }, 0);
}
