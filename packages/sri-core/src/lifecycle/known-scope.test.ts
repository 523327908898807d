import { describe, expect, it } from 'vitest';
import { AccessKeyError } from '../errors.js';
import {
  buildAccessKey,
  createEngine,
  type EngineOptions,
  type Scope,
  signDocument,
  toAmbiente,
  uncheckedBody,
} from '../index.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { SAMPLE_INVOICE, SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { createTestClock } from '../testing/test-clock.js';
import { createTestSigner } from '../testing/test-p12.js';

const signer = await createTestSigner();
const clock = createTestClock('2026-11-21T17:00:00Z');
const issuer = { ...SAMPLE_ISSUER, id: 'A', signer };
const transport = () => Promise.reject(new Error('nothing is sent'));
const options: EngineOptions = { storage: createMemoryStorage(), issuers: [issuer], transport, clock };
const engine = createEngine(options);

/** As untyped programs pass it. */
const misspelt = (environment: unknown) => ({ issuerId: 'A', environment }) as Scope;
const WRONG = [
  'Production',
  'produccion',
  'prod',
  '2',
  2,
  '',
  null,
  undefined,
  ['production'],
  new String('production'),
];
const KEY = '2111202601179001234500110010020000000011234567818';

describe.each(WRONG.map((environment) => ({ environment })))('an environment of $environment', ({ environment }) => {
  it('an unknown environment is a TypeError in every operation of an engine, and numbers nothing', async () => {
    const scope = misspelt(environment);
    const counter = { ...scope, documentType: '01' } as const;
    const calls = [
      engine.create(scope, SAMPLE_INVOICE),
      engine.issue(scope, SAMPLE_INVOICE),
      engine.preview(scope, SAMPLE_INVOICE),
      engine.send(scope, KEY),
      engine.authorize(scope, KEY),
      engine.retry(scope, KEY),
      engine.retryAll(scope),
      engine.rebuild(scope, KEY),
      engine.void(scope, KEY, { confirmedSriVoid: true, reason: 'x' }),
      engine.creditBalance(scope, KEY),
      engine.get(scope, KEY),
      engine.contents(scope, KEY),
      engine.list(scope, { page: 1, limit: 10 }),
      engine.walk(scope, {}, null),
      engine.figures(scope),
      engine.events(scope, KEY),
      engine.sriResponses(scope, KEY),
      engine.xml(scope, KEY),
      engine.ride(scope, KEY),
      engine.nextSequential(counter),
      engine.setNextSequential(counter, 7),
    ];
    const {
      on: _on,
      tick: _tick,
      start: _start,
      stop: _stop,
      sriStanding: _standing,
      occupancies: _full,
      ...operations
    } = engine;
    expect(calls).toHaveLength(Object.keys(operations).length);
    const refusal = new TypeError('scope.environment has to be one of these: sandbox, production.');
    expect(await Promise.allSettled(calls)).toEqual(calls.map(() => ({ status: 'rejected', reason: refusal })));
    for (const known of ['sandbox', 'production'] as const) {
      expect(await engine.nextSequential({ issuerId: 'A', environment: known, documentType: '01' })).toBe(1);
    }
  });

  it('an unknown environment is a TypeError in signing without an engine, and in building a key', async () => {
    const named = environment as 'sandbox';
    // This check comes first: the body is wrong too.
    const signed = signDocument(uncheckedBody(null), {
      issuer: SAMPLE_ISSUER,
      signer,
      environment: named,
      sequential: 1,
      clock,
    });
    await expect(signed).rejects.toThrow(TypeError);
    expect(() => toAmbiente(named)).toThrow(TypeError);
    const parts = {
      issueDate: '21/11/2026',
      documentType: '01',
      ruc: '1790012345001',
      branchCode: '001',
      issuePointCode: '001',
      sequential: 1,
      numericCode: '12345678',
    };
    expect(() => buildAccessKey({ ...parts, environment: named })).toThrow(TypeError);
    expect(() => buildAccessKey({ ...parts, environment: 'sandbox', ruc: '1' })).toThrow(AccessKeyError);
  });
});

describe('an issuer’s id', () => {
  it.each([7, undefined, null, ['A']])('the issuer’s id %j is a TypeError, and numbers nothing', async (issuerId) => {
    const scope = { issuerId, environment: 'sandbox' } as unknown as Scope;
    await expect(engine.create(scope, SAMPLE_INVOICE)).rejects.toThrow('scope.issuerId has to be a text.');
    await expect(engine.list({ ...scope, issuerIds: 'A' } as never, { page: 1, limit: 1 })).rejects.toThrow(TypeError);
    const both = { issuerIds: ['A', issuerId], environment: 'sandbox' } as unknown as Scope;
    await expect(engine.list(both, { page: 1, limit: 10 })).rejects.toThrow(TypeError);
    expect(await engine.nextSequential({ issuerId: 'A', environment: 'sandbox', documentType: '01' })).toBe(1);
  });
});

describe('a missing scope', () => {
  it('a missing scope is a TypeError', async () => {
    await expect(engine.create(undefined as unknown as Scope, SAMPLE_INVOICE)).rejects.toThrow(TypeError);
  });
});

describe('an error of an engine', () => {
  it('an error of an engine is in its language', async () => {
    const reported = 'No hay un documento con esa clave de acceso.';
    await expect(engine.get({ issuerId: 'A', environment: 'sandbox' }, KEY)).rejects.toThrow(reported);
  });
});

describe('transports by environment', () => {
  it.each([{ sandbox: transport, prod: transport }, { sandbox: transport, production: 'https://sri' }, {}])(
    'transports by environment without one of the two are a TypeError: %o',
    (transports) => {
      const wrong = { ...options, transport: transports as unknown as EngineOptions['transport'] };
      expect(() => createEngine(wrong)).toThrow(TypeError);
    },
  );
});
