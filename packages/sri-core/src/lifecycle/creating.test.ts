import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseAccessKey } from '../access-key.js';
import { uncheckedBody } from '../documents/registry.js';
import { createEngine, type Engine } from '../engine.js';
import type { EngineOptions } from '../engine-options.js';
import type { Signer } from '../signing/signer.js';
import {
  BENCH_TYPES,
  createBench,
  creditNoteBody,
  invoiceBody,
  SCOPE,
  START,
  testSigner,
  watchedSigner,
} from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { createTestClock } from '../testing/test-clock.js';
import { createTestSigner } from '../testing/test-p12.js';
import { signDocument } from './sign-document.js';

const codeOf = (code: string) => expect.objectContaining({ code });

describe('creating', () => {
  it('`create` numbers, signs and stores a document', async () => {
    const { engine } = await createBench();
    const { document, warnings, replayed } = await engine.create(SCOPE, invoiceBody());
    expect({ warnings, replayed }).toEqual({ warnings: [], replayed: false });
    expect(document).toMatchObject({
      status: 'SIGNED',
      sequential: 1,
      total: '11.50',
      issueDate: '2026-11-21',
      job: null,
      mail: { status: 'PENDING' },
    });
    expect(parseAccessKey(document.accessKey)).toMatchObject({
      issueDate: '21/11/2026',
      documentType: '01',
      ruc: '1760013210001',
      environment: 'sandbox',
      branchCode: '001',
      issuePointCode: '002',
      sequential: 1,
    });
    expect(await engine.get(SCOPE, document.accessKey)).toEqual(document);
    expect(await engine.contents(SCOPE, document.accessKey)).toMatchObject({
      requestPayload: invoiceBody(),
      authorizedXml: null,
    });
    expect(await engine.events(SCOPE, document.accessKey)).toMatchObject([
      { eventType: 'CREATED', fromStatus: null, toStatus: 'SIGNED' },
    ]);
  });

  it('`create` succeeds although the log fails', async () => {
    const full = () => {
      throw new Error('no space left');
    };
    const { engine } = await createBench({ logger: { info: full, warn: full, error: full } });
    engine.on('created', full);
    expect((await engine.create(SCOPE, invoiceBody())).document.status).toBe('SIGNED');
  });

  it('`create` stores the list fields next to the file, and logs the create', async () => {
    const lines: unknown[] = [];
    const info = (fields: unknown, message: string) => lines.push({ fields, message });
    const { engine, clock } = await createBench({ logger: { info, warn: () => {}, error: () => {} } });
    const { document } = await engine.create(SCOPE, invoiceBody(), { idempotencyKey: 'order-1' });
    const { id, accessKey, payloadHash } = document;
    expect(document).toEqual({
      ...SCOPE,
      id,
      accessKey,
      payloadHash,
      documentType: '01',
      sequential: 1,
      status: 'SIGNED',
      issueDate: '2026-11-21',
      total: '11.50',
      counterparty: { idType: '06', id: 'AB123456', name: 'María Ñacata', email: 'maria@example.com' },
      copies: [],
      modifies: null,
      authorization: null,
      voided: null,
      mail: { status: 'PENDING', sentAt: null, error: null },
      idempotencyKey: 'order-1',
      createdAt: clock.now(),
      updatedAt: clock.now(),
      revision: 1,
      job: null,
    });
    expect(lines).toEqual([{ fields: { accessKey, issuerId: SCOPE.issuerId }, message: 'document created' }]);
  });

  it.each(BENCH_TYPES)('`create` uses the day in Ecuador, not in Greenwich: $name', async ({ bodyTo }) => {
    const { engine, clock } = await createBench();
    clock.set('2026-11-22T04:59:00Z');
    expect((await engine.create(SCOPE, bodyTo())).document.issueDate).toBe('2026-11-21');
    clock.set('2026-11-22T05:00:00Z');
    expect((await engine.create(SCOPE, bodyTo())).document.issueDate).toBe('2026-11-22');
  });

  it.each(BENCH_TYPES)('`create` gives 50 concurrent creators the numbers 1 to 50: $name', async ({ bodyTo }) => {
    const { engine } = await createBench();
    const made = await Promise.all(Array.from({ length: 50 }, () => engine.create(SCOPE, bodyTo())));
    const numbers = made.map(({ document }) => document.sequential).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(new Set(made.map(({ document }) => document.accessKey)).size).toBe(50);
  });

  it('createEngine rejects two issuers of one id', async () => {
    const { issuer } = await createBench();
    await expect(createBench({ issuers: [issuer, { ...issuer, businessName: 'Otra S.A.' }] })).rejects.toThrow(
      TypeError,
    );
  });

  it.each([
    ['retryIntervalMs', Number.NaN],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['concurrency', 2.5],
    ['pollMs', -1],
    ['leaseMs', '60000' as unknown as number],
    ['maxAttempts', 0],
    ['concurrency', 0],
  ])('createEngine rejects a schedule of %s %s', async (name, value) => {
    await expect(createBench({ schedule: { [name]: value } })).rejects.toThrow(`schedule.${name}`);
  });

  it.each([
    ['language', 'EN', 'language has to be one of these: es, en.'],
    ['signatureAlgorithm', 'sha256', 'signatureAlgorithm has to be one of these: rsa-sha1, rsa-sha256.'],
    ['storage', null, 'needs a storage'],
    ['storage', Promise.resolve({}), 'needs a storage'],
    ['issuers', { id: 'main' }, 'needs issuers: a list'],
  ])('createEngine rejects the wrong %s %s, and names it', async (name, value, message) => {
    const { issuer, storage, simulator } = await createBench();
    const options = { storage, issuers: [issuer], transport: simulator.handle, [name]: value } as EngineOptions;
    expect(() => createEngine(options)).toThrow(message);
  });

  it('`create` separates the counters of types, environments and issuers', async () => {
    const { engine } = await createBench();
    const made = await Promise.all([
      engine.create(SCOPE, invoiceBody()),
      engine.create(SCOPE, creditNoteBody()),
      engine.create({ ...SCOPE, environment: 'production' }, invoiceBody()),
    ]);
    const [first, note] = made;
    expect(made.map(({ document }) => document.sequential)).toEqual([1, 1, 1]);
    expect(made.map(({ document }) => `${document.environment} ${document.documentType}`)).toEqual([
      'sandbox 01',
      'sandbox 04',
      'production 01',
    ]);
    expect(note.document.modifies).toEqual({
      documentType: '01',
      number: '001-002-000000001',
    });
    await expect(engine.get({ ...SCOPE, environment: 'production' }, first.document.accessKey)).rejects.toEqual(
      codeOf('DOCUMENT_NOT_FOUND'),
    );
  });

  it.each(BENCH_TYPES)(
    '`create` leaves no gap when one of many documents cannot be signed: $name',
    async ({ bodyTo }) => {
      const flaky = await watchedSigner((call) => {
        if (call % 7 === 3) throw new Error('the token was pulled out');
      });
      const { engine } = await createBench({ issuer: { signer: flaky } });
      const results = await Promise.allSettled(Array.from({ length: 40 }, () => engine.create(SCOPE, bodyTo())));
      const numbers = results.flatMap((result) =>
        result.status === 'fulfilled' ? [result.value.document.sequential] : [],
      );
      expect(numbers.length).toBeLessThan(40);
      expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    },
  );

  it('`create` rejects an invalid body and an unknown issuer without storing or numbering', async () => {
    const { engine } = await createBench();
    const bad = { ...invoiceBody(), items: [], buyer: { idType: '99' } };
    await expect(engine.create(SCOPE, uncheckedBody(bad))).rejects.toEqual(codeOf('VALIDATION_FAILED'));
    await expect(engine.create({ ...SCOPE, issuerId: 'unknown' }, invoiceBody())).rejects.toEqual(
      codeOf('ISSUER_NOT_FOUND'),
    );
    expect(await engine.nextSequential({ ...SCOPE, documentType: '01' })).toBe(1);
    expect(await engine.list(SCOPE, { page: 1, limit: 10 })).toEqual({
      documents: [],
      total: 0,
    });
  });

  it.each<[string, string, () => unknown]>([
    ['contains itself', 'meta.self.self.self.self', () => ({ meta: containingItself() })],
    ['has a BigInt', 'meta.list[1].id', () => ({ meta: { list: [1, { id: 1n }] } })],
    ['has a getter that throws', 'meta.id', () => ({ meta: throwingGetter() })],
    [
      'is deep in a line',
      'items[0].meta.in.in',
      () => ({ items: [{ ...invoiceBody().items[0], meta: nested(2_000) }] }),
    ],
    ['throws as JSON', 'body', () => ({ toJSON: () => BigInt('no number') })],
  ])('`create` rejects a body that %s, without storing or numbering', async (_, field, fields) => {
    const { engine } = await createBench();
    const body = uncheckedBody({ ...invoiceBody(), ...(fields() as object) });
    const refusal = { failures: [{ field, rule: 'json' }] };
    await expect(engine.create(SCOPE, body)).rejects.toMatchObject(refusal);
    await expect(engine.preview(SCOPE, body)).rejects.toMatchObject(refusal);
    const { document } = await engine.create(SCOPE, invoiceBody());
    expect(document.sequential).toBe(1);
  });

  it.each([
    ['a paused issuer', { canIssue: false }, 'ISSUER_ISSUING_PAUSED'],
    ['a type that is not enabled', { documentTypes: ['04'] as const }, 'DOCUMENT_TYPE_NOT_ENABLED'],
  ])('`create` rejects %s', async (_, issuer, code) => {
    const { engine } = await createBench({ issuer });
    await expect(engine.create(SCOPE, invoiceBody())).rejects.toEqual(codeOf(code));
  });

  it.each(['false', 0])('`create` rejects a pause that is no flag: %j', async (canIssue) => {
    const { engine } = await createBench({ issuer: { canIssue: canIssue as unknown as boolean } });
    await expect(engine.create(SCOPE, invoiceBody())).rejects.toThrow('issuer.canIssue has to be true or false.');
  });

  it('`create` names the signer that an issuer of a source does not have', async () => {
    const { issuer } = await createBench();
    const signer = createTestSigner() as unknown as Signer;
    const { engine } = await createBench({ issuers: { find: async () => ({ ...issuer, signer }) } });
    await expect(engine.create(SCOPE, invoiceBody())).rejects.toThrow('issuer.signer has to be a Signer');
    expect(await engine.nextSequential({ ...SCOPE, documentType: '01' })).toBe(1);
  });

  it.each([
    ['after its end', '2028-01-02T00:00:00Z', 'CERTIFICATE_EXPIRED'],
    ['before its start', '2025-12-31T00:00:00Z', 'CERTIFICATE_NOT_YET_VALID'],
  ])('`create` rejects a certificate %s', async (_, moment, code) => {
    const { engine, clock } = await createBench();
    clock.set(moment);
    await expect(engine.create(SCOPE, invoiceBody())).rejects.toEqual(codeOf(code));
    expect(await engine.nextSequential({ ...SCOPE, documentType: '01' })).toBe(1);
  });

  it('`create` uses the issuer that the caller has read instead of looking it up, but no other issuer', async () => {
    const bench = await createBench();
    const { engine } = await createBench({ storage: bench.storage, issuers: { find: async () => null } });
    await expect(engine.create(SCOPE, invoiceBody())).rejects.toEqual(codeOf('ISSUER_NOT_FOUND'));
    const { issuer } = bench;
    expect((await engine.create(SCOPE, invoiceBody(), { issuer })).document.sequential).toBe(1);
    const other = { ...issuer, id: 'issuer-2' };
    await expect(engine.create(SCOPE, invoiceBody(), { issuer: other })).rejects.toEqual(codeOf('ISSUER_NOT_FOUND'));
  });

  it.each([
    ['first', '2026-01-01T00:00:00Z'],
    ['last', '2028-01-01T00:00:00Z'],
  ])('`create` signs at the %s moment of a certificate', async (_, moment) => {
    const { engine, clock } = await createBench();
    clock.set(moment);
    expect((await engine.create(SCOPE, invoiceBody())).document.status).toBe('SIGNED');
  });

  it('`create` rejects a signer without the key of its certificate', async () => {
    const { certificate } = await testSigner();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const other: Signer = {
      certificate,
      sign: async (data) => sign('sha1', data, privateKey),
    };
    const { engine } = await createBench({ issuer: { signer: other } });
    await expect(engine.create(SCOPE, invoiceBody())).rejects.toEqual(codeOf('SIGNATURE_INVALID'));
  });

  it('`create` rejects a document that is too large for the SRI, and accepts a document that just fits', async () => {
    const { engine } = await createBench({ language: 'en' });
    const items = invoiceBody().items.map((item) => ({ ...item, description: 'Descripción larga '.repeat(16) }));
    const ofItems = (length: number) => ({ ...invoiceBody(), items: Array.from({ length }, () => items).flat() });
    await expect(engine.create(SCOPE, ofItems(1000))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      failures: [{ field: 'items', rule: 'xmlSize', message: expect.stringContaining('300') }],
    });
    const { document } = await engine.create(SCOPE, ofItems(410));
    const { signedXml } = await engine.contents(SCOPE, document.accessKey);
    expect(Buffer.byteLength(signedXml)).toBeGreaterThan(280 * 1024);
  });

  it.each(BENCH_TYPES)('`create` gives the last number, and then no more: $name', async ({ bodyTo, counter }) => {
    const { engine } = await createBench();
    await engine.setNextSequential(counter, 999_999_999);
    const results = await Promise.allSettled([
      engine.create(SCOPE, bodyTo()),
      engine.create(SCOPE, bodyTo()),
      engine.create(SCOPE, bodyTo()),
    ]);
    expect(
      results.map((result) => (result.status === 'fulfilled' ? result.value.document.sequential : result.reason.code)),
    ).toEqual([999_999_999, 'SEQUENTIAL_EXHAUSTED', 'SEQUENTIAL_EXHAUSTED']);
    await expect(engine.setNextSequential(counter, 5)).rejects.toEqual(codeOf('SEQUENTIAL_CANNOT_DECREASE'));
    await expect(engine.setNextSequential(counter, 1_000_000_000)).rejects.toEqual(codeOf('SEQUENTIAL_EXHAUSTED'));
  });

  it('setNextSequential moves a counter to whole numbers only', async () => {
    const { engine } = await createBench();
    const counter = { ...SCOPE, documentType: '01' } as const;
    for (const next of [1.5, Number.NaN, '10' as unknown as number]) {
      await expect(engine.setNextSequential(counter, next)).rejects.toThrow(TypeError);
    }
    expect((await engine.create(SCOPE, invoiceBody())).document.sequential).toBe(1);
  });

  it('setNextSequential moves a counter only for a known issuer and document type', async () => {
    const { engine } = await createBench();
    const unknownIssuer = { ...SCOPE, issuerId: 'unknown', documentType: '01' } as const;
    const unknownType = { ...SCOPE, documentType: '99' as '01' };
    await expect(engine.setNextSequential(unknownIssuer, 50)).rejects.toEqual(codeOf('ISSUER_NOT_FOUND'));
    await expect(engine.setNextSequential(unknownType, 50)).rejects.toThrow(TypeError);
    await expect(engine.nextSequential(unknownType)).rejects.toThrow('counter.documentType has to be one of these: 01');
    expect(await engine.nextSequential(unknownIssuer)).toBe(1);
  });
});

