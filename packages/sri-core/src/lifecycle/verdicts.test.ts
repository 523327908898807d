import { describe, expect, it } from 'vitest';
import { ecuadorTimestamp } from '../calendar.js';
import type { DocumentBody } from '../documents/registry.js';
import { sriMessage } from '../sri/rules/sri-message.js';
import { authorizationAnswer, type WireAuthorization } from '../sri/simulator/wire.js';
import type { Storage } from '../storage.js';
import { BENCH_TYPES, type Bench, type BenchType, createBench, SCOPE, START } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

const MINUTE = 60_000;

interface Sent extends Bench {
  readonly accessKey: string;
  readonly signedXml: string;
}

async function queued(body: DocumentBody, options: Parameters<typeof createBench>[0] = {}): Promise<Sent> {
  const bench = await createBench(options);
  const { document } = await bench.engine.create(SCOPE, body);
  const { signedXml } = await bench.engine.contents(SCOPE, document.accessKey);
  await bench.engine.send(SCOPE, document.accessKey);
  return { ...bench, accessKey: document.accessKey, signedXml };
}

/** A received document, before its query. */
async function received(body: DocumentBody, options?: Parameters<typeof createBench>[0]): Promise<Sent> {
  const bench = await queued(body, options);
  await bench.engine.tick();
  await bench.clock.advance(3_000);
  return bench;
}

/** A document that may have arrived: its first submission got no answer, and the next attempt is due. */
async function inDoubt({ bodyTo }: BenchType): Promise<Sent> {
  const bench = await queued(bodyTo('SRI-LOST-ATTEMPT'));
  await bench.during(bench.engine.tick());
  expect((await bench.engine.get(SCOPE, bench.accessKey)).job).toMatchObject({ attemptCount: 1, unconfirmed: true });
  await bench.clock.advance(5 * MINUTE);
  return bench;
}

function entry(estado: WireAuthorization['estado'], comprobante: string): WireAuthorization {
  const date = ecuadorTimestamp(new Date(START));
  return {
    estado,
    decided: estado === 'EN PROCESO' ? null : { date, environment: 'sandbox', comprobante },
    messages: estado === 'NO AUTORIZADO' ? [sriMessage('39')] : [],
  };
}

function answerWith({ simulator, accessKey }: Sent, estado: WireAuthorization['estado'], comprobante: string): void {
  const body = authorizationAnswer(accessKey, [entry(estado, comprobante)]);
  simulator.script('authorization', { kind: 'answer', body });
}

function submissions({ simulator }: Bench): number {
  return simulator.journal.filter(({ operation }) => operation === 'reception').length;
}

const another = (signedXml: string) => signedXml.replace(/(<ds:SignatureValue[^>]*>)\s*...../, '$1AAAAA');

describe.each(BENCH_TYPES)('a verdict on a received document: $name', ({ bodyTo }) => {
  it.each([
    { estado: 'AUTORIZADO', about: 'the same file', file: (xml: string) => xml, to: 'AUTHORIZED' },
    { estado: 'AUTORIZADO', about: 'no file', file: () => '', to: 'AUTHORIZED' },
    { estado: 'AUTORIZADO', about: 'another file', file: another, to: 'RETURNED' },
    { estado: 'NO AUTORIZADO', about: 'the same file', file: (xml: string) => xml, to: 'NOT_AUTHORIZED' },
    { estado: 'NO AUTORIZADO', about: 'no file', file: () => '', to: 'NOT_AUTHORIZED' },
    { estado: 'NO AUTORIZADO', about: 'an earlier file', file: another, to: 'RECEIVED' },
    { estado: 'EN PROCESO', about: 'no file', file: () => '', to: 'RECEIVED' },
  ] as const)('the verdict $estado with $about leads to $to', async ({ estado, file, to }) => {
    const bench = await received(bodyTo());
    answerWith(bench, estado, file(bench.signedXml));
    await bench.engine.tick();
    const document = await bench.engine.get(SCOPE, bench.accessKey);
    expect(document.status).toBe(to);
    const [last, before] = (await bench.engine.events(SCOPE, bench.accessKey)).toReversed();
    if (to === 'RECEIVED')
      expect(document.job).toMatchObject({ operation: 'AUTHORIZE', attemptCount: 1, lastError: null });
    else
      expect({ last, job: document.job }).toMatchObject({ last: { fromStatus: 'RECEIVED', toStatus: to }, job: null });
    const isError = before?.eventType === 'ERROR';
    expect(isError).toBe(to === 'RETURNED');
    if (isError)
      expect(before?.detail).toMatchObject({ operation: 'AUTHORIZE', message: expect.stringContaining('another') });
  });

  it('the engine stores the SRI’s file only when its text differs', async () => {
    const same = await received(bodyTo());
    answerWith(same, 'AUTORIZADO', same.signedXml);
    await same.engine.tick();
    expect((await same.engine.contents(SCOPE, same.accessKey)).authorizedXml).toBeNull();
    const spaced = await received(bodyTo());
    const file = spaced.signedXml.replace('<?xml version="1.0" encoding="UTF-8"?>', '').trim();
    answerWith(spaced, 'AUTORIZADO', file);
    await spaced.engine.tick();
    expect((await spaced.engine.contents(SCOPE, spaced.accessKey)).authorizedXml).toBe(file);
  });

  it('a verdict is recorded once when two processes query at the same time', async () => {
    const one = await received(bodyTo());
    const two = await createBench({ storage: one.storage, transport: one.simulator.handle });
    await Promise.all([one.engine.authorize(SCOPE, one.accessKey), two.engine.authorize(SCOPE, one.accessKey)]);
    const events = await one.engine.events(SCOPE, one.accessKey);
    expect(events.filter(({ toStatus }) => toStatus === 'AUTHORIZED')).toHaveLength(1);
    const asked = one.simulator.journal.filter(({ operation }) => operation === 'authorization');
    expect(asked).toHaveLength(2);
    const records = await one.engine.sriResponses(SCOPE, one.accessKey);
    expect(records.filter(({ operationType }) => operationType === 'AUTHORIZATION')).toHaveLength(1);
  });

  it('the worker awaits a verdict for a day from creation if the history does not show the reception', async () => {
    const real = createMemoryStorage();
    const storage: Storage = { ...real, documentEvents: async () => [] };
    const { engine, clock, accessKey } = await received(bodyTo(), {
      storage,
      schedule: { maxAttempts: 1 },
      authorizationDelayMs: 48 * 60 * MINUTE,
    });
    await engine.tick();
    expect((await engine.get(SCOPE, accessKey)).job).toMatchObject({ status: 'FAILED', dueAt: expect.any(Date) });
    await clock.advance(23 * 60 * MINUTE);
    await engine.tick();
    expect((await engine.get(SCOPE, accessKey)).job).toMatchObject({ status: 'FAILED', dueAt: null });
  });
});

