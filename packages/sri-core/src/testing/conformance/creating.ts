import assert from 'node:assert/strict';
import { sampleDocument, sampleScope, storeSample, storeSamples } from '../sample-documents.js';
import {
  type ConformanceCase,
  creditNotesOf,
  invoicesOf,
  onStorage,
  repeat,
  reread,
  sampleJob,
  strangersOf,
} from './case.js';

/** Storing: all of a batch or nothing, and every field comes back unchanged. */
export const creating: readonly ConformanceCase[] = [
  onStorage('every field of a document comes back', async (storage) => {
    const counter = creditNotesOf(sampleScope('production'));
    const document = await storeSample(storage, counter, {
      status: 'VOIDED',
      issueDate: '2026-02-28',
      total: '999999999999.99',
      counterparty: {
        idType: '04',
        id: '1790012345001',
        name: 'CÍA. «ÑANDÚ» & HIJOS 🦙 %_\\'.padEnd(300, 'Ñ'), // the longest that the SRI takes
        email: 'ventas@ñandú.ec',
      },
      copies: ['carrier@example.com', 'warehouse@example.com'],
      modifies: { documentType: '01', number: '001-002-000000007' },
      authorization: { number: '2'.repeat(49), date: '2026-11-21T07:30:00-05:00' },
      voided: { reason: 'Anulada\nen el portal', at: new Date('2026-11-22T01:02:03.004Z') },
      mail: { status: 'COMPLAINED', sentAt: new Date('2026-11-21T12:00:05.678Z'), error: '550 <no>' },
      idempotencyKey: 'pedido 42 · ñ',
      createdAt: new Date('2026-11-21T12:00:00.001Z'),
      updatedAt: new Date('2026-11-21T12:00:00.002Z'),
      revision: 3,
      job: null,
    });
    assert.deepEqual(await storage.findDocument(counter, document.accessKey), document);
    assert.deepEqual(await storage.findByIdempotencyKey(counter, 'pedido 42 · ñ'), document);
    const { documents } = await storage.listDocuments(counter, { page: 1, limit: 10 });
    assert.deepEqual(documents, [document]);
  }),
  onStorage('a counterparty without an address is stored without one, and can get one later', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const counterparty = { idType: '05', id: '1710034065', name: 'Ana Ñacata', email: null };
    const document = await storeSample(storage, counter, { counterparty });
    assert.deepEqual(await storage.findDocument(counter, document.accessKey), document);
    const known = { ...counterparty, email: 'ana@ejemplo.ec' };
    const change = { document, set: { counterparty: known }, events: [], responses: [], at: document.createdAt };
    assert.equal(await storage.changeDocument(change), 'applied');
    assert.deepEqual((await storage.findDocument(counter, document.accessKey))?.counterparty, known);
  }),
  onStorage('a job that is stored with its document is due at once', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const job = sampleJob({ attemptCount: 2, lastError: 'timeout', unconfirmed: true });
    const document = await storeSample(storage, counter, { job: { ...job, running: false } });
    assert.deepEqual((await reread(storage, document)).job, { ...job, running: false });
  }),
  onStorage('contents come back exactly', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const texts = [
      '<?xml version="1.0" encoding="UTF-8"?>\r\n<a b="&quot;">\t<![CDATA[x]]> ñ 🦙 \u2028</a>\n',
      `<factura>${'á🦙'.repeat(60_000)}</factura>`,
      '',
    ];
    const payloads = [{ b: [1, '2.50', null, { ñ: true }], a: '\u0000 "quoted"' }, null, 'text', [], 0];
    const samples = texts.flatMap((signedXml) =>
      payloads.map((requestPayload) => ({ contents: { signedXml, requestPayload } })),
    );
    const withAuthorized = [
      { contents: { signedXml: '<a>1</a>', requestPayload: null, authorizedXml: '<a>\r\n1</a>' } },
      { contents: { signedXml: '<a>2</a>', requestPayload: {}, authorizedXml: '' } },
    ];
    const documents = await storeSamples(storage, counter, [...samples, ...withAuthorized]);
    for (const [index, document] of documents.entries()) {
      const expected = { authorizedXml: null, ...[...samples, ...withAuthorized][index]?.contents, revision: 1 };
      assert.deepEqual(await storage.readContents(counter, document.accessKey), expected);
    }
  }),
  onStorage('similar contents of documents stay separate', async (storage, open) => {
    const counter = invoicesOf(sampleScope());
    const xml = (n: number) =>
      `<factura><n>${n}</n><ds:X509Certificate>${'QUJD'.repeat(500)}</ds:X509Certificate></factura>`;
    const documents = [];
    for (let n = 1; n <= 12; n += 1) {
      documents.push(await storeSample(storage, counter, { contents: { signedXml: xml(n), requestPayload: { n } } }));
    }
    const first = documents[0];
    assert(first);
    const changed = { signedXml: '<other></other>', requestPayload: null };
    const change = { document: first, set: {}, contents: changed, events: [], responses: [], at: first.createdAt };
    assert.equal(await storage.changeDocument(change), 'applied');
    const elsewhere = await open();
    for (const [index, document] of documents.entries()) {
      const expected = index === 0 ? changed : { signedXml: xml(index + 1), requestPayload: { n: index + 1 } };
      const contents = await elsewhere.readContents(counter, document.accessKey);
      assert.deepEqual(contents, { ...expected, authorizedXml: null, revision: index === 0 ? 2 : 1 });
    }
  }),
  onStorage('a document is not found from another issuer or in the other environment', async (storage) => {
    const scope = sampleScope();
    const document = await storeSample(storage, invoicesOf(scope), { idempotencyKey: 'k' });
    for (const other of strangersOf(scope)) {
      assert.equal(await storage.findDocument(other, document.accessKey), null);
      assert.equal(await storage.findByIdempotencyKey(other, 'k'), null);
      assert.equal(await storage.readContents(other, document.accessKey), null);
      assert.deepEqual(await storage.documentEvents(other, document.accessKey), []);
      assert.deepEqual(await storage.sriResponses(other, document.accessKey), []);
      assert.deepEqual(await storage.listDocuments(other, { page: 1, limit: 10 }), { documents: [], total: 0 });
    }
  }),
  onStorage('an unknown key finds no document', async (storage) => {
    const scope = sampleScope();
    assert.equal(await storage.findDocument(scope, '0'.repeat(49)), null);
    assert.equal(await storage.findByIdempotencyKey(scope, 'unknown'), null);
    assert.equal(await storage.readContents(scope, ''), null);
    assert.deepEqual(await storage.documentEvents(scope, "' OR 1=1 --"), []);
    assert.deepEqual(await storage.sriResponses(scope, '%'), []);
  }),
  onStorage('a bound idempotency key rejects the whole batch and names the document', async (storage) => {
    const scope = sampleScope();
    const counter = invoicesOf(scope);
    const bound = await storeSample(storage, creditNotesOf(scope), { idempotencyKey: 'k' });
    const batch = [sampleDocument(counter, 1), sampleDocument(counter, 2, { idempotencyKey: 'k' })];
    const outcome = await storage.storeDocuments({ counter, firstSequential: 1, documents: batch });
    assert.deepEqual(outcome, { kind: 'idempotencyKeyTaken', index: 1 });
    assert.equal(await storage.nextSequential(counter), 1);
    for (const { document } of batch) assert.equal(await storage.findDocument(scope, document.accessKey), null);
    assert.equal((await storage.findByIdempotencyKey(scope, 'k'))?.id, bound.id);
  }),
  onStorage('an idempotency key cannot be bound twice within a batch', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const documents = [1, 2, 3].map((n) => sampleDocument(counter, n, { idempotencyKey: n === 2 ? 'other' : 'k' }));
    const outcome = await storage.storeDocuments({ counter, firstSequential: 1, documents });
    assert.deepEqual(outcome, { kind: 'idempotencyKeyTaken', index: 2 });
    assert.equal(await storage.findByIdempotencyKey(counter, 'k'), null);
    assert.equal(await storage.nextSequential(counter), 1);
  }),
  onStorage('an idempotency key is free in every other scope', async (storage) => {
    const scope = sampleScope();
    await storeSample(storage, invoicesOf(scope), { idempotencyKey: 'k' });
    await storeSample(storage, invoicesOf({ ...scope, environment: 'production' }), { idempotencyKey: 'k' });
    await storeSample(storage, invoicesOf(sampleScope()), { idempotencyKey: 'k' });
  }),
  onStorage('the storage accepts one of twenty creators with one idempotency key', async (storage, open) => {
    const storages = [storage, await open()];
    const counter = invoicesOf(sampleScope());
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const storage = storages[index % 2];
        assert(storage);
        return repeat(async () => {
          const first = await storage.nextSequential(counter);
          const documents = [sampleDocument(counter, first, { idempotencyKey: 'k' })];
          const outcome = await storage.storeDocuments({ counter, firstSequential: first, documents });
          return outcome.kind === 'counterMoved' ? null : outcome.kind;
        });
      }),
    );
    assert.equal(outcomes.filter((kind) => kind === 'stored').length, 1);
    assert.equal(outcomes.filter((kind) => kind === 'idempotencyKeyTaken').length, 19);
    assert.equal(await storages[0]?.nextSequential(counter), 2);
  }),
  onStorage('an existing access key rejects the whole batch and names the document', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const { accessKey } = await storeSample(storage, counter);
    const documents = [sampleDocument(counter, 2), sampleDocument(counter, 3, { accessKey })];
    const outcome = await storage.storeDocuments({ counter, firstSequential: 2, documents });
    assert.deepEqual(outcome, { kind: 'accessKeyTaken', index: 1 });
    assert.equal(await storage.nextSequential(counter), 2);
    assert.equal((await storage.listDocuments(counter, { page: 1, limit: 10 })).total, 1);
    const fresh = sampleDocument(counter, 2);
    const twice = [fresh, sampleDocument(counter, 3, { accessKey: fresh.document.accessKey })];
    assert.deepEqual(await storage.storeDocuments({ counter, firstSequential: 2, documents: twice }), outcome);
  }),
  onStorage('a batch that fails halfway has no effect', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const documents = [1, 2, 3].map((n) => sampleDocument(counter, n, { idempotencyKey: `${n}` }));
    const failure = new Error('the process is out of memory');
    const failing = documents.with(1, {
      ...sampleDocument(counter, 2),
      get contents(): never {
        throw failure;
      },
    });
    await assert.rejects(storage.storeDocuments({ counter, firstSequential: 1, documents: failing }));
    assert.equal(await storage.nextSequential(counter), 1);
    assert.equal((await storage.listDocuments(counter, { page: 1, limit: 10 })).total, 0);
    assert.deepEqual(await storage.storeDocuments({ counter, firstSequential: 1, documents }), { kind: 'stored' });
  }),
  onStorage('a stored document is visible to another storage at once', async (here, open) => {
    const there = await open();
    const counter = invoicesOf(sampleScope());
    const document = await storeSample(here, counter);
    assert.equal(await there.nextSequential(counter), 2);
    assert.deepEqual(await there.findDocument(counter, document.accessKey), document);
  }),
];
