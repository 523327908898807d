import assert from 'node:assert/strict';
import { historyId } from '../../lifecycle/history.js';
import type { DocumentChange, Storage, StoredDocument } from '../../storage.js';
import {
  SAMPLE_TIME,
  sampleAccessKey,
  sampleDocument,
  sampleEvent,
  sampleScope,
  storeSample,
  storeSamples,
} from '../sample-documents.js';
import {
  after,
  type ConformanceCase,
  invoicesOf,
  onStorage,
  repeat,
  reread,
  sampleJob,
  sampleResponse,
  strangersOf,
} from './case.js';

/** Changes: decided on one revision, committed as a whole, rejected after a lost race. */
export const changing: readonly ConformanceCase[] = [
  onStorage('a change commits its fields, contents, events, responses and job together', async (storage) => {
    const before = await storeSample(storage, invoicesOf(sampleScope()));
    const contents = await storage.readContents(before, before.accessKey);
    const at = after(SAMPLE_TIME, 1234);
    const set = {
      status: 'AUTHORIZED',
      issueDate: '2026-11-22',
      total: '0.01',
      counterparty: { idType: '07', id: '9999999999999', name: 'CONSUMIDOR FINAL', email: 'x@y.ec' },
      copies: ['carrier@example.com'],
      modifies: { documentType: '01', number: '001-001-000000001' },
      authorization: { number: before.accessKey, date: '2026-11-21T07:30:00-05:00' },
      voided: { reason: 'r', at },
      mail: { status: 'SENT', sentAt: at, error: null },
    } as const;
    const place = { revision: before.revision + 1, position: 0 };
    const event = sampleEvent({
      id: historyId(before.id, 'event', place),
      fromStatus: 'SIGNED',
      toStatus: 'AUTHORIZED',
      detail: { n: 1, ñ: ['«»'] },
      createdAt: at,
    });
    const response = sampleResponse({
      id: historyId(before.id, 'response', place),
      operationType: 'AUTHORIZATION',
      status: 'AUTORIZADO',
      messages: [{ identifier: '60', message: 'ñ', additionalInfo: null, type: 'ADVERTENCIA' }],
      createdAt: at,
    });
    const job = sampleJob({ operation: 'AUTHORIZE', dueAt: at });
    const change = { document: before, set, events: [event], responses: [response], job, at };
    const outcome = await storage.changeDocument({ ...change, contents: { authorizedXml: '<b></b>' } });
    assert.equal(outcome, 'applied');
    assert.deepEqual(await reread(storage, before), {
      ...before,
      ...set,
      updatedAt: at,
      revision: before.revision + 1,
      job: { ...job, running: false },
    });
    const expected = { ...contents, authorizedXml: '<b></b>', revision: before.revision + 1 };
    assert.deepEqual(await storage.readContents(before, before.accessKey), expected);
    assert.deepEqual((await storage.documentEvents(before, before.accessKey)).slice(1), [event]);
    assert.deepEqual(await storage.sriResponses(before, before.accessKey), [response]);
  }),
  onStorage('the storage reads only the newest 1,000 answers of the SRI, newest first', async (storage) => {
    const before = await storeSample(storage, invoicesOf(sampleScope()));
    const at = after(SAMPLE_TIME, 1000);
    const responses = Array.from({ length: 1_003 }, (_, position) =>
      sampleResponse({ id: historyId(before.id, 'response', { revision: 2, position }), createdAt: at }),
    );
    assert.equal(await storage.changeDocument({ document: before, set: {}, events: [], responses, at }), 'applied');
    const read = await storage.sriResponses(before, before.accessKey);
    assert.deepEqual(read, responses.toReversed().slice(0, 1_000));
  }),
  onStorage('fields absent from a change stay the same', async (storage) => {
    const job = sampleJob();
    const before = await storeSample(storage, invoicesOf(sampleScope()), { job: { ...job, running: false } });
    const contents = await storage.readContents(before, before.accessKey);
    await apply(storage, before, { set: {} });
    const { updatedAt, revision, ...rest } = await reread(storage, before);
    assert.deepEqual({ ...before, ...rest }, before);
    assert.equal(revision, before.revision + 1);
    assert.deepEqual(await storage.readContents(before, before.accessKey), { ...contents, revision });
  }),
  onStorage('fields can be emptied again', async (storage) => {
    const before = await storeSample(storage, invoicesOf(sampleScope()), {
      modifies: { documentType: '01', number: '001-001-000000001' },
      authorization: { number: '1', date: 'x' },
      voided: { reason: 'r', at: SAMPLE_TIME },
      mail: { status: 'SENT', sentAt: SAMPLE_TIME, error: 'e' },
      contents: { authorizedXml: '<b></b>' },
    });
    const set = {
      modifies: null,
      authorization: null,
      voided: null,
      mail: { status: 'PENDING', sentAt: null, error: null },
    } as const;
    await apply(storage, before, { set, contents: { authorizedXml: null, requestPayload: null } });
    const current = await reread(storage, before);
    assert.deepEqual({ ...current, ...set }, current);
    const contents = await storage.readContents(before, before.accessKey);
    assert.deepEqual([contents?.authorizedXml, contents?.requestPayload], [null, null]);
  }),
  onStorage('a change that was decided on an older revision changes nothing', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const before = await storeSample(storage, counter, { job: { ...sampleJob(), running: false } });
    await apply(storage, before, { set: { status: 'PENDING_SEND' } });
    const outcome = await storage.changeDocument(everything(before, counter));
    assert.equal(outcome, 'stale');
    await assertOnlyStatusChanged(storage, before, 'PENDING_SEND');
  }),
  onStorage('a document of another scope cannot be changed', async (storage) => {
    const before = await storeSample(storage, invoicesOf(sampleScope()));
    for (const stranger of strangersOf(before)) {
      const crossed = { ...before, ...stranger };
      const change = { document: crossed, set: { total: '1.00' }, events: [], responses: [], at: SAMPLE_TIME };
      assert.equal(await storage.changeDocument(change), 'stale');
      assert.equal(await storage.changeAndClaim({ ...change, job: sampleJob() }, 60_000), 'stale');
      assert.deepEqual(await reread(storage, before), before);
    }
  }),
  onStorage('the storage applies one of ten changes that were decided on one revision', async (storage, open) => {
    const storages = [storage, await open()];
    const before = await storeSample(await open(), invoicesOf(sampleScope()));
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        storages[index % 2]?.changeDocument({
          document: before,
          set: { total: `${index}.00` },
          events: [sampleEvent()],
          responses: [],
          at: SAMPLE_TIME,
        }),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'applied').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'stale').length, 9);
    assert.equal((await storages[0]?.documentEvents(before, before.accessKey))?.length, 2);
  }),
  onStorage('a document with a new number is still found under its old key', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const [first] = await storeSamples(storage, counter, [{}, {}]);
    assert(first);
    const set = { sequential: 3, accessKey: sampleAccessKey(counter, 3) };
    await apply(storage, first, { set, takes: { counter, sequential: 3 }, responses: [sampleResponse()] });
    assert.equal(await storage.nextSequential(counter), 4);
    for (const accessKey of [first.accessKey, set.accessKey]) {
      const found = await storage.findDocument(counter, accessKey);
      assert.deepEqual([found?.id, found?.sequential, found?.accessKey], [first.id, 3, set.accessKey]);
      assert(await storage.readContents(counter, accessKey));
      assert.equal((await storage.documentEvents(counter, accessKey)).length, 1);
      assert.equal((await storage.sriResponses(counter, accessKey)).length, 1);
      for (const stranger of strangersOf(counter)) {
        assert.equal(await storage.findDocument(stranger, accessKey), null);
        assert.equal(await storage.readContents(stranger, accessKey), null);
        assert.deepEqual(await storage.documentEvents(stranger, accessKey), []);
        assert.deepEqual(await storage.sriResponses(stranger, accessKey), []);
      }
    }
    const { documents } = await storage.listDocuments(counter, { page: 1, limit: 10 });
    assert.deepEqual(documents.map((document) => document.accessKey).includes(first.accessKey), false);
  }),
  onStorage('a document goes through several keys and back, and no other takes one of them', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const before = await storeSample(storage, counter);
    const second = sampleAccessKey(counter, 1, '2026-11-22');
    await apply(storage, before, { set: { accessKey: second } });
    const documents = [sampleDocument(counter, 2, { accessKey: before.accessKey })];
    assert.deepEqual(await storage.storeDocuments({ counter, firstSequential: 2, documents }), {
      kind: 'accessKeyTaken',
      index: 0,
    });
    await apply(storage, await reread(storage, before), { set: { accessKey: before.accessKey } });
    for (const accessKey of [before.accessKey, second]) {
      assert.equal((await storage.findDocument(counter, accessKey))?.accessKey, before.accessKey);
    }
    const other = await storeSample(storage, counter);
    const late = { ...everything(other, counter), takes: { counter, sequential: 3 } };
    await assert.rejects(storage.changeDocument({ ...late, set: { ...late.set, accessKey: second } }));
    assert.deepEqual(await reread(storage, other), other);
    await assertOnlyStatusChanged(storage, other, other.status);
    assert.equal(await storage.nextSequential(counter), 3);
  }),
  onStorage('a number that is already taken rejects the change', async (storage) => {
    const counter = invoicesOf(sampleScope());
    const [first] = await storeSamples(storage, counter, [{ job: { ...sampleJob(), running: false } }, {}]);
    assert(first);
    assert.equal(await storage.changeDocument(everything(first, counter)), 'counterMoved');
    await assertOnlyStatusChanged(storage, first, first.status);
    assert.equal(await storage.nextSequential(counter), 3);
  }),
  onStorage(
    'changes that take numbers and creators share the counter without a gap or a repeat',
    async (storage, open) => {
      const storages = [storage, await open()];
      const counter = invoicesOf(sampleScope());
      const before = await storeSamples(
        storage,
        counter,
        Array.from({ length: 10 }, () => ({})),
      );
      const renumber = (document: StoredDocument, index: number): Promise<number> =>
        repeat(async () => {
          const sequential = await storage.nextSequential(counter);
          const set = { sequential, accessKey: sampleAccessKey(counter, sequential) };
          const change = { document, set, events: [], responses: [], at: SAMPLE_TIME, takes: { counter, sequential } };
          const outcome = await storages[index % 2]?.changeDocument(change);
          if (outcome === 'applied') return sequential;
          assert.equal(outcome, 'counterMoved');
          return null;
        });
      const create = (index: number): Promise<number> =>
        repeat(async () => {
          const sequential = await storage.nextSequential(counter);
          const documents = [sampleDocument(counter, sequential)];
          const batch = { counter, firstSequential: sequential, documents };
          return (await storages[index % 2]?.storeDocuments(batch))?.kind === 'stored' ? sequential : null;
        });
      const taken = await Promise.all([...before.map(renumber), ...before.map((_, index) => create(index))]);
      assert.deepEqual(
        taken.toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, index) => index + 11),
      );
    },
  ),
  onStorage(
    'a change built under a counter lock gets its number, however fast others move the counter',
    async (here, open) => {
      const there = await open();
      const counter = invoicesOf(sampleScope());
      const [first, second] = await storeSamples(here, counter, [{ job: { ...sampleJob(), running: false } }, {}]);
      assert(first && second);
      let isMoving = true;
      const move = async () => {
        while (isMoving) {
          await there.setNextSequential(counter, (await there.nextSequential(counter)) + 1);
          // A database that answers at once would leave no time for concurrent calls.
          await new Promise((resolve) => setTimeout(resolve));
        }
      };
      const moving = move();
      let taken = 0;
      const rivals: Promise<unknown>[] = [];
      const outcome = await here
        .changeUnderLock(counter, async (sequential) => {
          taken = sequential;
          rivals.push(there.changeDocument({ ...everything(second, counter), takes: { counter, sequential } }));
          await new Promise((resolve) => setTimeout(resolve, 20));
          const set = { status: 'RETURNED', sequential, accessKey: sampleAccessKey(counter, sequential) } as const;
          return { ...everything(first, counter), set, takes: { counter, sequential } };
        })
        .finally(() => {
          isMoving = false;
        });
      await moving;
      assert.equal(outcome, 'applied');
      assert.deepEqual(await Promise.all(rivals), ['counterMoved']);
      assert(taken >= 3);
      assert((await here.nextSequential(counter)) > taken);
      const changed = await reread(here, first);
      assert.deepEqual([changed.sequential, changed.status, changed.job], [taken, 'RETURNED', null]);
      // The figures are up to date.
      const counted = await here.documentFigures(counter);
      assert.equal(counted.find(({ status }) => status === 'RETURNED')?.count, 1);
    },
  ),
  onStorage(
    'a change that fails under a lock, or comes too late, has no effect and releases the counter',
    async (storage) => {
      const counter = invoicesOf(sampleScope());
      const [first] = await storeSamples(storage, counter, [{ job: { ...sampleJob(), running: false } }, {}]);
      assert(first);
      const failure = Object.assign(new Error('the token was pulled out'), { code: 'ECONNRESET' });
      let calls = 0;
      const failing = storage.changeUnderLock(counter, async () => {
        calls += 1;
        throw failure;
      });
      await assert.rejects(failing, (error) => error === failure);
      assert.equal(calls, 1);
      const stale = { ...first, revision: first.revision + 1 };
      const late = await storage.changeUnderLock(counter, async (sequential) => ({
        ...everything(stale, counter),
        takes: { counter, sequential },
      }));
      assert.equal(late, 'stale');
      await assertOnlyStatusChanged(storage, first, first.status);
      assert.equal(await storage.nextSequential(counter), 3);
    },
  ),
  onStorage('events are returned oldest first and responses newest first, whatever the clock did', async (storage) => {
    const before = await storeSample(storage, invoicesOf(sampleScope()));
    let document = before;
    for (const [round, at] of [after(SAMPLE_TIME, 5), after(SAMPLE_TIME, 5), after(SAMPLE_TIME, -60_000)].entries()) {
      await apply(storage, document, {
        set: {},
        at,
        events: [1, 2].map((n) => sampleEvent({ eventType: `${round}.${n}`, createdAt: at })),
        responses: [1, 2].map((n) => sampleResponse({ status: `${round}.${n}`, createdAt: at })),
      });
      document = await reread(storage, before);
    }
    const events = await storage.documentEvents(before, before.accessKey);
    const responses = await storage.sriResponses(before, before.accessKey);
    const expected = ['0.1', '0.2', '1.1', '1.2', '2.1', '2.2'];
    assert.deepEqual(
      events.map((event) => event.eventType),
      ['CREATED', ...expected],
    );
    assert.deepEqual(
      responses.map((response) => response.status),
      expected.toReversed(),
    );
  }),
];