describe.each(BENCH_TYPES)('an unanswered submission: $name', (type) => {
  it.each([
    { said: 'EN PROCESO', file: () => '', to: 'RECEIVED', sends: 0 },
    { said: 'NO AUTORIZADO', file: (xml: string) => xml, to: 'NOT_AUTHORIZED', sends: 0 },
    { said: 'AUTORIZADO', file: () => '', to: 'AUTHORIZED', sends: 0 },
    { said: 'NO AUTORIZADO', file: another, to: 'RECEIVED', sends: 1 },
    { said: 'NO AUTORIZADO', file: () => '', to: 'RECEIVED', sends: 1 },
  ] as const)(
    'an unanswered submission is queried first: $said leads to $sends resends, and then to $to',
    async ({ said, file, to, sends }) => {
      const bench = await inDoubt(type);
      const before = submissions(bench);
      answerWith(bench, said, file(bench.signedXml));
      await bench.during(bench.engine.tick());
      expect(submissions(bench) - before).toBe(sends);
      const document = await bench.engine.get(SCOPE, bench.accessKey);
      expect(document.status).toBe(to);
      expect(document.job?.operation ?? null).toBe(to === 'RECEIVED' ? 'AUTHORIZE' : null);
      const records = (await bench.engine.sriResponses(SCOPE, bench.accessKey)).map(
        ({ operationType }) => operationType,
      );
      const submitted = Array(sends).fill('RECEPTION');
      expect(records.toReversed()).toEqual(['RECEPTION', 'AUTHORIZATION', ...submitted]);
      const sent = (await bench.engine.events(SCOPE, bench.accessKey)).find(({ eventType }) => eventType === 'SENT');
      expect(sent).toMatchObject({ fromStatus: 'PENDING_SEND', toStatus: 'RECEIVED' });
    },
  );

  it('an unanswered submission stays in doubt, and is not sent, while the query gets no answer', async () => {
    const bench = await inDoubt(type);
    const before = submissions(bench);
    bench.simulator.script(
      'authorization',
      ...Array.from({ length: 8 }, () => ({ kind: 'http', status: 503 }) as const),
    );
    await bench.during(bench.engine.tick());
    expect(submissions(bench)).toBe(before);
    expect(await bench.engine.get(SCOPE, bench.accessKey)).toMatchObject({
      status: 'PENDING_SEND',
      job: { operation: 'SEND', attemptCount: 2, unconfirmed: true },
    });
    const [last] = await bench.engine.sriResponses(SCOPE, bench.accessKey);
    expect(last).toMatchObject({ operationType: 'AUTHORIZATION', status: 'HTTP_503', messages: null });
  });
});

describe.each(BENCH_TYPES)('a late result: $name', ({ bodyTo }) => {
  it('the engine drops a late result, with a line in the log, when another worker has taken the job', async () => {
    const real = createMemoryStorage();
    let lost = false;
    const storage: Storage = {
      ...real,
      changeDocument: async (change) => (lost ? 'leaseLost' : real.changeDocument(change)),
    };
    const warnings: unknown[] = [];
    const warn = (fields: unknown, text: string) => warnings.push([text, fields]);
    const logger = { info: () => {}, warn, error: () => {} };
    const bench = await queued(bodyTo(), { storage, logger });
    lost = true;
    await bench.engine.tick();
    const { id: documentId, status } = await bench.engine.get(SCOPE, bench.accessKey);
    const { accessKey } = bench;
    expect(warnings).toEqual([['another worker took over; this result is dropped', { documentId, accessKey }]]);
    expect(status).toBe('PENDING_SEND');
    expect(await bench.engine.sriResponses(SCOPE, bench.accessKey)).toEqual([]);
  });

  it('a late result changes nothing about a document that was already settled', async () => {
    const real = createMemoryStorage();
    const bench = await queued(bodyTo(), { storage: real });
    const [taken] = await real.claimJobs({ now: bench.clock.now(), limit: 1, leaseMs: MINUTE });
    if (!taken) throw new Error('nothing was claimed');
    const storage: Storage = { ...real, claimJobs: async () => late.splice(0) };
    const late = [taken];
    await bench.clock.advance(MINUTE);
    await bench.engine.tick();
    const settled = await bench.engine.get(SCOPE, bench.accessKey);
    const slow = await createBench({ storage, transport: bench.simulator.handle });
    await slow.engine.tick();
    expect(await bench.engine.get(SCOPE, bench.accessKey)).toEqual(settled);
  });
});