describe.each(BENCH_TYPES)('an idempotency key: $name', ({ bodyTo, counter }) => {
  it('an idempotency key returns the same document again, in its current state', async () => {
    const { engine } = await createBench();
    const first = await engine.create(SCOPE, bodyTo(), {
      idempotencyKey: 'order-1',
    });
    await engine.send(SCOPE, first.document.accessKey);
    const again = await engine.create(SCOPE, bodyTo(), {
      idempotencyKey: 'order-1',
    });
    expect(again).toMatchObject({
      replayed: true,
      document: { accessKey: first.document.accessKey, status: 'PENDING_SEND' },
    });
    expect(await engine.nextSequential(counter)).toBe(2);
  });

  it('an idempotency key returns the same document the next day, though the body names its day', async () => {
    const { engine, clock } = await createBench();
    const today = { issueDate: '21/11/2026', ...(counter.documentType === '06' && { startDate: '21/11/2026' }) };
    const dated = uncheckedBody({ ...bodyTo(), ...today });
    const first = await engine.create(SCOPE, dated, { idempotencyKey: 'order-1' });
    clock.set('2026-11-22T15:00:00Z');
    const again = await engine.create(SCOPE, dated, { idempotencyKey: 'order-1' });
    expect(again).toEqual({ ...first, replayed: true });
    await expect(engine.create(SCOPE, dated, { idempotencyKey: 'order-2' })).rejects.toEqual(
      codeOf('VALIDATION_FAILED'),
    );
    const other = uncheckedBody({ ...bodyTo('ZZ1'), ...today });
    await expect(engine.create(SCOPE, other, { idempotencyKey: 'order-1' })).rejects.toEqual(
      codeOf('IDEMPOTENCY_CONFLICT'),
    );
  });

  it('an idempotency key returns the same document after midnight, which passed while it was signed', async () => {
    const clock = createTestClock('2026-11-22T04:59:59.900Z');
    const signer = await watchedSigner(() => clock.set('2026-11-22T05:00:00.100Z'));
    const { engine } = await createBench({ clock, issuer: { signer } });
    const dated = uncheckedBody({ ...bodyTo(), issueDate: '21/11/2026' });
    const first = await engine.create(SCOPE, dated, { idempotencyKey: 'order-1' });
    expect(await engine.create(SCOPE, dated, { idempotencyKey: 'order-1' })).toEqual({ ...first, replayed: true });
  });

  it('an idempotency key distinguishes two dates in an ignored field, as their JSON does', async () => {
    const { engine } = await createBench();
    const ordered = (at: number) => uncheckedBody({ ...bodyTo(), orderedAt: new Date(at) });
    await engine.create(SCOPE, ordered(0), { idempotencyKey: 'order-1' });
    await expect(engine.create(SCOPE, ordered(1), { idempotencyKey: 'order-1' })).rejects.toEqual(
      codeOf('IDEMPOTENCY_CONFLICT'),
    );
  });

  it('an idempotency key rejects another payload', async () => {
    const { engine } = await createBench();
    await engine.create(SCOPE, bodyTo(), { idempotencyKey: 'order-1' });
    await expect(engine.create(SCOPE, bodyTo('ZZ1'), { idempotencyKey: 'order-1' })).rejects.toEqual(
      codeOf('IDEMPOTENCY_CONFLICT'),
    );
  });

  it('an idempotency key makes one document of 50 concurrent requests', async () => {
    const { engine } = await createBench();
    const made = await Promise.all(
      Array.from({ length: 50 }, () => engine.create(SCOPE, bodyTo(), { idempotencyKey: 'order-1' })),
    );
    expect(new Set(made.map(({ document }) => document.accessKey)).size).toBe(1);
    expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it('an idempotency key signs once for 50 concurrent requests, and for each that fails', async () => {
    let signatures = 0;
    const signer = await watchedSigner((call) => {
      signatures = call;
      if (call <= 3) throw new Error('the token was pulled out');
    });
    const { engine } = await createBench({ issuer: { signer } });
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => engine.create(SCOPE, bodyTo(), { idempotencyKey: 'order-1' })),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(signatures).toBe(4);
  });

  it('an idempotency key makes one document when two engines share a storage', async () => {
    const one = await createBench();
    const two = await createBench({ storage: one.storage });
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).engine.create(SCOPE, bodyTo(), {
          idempotencyKey: 'order-1',
        }),
      ),
    );
    expect(new Set(made.map(({ document }) => document.accessKey)).size).toBe(1);
    expect(await one.engine.nextSequential(counter)).toBe(2);
  });

  it.each([
    ['is blank', ' ', 'required'],
    ['has a NUL, which PostgreSQL does not store', 'order\u00001', 'text'],
    ['has half a character, which databases replace', 'order\ud800', 'text'],
    ['is too long', 'k'.repeat(256), 'maxLength'],
    ['is a number', 1001 as unknown as string, 'type'],
  ])('an idempotency key is rejected when it %s', async (_, idempotencyKey, rule) => {
    const { engine } = await createBench();
    await expect(engine.create(SCOPE, bodyTo(), { idempotencyKey })).rejects.toMatchObject({
      failures: [{ field: 'idempotencyKey', rule }],
    });
    expect(await engine.nextSequential(counter)).toBe(1);
  });

  it('a failed create does not bind its idempotency key', async () => {
    const { engine } = await createBench();
    await expect(
      engine.create(SCOPE, uncheckedBody({ documentType: counter.documentType }), { idempotencyKey: 'order-1' }),
    ).rejects.toEqual(codeOf('VALIDATION_FAILED'));
    expect((await engine.create(SCOPE, bodyTo(), { idempotencyKey: 'order-1' })).replayed).toBe(false);
  });
});

