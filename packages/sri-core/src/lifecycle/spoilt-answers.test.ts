import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { toNodeListener } from '../sri/simulator/node-listener.js';
import { createSimulator } from '../sri/simulator/simulator.js';
import { authorizationAnswer } from '../sri/simulator/wire.js';
import { undiciTransport } from '../sri/undici-transport.js';
import { BENCH_TYPES, type Bench, type BenchType, createBench, SCOPE, START, sent } from '../testing/engine-bench.js';
import { createTestClock } from '../testing/test-clock.js';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

interface Received extends Bench {
  readonly accessKey: string;
  readonly signedXml: string;
  /** Changes the SRI's next answer about the key. */
  answerNext(change: (body: string) => string): void;
}

/** A received document, with its next query over a socket. */
async function received({ bodyTo }: BenchType): Promise<Received> {
  const sri = createSimulator({ clock: createTestClock(START) });
  const server: Server = createServer(toNodeListener(sri.handle));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const transport = undiciTransport();
  opened.push(
    () => transport.close(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  const sandbox = `http://127.0.0.1:${port}/comprobantes-electronicos-ws`;
  const bench = await createBench({ transport, sriUrls: { sandbox } });
  const { accessKey } = (await bench.engine.create(SCOPE, bodyTo())).document;
  const { signedXml } = await bench.engine.contents(SCOPE, accessKey);
  await bench.engine.send(SCOPE, accessKey);
  await bench.engine.tick();
  await bench.clock.advance(3_000);
  const decided = { date: '2026-11-21T10:00:05-05:00', environment: 'sandbox', comprobante: signedXml } as const;
  const whole = authorizationAnswer(accessKey, [{ estado: 'AUTORIZADO', decided, messages: [] }]);
  const answerNext = (change: (body: string) => string) =>
    sri.script('authorization', { kind: 'answer', body: change(whole) });
  return { ...bench, accessKey, signedXml, answerNext };
}

const comprobante = (text: string) => (body: string) =>
  body.replace(/<comprobante>.*<\/comprobante>/s, () => `<comprobante><![CDATA[${text}]]></comprobante>`);

const DATE = /<fechaAutorizacion>[^<]*<\/fechaAutorizacion>/;

describe.each(BENCH_TYPES)('an AUTORIZADO with a text that is not the signed file: $name', (type) => {
  it.each([
    ['a page of HTML', () => '<html><body>Request Rejected</body></html>'],
    [
      'our file with another issuer under our signature',
      (xml: string) => xml.replace(/(<razonSocial>)[^<]*/, '$1OTRO'),
    ],
    ['our file cut off', (xml: string) => xml.slice(0, -200)],
    ['an answer within the answer', (xml: string) => authorizationAnswer('x', []).replace('x', () => xml.slice(0, 9))],
    ['nearly a megabyte of starts of tags', () => '<ds:SignatureValue '.repeat(50_000)],
  ])('the engine does not keep a text that is not the signed file, and the history records it: %s', async (_, text) => {
    const bench = await received(type);
    bench.answerNext(comprobante(text(bench.signedXml)));
    await bench.engine.tick();
    const { engine, accessKey, signedXml } = bench;
    expect(await engine.get(SCOPE, accessKey)).toMatchObject({ status: 'AUTHORIZED', job: null });
    expect(await engine.contents(SCOPE, accessKey)).toMatchObject({ signedXml, authorizedXml: null });
    expect(await engine.xml(SCOPE, accessKey)).toContain(signedXml);
    const reported = (await engine.events(SCOPE, accessKey)).slice(-2);
    expect(reported).toMatchObject([
      { eventType: 'SRI_COPY_REFUSED', fromStatus: null, detail: { message: expect.stringContaining('is kept') } },
      { eventType: 'STATUS_CHANGED', toStatus: 'AUTHORIZED' },
    ]);
  });

  it('the engine keeps a text without an event when only its declaration differs', async () => {
    const bench = await received(type);
    const text = bench.signedXml.replace('<?xml version="1.0" encoding="UTF-8"?>', '').trim();
    bench.answerNext(comprobante(text));
    await bench.engine.tick();
    expect((await bench.engine.contents(SCOPE, bench.accessKey)).authorizedXml).toBe(text);
    const events = await bench.engine.events(SCOPE, bench.accessKey);
    expect(events.filter(({ eventType }) => eventType === 'SRI_COPY_REFUSED')).toEqual([]);
  });
});

describe.each(BENCH_TYPES)('an answer that contradicts itself: $name', (type) => {
  it.each([
    ['no date', (body: string) => body.replace(DATE, ''), 'without a fechaAutorizacion'],
    [
      'two estados',
      (body: string) => body.replace('<estado>', '<estado>NO AUTORIZADO</estado><estado>'),
      'more than once',
    ],
    ['another ambiente', (body: string) => body.replace('>PRUEBAS<', '>PRODUCCIÓN<'), 'another ambiente'],
    ['an unknown estado', (body: string) => body.replace('>AUTORIZADO<', '>QUIZAS<'), 'QUIZAS'],
  ])(
    'an answer that contradicts itself is a failed attempt with its reason, and no verdict: %s',
    async (_, change, reason) => {
      const bench = await received(type);
      const { engine, accessKey, clock } = bench;
      bench.answerNext(change);
      await engine.tick();
      const message = expect.stringContaining(reason);
      expect(await engine.get(SCOPE, accessKey)).toMatchObject({
        status: 'RECEIVED',
        authorization: null,
        job: { operation: 'AUTHORIZE', status: 'PENDING', attemptCount: 1, lastError: message },
      });
      expect((await engine.events(SCOPE, accessKey)).at(-1)).toMatchObject({ eventType: 'ERROR', detail: { message } });
      await clock.advance(300_000);
      await engine.tick();
      expect((await engine.get(SCOPE, accessKey)).status).toBe('AUTHORIZED');
    },
  );

  it('an answer that contradicts itself leaves an unconfirmed submission in doubt, without a resend', async () => {
    const { engine, clock, simulator, during } = await createBench();
    const { accessKey } = await sent({ engine }, type.bodyTo('SRI-LOST-ATTEMPT'));
    await during(engine.tick());
    await clock.advance(300_000);
    const before = simulator.journal.length;
    const date = '2026-11-21T10:00:05-05:00';
    const decided = { date, environment: 'production', comprobante: '' } as const;
    const body = authorizationAnswer(accessKey, [{ estado: 'AUTORIZADO', decided, messages: [] }]);
    simulator.script('authorization', { kind: 'answer', body });
    await engine.tick();
    expect(simulator.journal.slice(before).map(({ operation }) => operation)).toEqual(['authorization']);
    expect(await engine.get(SCOPE, accessKey)).toMatchObject({
      status: 'PENDING_SEND',
      job: { attemptCount: 2, unconfirmed: true, lastError: expect.stringContaining('another ambiente') },
    });
    const [last] = await engine.sriResponses(SCOPE, accessKey);
    expect(last).toMatchObject({ operationType: 'AUTHORIZATION', status: 'AUTORIZADO' });
  });
});

describe.each(BENCH_TYPES)('a failed job: $name', ({ bodyTo }) => {
  it('a failed job always has a reason, also while the SRI is processing', async () => {
    const { engine, clock, during } = await createBench();
    const { accessKey } = await sent({ engine }, bodyTo('SRI-NEVER'));
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await during(engine.tick());
      await clock.advance(300_000);
    }
    const { job } = await engine.get(SCOPE, accessKey);
    expect(job).toMatchObject({ status: 'FAILED', lastError: expect.stringContaining('had not decided') });
  });
});