// --- internal ---

async function apply(
  storage: Storage,
  document: StoredDocument,
  change: Pick<DocumentChange, 'set'> & Partial<DocumentChange>,
): Promise<void> {
  const whole = { document, events: [], responses: [], at: after(SAMPLE_TIME, 1), ...change };
  assert.equal(await storage.changeDocument(whole), 'applied');
}

/** A change of every field, under a number that was taken long ago. */
function everything(document: StoredDocument, counter: DocumentCounter): DocumentChange {
  return {
    document,
    set: { status: 'RETURNED', sequential: 1, accessKey: sampleAccessKey(counter, 1), total: '7.77' },
    contents: { signedXml: '<changed></changed>' },
    events: [sampleEvent({ eventType: 'LATE' })],
    responses: [sampleResponse()],
    job: null,
    at: after(SAMPLE_TIME, 99_000),
    takes: { counter, sequential: 1 },
  };
}

type DocumentCounter = ReturnType<typeof invoicesOf>;

async function assertOnlyStatusChanged(storage: Storage, before: StoredDocument, status: string): Promise<void> {
  const current = await reread(storage, before);
  assert.deepEqual(
    [current.status, current.sequential, current.total, current.job],
    [status, before.sequential, before.total, before.job],
  );
  const contents = await storage.readContents(before, before.accessKey);
  assert.notEqual(contents?.signedXml, '<changed></changed>');
  assert.equal((await storage.documentEvents(before, before.accessKey)).length, 1);
  assert.deepEqual(await storage.sriResponses(before, before.accessKey), []);
}