describe('days of a filter', () => {
  it.each(['01/11/2026', '2026-11', '2026-11-31', new Date(0) as unknown as string])(
    'names a day of a filter in another form: %s',
    async (day) => {
      const { engine } = await createBench();
      const refusal = new TypeError('to has to be a day in the form YYYY-MM-DD.');
      await expect(engine.list(SCOPE, { to: day, page: 1, limit: 10 })).rejects.toEqual(refusal);
      await expect(engine.walk(SCOPE, { to: day }, null)).rejects.toEqual(refusal);
      await expect(engine.figures(SCOPE, { to: day })).rejects.toEqual(refusal);
    },
  );
});

describe('an option of create and issue', () => {
  it.each([
    ['order-1', 'The options of create or issue have to be an object.'],
    [1001, 'The options of create or issue have to be an object.'],
    [null, 'The options of create or issue have to be an object.'],
    [{ idempotencykey: 'order-1' }, 'An option of create or issue has to be one of these: idempotencyKey, '],
    [{ idempotencykey: 'order-1' }, 'There is no "idempotencykey".'],
    [{ timeoutMs: '5000' }, 'timeoutMs has to be a number.'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs has to be a number.'],
  ])('an unknown option of `create` and `issue` is a TypeError, and numbers nothing: %j', async (options, refusal) => {
    const { engine } = await createBench();
    const wrong = options as unknown as { idempotencyKey: string };
    await expect(engine.create(SCOPE, invoiceBody(), wrong)).rejects.toThrow(refusal);
    await expect(engine.issue(SCOPE, invoiceBody(), wrong)).rejects.toThrow(TypeError);
    expect((await engine.list(SCOPE, { page: 1, limit: 1 })).total).toBe(0);
  });
});

describe('an option of createEngine', () => {
  it.each([
    [{ softwareProviderRUC: '1' }, 'no option "softwareProviderRUC"; the nearest one is softwareProviderRuc.'],
    [{ schedule: { retryInterval: 5 } }, 'An option of schedule has to be one of these: retryIntervalMs, '],
    [{ sriUrls: { test: 'http://127.0.0.1' } }, 'An option of sriUrls has to be one of these: sandbox, production.'],
    [{ sriUrls: 'http://127.0.0.1' }, 'The options of sriUrls have to be an object.'],
    [{ strict: 'false' }, 'strict has to be true or false.'],
    [{ requireAmounts: 0 }, 'requireAmounts has to be true or false.'],
    [{ maySend: false }, 'maySend has to be a function.'],
    [{ ownerOf: 'main' }, 'ownerOf has to be a function.'],
    [{ printRide: Promise.resolve() }, 'printRide has to be a function.'],
  ])('an option of createEngine that would be ignored or misread is a TypeError: %j', async (options, refusal) => {
    await expect(createBench(options as object)).rejects.toThrow(refusal);
  });

  it('createEngine accepts options that other parts of a program need', async () => {
    await expect(createBench({ database: null, authorization: 'Bearer' } as object)).resolves.toBeDefined();
  });

  it('an option of createEngine with a default may be null', async () => {
    await expect(createBench({ maySend: null, strict: null } as object)).resolves.toBeDefined();
  });

  it('createEngine asks for its options when there are none at all', () => {
    const create = createEngine as (options?: EngineOptions) => unknown;
    expect(() => create()).toThrow('createEngine needs options: storage, issuers and transport.');
  });
});

describe('an argument of another kind', () => {
  it.each<[string, (engine: Engine) => unknown, string]>([
    ['limit of retryAll', (e) => e.retryAll(SCOPE, { limit: '5' as never }), 'limit has to be a whole number from 0.'],
    ['limit of retryAll', (e) => e.retryAll(SCOPE, { limit: -1 }), 'limit has to be a whole number from 0.'],
    ['operation of retryAll', (e) => e.retryAll(SCOPE, { operation: '' as never }), 'operation has to be one of these'],
    ['patience of stop', (e) => e.stop(5000 as never), 'stop takes an AbortSignal'],
    ['listener', async (e) => e.on('authorized', undefined as never), 'A listener has to be a function.'],
    ['annulment', (e) => e.void(SCOPE, '', undefined as never), 'reason: Es obligatorio.'],
    ['option of ride', (e) => e.ride(SCOPE, '', 'ticket' as never), 'The options of ride have to be an object.'],
    ['option of ride', (e) => e.ride(SCOPE, '', { fromat: 'ticket' } as never), 'There is no "fromat".'],
    ['issuerIds', (e) => e.creditBalance(SCOPE, '', { issuers: ['b'] } as never), 'There is no "issuers".'],
    ['issuerIds', (e) => e.creditBalance(SCOPE, '', { issuerIds: 'b' as never }), 'issuerIds has to be a list.'],
    ['redate', (e) => e.rebuild(SCOPE, '', { redate: 'false' as never }), 'redate has to be true or false.'],
    ['resequence', (e) => e.rebuild(SCOPE, '', { resequence: 1 as never }), 'resequence has to be true or false.'],
  ])('names an argument of another kind: %s', async (_, call, refusal) => {
    const { engine } = await createBench();
    await expect(call(engine)).rejects.toThrow(refusal);
  });
});

describe('an option of signDocument', () => {
  it.each([
    [{ signatureAlgorithm: 'rsa-sha256' }, 'There is no "signatureAlgorithm".'],
    [{ strict: 'false' }, 'strict has to be true or false.'],
  ])('an option of signDocument that would be ignored or misread is a TypeError: %j', async (wrong, refusal) => {
    const { issuer, signer } = { ...(await createBench()).issuer, issuer: (await createBench()).issuer };
    const options = { issuer, signer, environment: 'sandbox', sequential: 1, ...wrong } as const;
    await expect(signDocument(invoiceBody(), options as never)).rejects.toThrow(refusal);
  });
});

describe('a document type of a filter', () => {
  it('names an unknown document type in a filter', async () => {
    const { engine } = await createBench();
    const refusal = 'documentType has to be one of these: 01, ';
    await expect(engine.list(SCOPE, { documentType: '1', page: 1, limit: 10 })).rejects.toThrow(refusal);
    await expect(engine.walk(SCOPE, { documentType: '1' }, null)).rejects.toThrow(refusal);
    await expect(engine.figures(SCOPE, { documentType: '1' })).rejects.toThrow(refusal);
  });
});

describe('a status of a filter', () => {
  it('names an unknown status in a filter', async () => {
    const { engine } = await createBench();
    const status = 'autorizado' as 'AUTHORIZED';
    const refusal = 'status has to be one of these: SIGNED, ';
    await expect(engine.list(SCOPE, { status, page: 1, limit: 10 })).rejects.toThrow(refusal);
    await expect(engine.walk(SCOPE, { status }, null)).rejects.toThrow(refusal);
  });
});

describe('a page of a list', () => {
  it.each([
    [undefined, 'page has to be a whole number from 1.'],
    [{ page: 0, limit: 10 }, 'page has to be a whole number from 1.'],
    [{ page: 1, limit: '10' }, 'limit has to be a whole number from 1.'],
    [{ page: 1, limit: 10, sortBy: 'id' }, 'sortBy has to be one of these: '],
    [{ page: 1, limit: 10, sortDirection: 'asc limit 0 --' }, 'sortDirection has to be one of these: asc, desc.'],
  ])('names a page that no list has: %j', async (query, message) => {
    const { engine } = await createBench();
    await expect(engine.list(SCOPE, query as never)).rejects.toThrow(message);
  });
});

describe('signing without an engine', () => {
  it('signDocument returns the key, the signed XML and the warnings', async () => {
    const { issuer, clock } = await createBench();
    const signed = await signDocument(invoiceBody(), {
      issuer,
      signer: issuer.signer,
      environment: 'production',
      sequential: 42,
      clock,
      softwareProviderRuc: '1790012345001',
    });
    expect(parseAccessKey(signed.accessKey)).toMatchObject({
      sequential: 42,
      environment: 'production',
    });
    expect(signed.signedXml).toContain(`<claveAcceso>${signed.accessKey}</claveAcceso>`);
    expect(signed.signedXml).toContain('<campoAdicional nombre="RUC Proveedor">1790012345001</campoAdicional>');
    expect(signed.signedXml).toContain(`<etsi:SigningTime>${START.slice(0, 11)}10:00:00-05:00</etsi:SigningTime>`);
    expect(signed.warnings).toEqual([]);
    const numbered = { issuer, signer: issuer.signer, environment: 'sandbox', sequential: 43, clock } as const;
    expect((await signDocument(invoiceBody(), numbered)).signedXml).not.toContain('RUC Proveedor');
  });

  it.each([
    ['language', 'EN'],
    ['algorithm', 'sha256'],
  ])('signDocument names an unknown %s', async (name, value) => {
    const { issuer, clock } = await createBench();
    const options = { issuer, signer: issuer.signer, environment: 'sandbox', sequential: 1, clock } as const;
    await expect(signDocument(invoiceBody(), { ...options, [name]: value })).rejects.toThrow(
      `${name} has to be one of`,
    );
  });

  it.each(['000000001', 0, 1.5, 1_000_000_000, undefined])(
    'signDocument names a sequential that is out of its range: %s',
    async (given) => {
      const { issuer, clock } = await createBench();
      const sequential = given as unknown as number;
      const options = { issuer, signer: issuer.signer, environment: 'sandbox', sequential, clock } as const;
      await expect(signDocument(invoiceBody(), options)).rejects.toThrow('sequential has to be a whole number');
    },
  );

  it('signDocument warns of a certificate with another RUC, or rejects it in strict checking', async () => {
    const { issuer, clock } = await createBench();
    const signer = await createTestSigner({ ruc: '1790012345001', validFrom: clock.now() });
    const options = { issuer, signer, environment: 'sandbox', sequential: 1, clock } as const;
    const { warnings } = await signDocument(invoiceBody(), { ...options, language: 'en' });
    expect(warnings).toEqual([
      {
        code: 'CERTIFICATE_OF_ANOTHER_RUC',
        field: 'signer',
        message:
          'The certificate is for RUC 1790012345001 and the issuer is 1760013210001: the SRI refuses what it signs (code 39).',
        params: { named: '1790012345001', own: '1760013210001' },
      },
    ]);
    await expect(signDocument(invoiceBody(), { ...options, strict: true })).rejects.toMatchObject({
      failures: [{ field: 'signer', rule: 'certificateOfAnotherRuc' }],
    });
  });

  it('signDocument warns of a certificate without a readable RUC, and strict checking accepts it', async () => {
    const { issuer, clock } = await createBench();
    const signer: Signer = {
      certificate: { ...issuer.signer.certificate, ruc: null },
      sign: (data, algorithm) => issuer.signer.sign(data, algorithm),
    };
    const options = { issuer, signer, environment: 'sandbox', sequential: 1, clock, strict: true } as const;
    const { warnings } = await signDocument(invoiceBody(), options);
    expect(warnings).toMatchObject([{ code: 'CERTIFICATE_WITHOUT_RUC' }]);
  });

  it('signDocument reports everything in the requested language, as the engine does', async () => {
    const { issuer, clock } = await createBench();
    const options = { issuer, signer: issuer.signer, environment: 'sandbox', sequential: 1, clock } as const;
    const refused = (language: 'es' | 'en') =>
      signDocument(uncheckedBody({ documentType: '01' }), { ...options, language });
    await expect(refused('es')).rejects.toThrow(/^buyer: Es obligatorio[.] \(y \d más\)$/);
    await expect(refused('en')).rejects.toThrow(/^buyer: This field is required[.] \(and \d more\)$/);
    const { engine } = await createBench({ language: 'en' });
    await expect(engine.create(SCOPE, uncheckedBody({ documentType: '01' }))).rejects.toThrow(/This field is required/);
  });

  it('createEngine requires a transport to the SRI', () => {
    const options = { storage: createMemoryStorage(), issuers: [] };
    // @ts-expect-error an untyped program may omit it
    expect(() => createEngine(options)).toThrow(/undiciTransport\(\)/);
  });
});

// --- internal ---

function containingItself(): object {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  return self;
}

function throwingGetter(): object {
  return {
    get id() {
      throw new Error('no');
    },
  };
}

function nested(levels: number): object {
  return JSON.parse(`${'{"in":'.repeat(levels)}1${'}'.repeat(levels)}`);
}
