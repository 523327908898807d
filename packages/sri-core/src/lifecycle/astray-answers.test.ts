import { describe, expect, it } from 'vitest';
import { ecuadorTimestamp } from '../calendar.js';
import { sriMessage } from '../sri/rules/sri-message.js';
import { authorizationAnswer, type WireAuthorization } from '../sri/simulator/wire.js';
import { BENCH_TYPES, type Bench, type BenchType, createBench, SCOPE, sent } from '../testing/engine-bench.js';

const OTHER_KEY = '2111202601176001321000110010020000099990000000015';

/** A received document without an authorization query. */
async function received({
  bodyTo,
}: BenchType): Promise<Bench & { readonly accessKey: string; readonly signedXml: string }> {
  const bench = await createBench();
  const document = await sent(bench, bodyTo());
  await bench.engine.tick();
  const { signedXml } = await bench.engine.contents(SCOPE, document.accessKey);
  await bench.clock.advance(3_000);
  return { ...bench, accessKey: document.accessKey, signedXml };
}

function entry(estado: WireAuthorization['estado'], comprobante: string, at: string): WireAuthorization {
  const decided = { date: ecuadorTimestamp(new Date(at)), environment: 'sandbox', comprobante } as const;
  return { estado, decided, messages: estado === 'AUTORIZADO' ? [] : [sriMessage('39')] };
}

describe.each(BENCH_TYPES)('an answer about another key: $name', (type) => {
  it.each([
    { name: 'asked for by another key', body: () => authorizationAnswer(OTHER_KEY, []) },
    {
      name: 'that authorizes another document',
      body: (signedXml: string) =>
        authorizationAnswer(OTHER_KEY, [entry('AUTORIZADO', signedXml, '2026-11-21T15:00Z')]),
    },
  ])(
    'an answer about another key settles nothing, enters the history, and the query is repeated: $name',
    async ({ body }) => {
      const { engine, simulator, clock, accessKey, signedXml } = await received(type);
      simulator.script('authorization', { kind: 'answer', body: body(signedXml) });
      await engine.tick();
      expect(await engine.get(SCOPE, accessKey)).toMatchObject({
        status: 'RECEIVED',
        job: {
          operation: 'AUTHORIZE',
          status: 'PENDING',
          attemptCount: 1,
          lastError: expect.stringContaining('another'),
        },
      });
      expect((await engine.events(SCOPE, accessKey)).at(-1)).toMatchObject({
        eventType: 'ERROR',
        detail: { operation: 'AUTHORIZE', message: expect.stringContaining('another access key') },
      });
      await clock.advance(300_000);
      await engine.tick();
      expect((await engine.get(SCOPE, accessKey)).status).toBe('AUTHORIZED');
    },
  );
});

describe.each(BENCH_TYPES)('several verdicts in one answer: $name', (type) => {
  it.each([
    { name: 'the later verdict authorizes', order: ['NO AUTORIZADO', 'AUTORIZADO'] as const },
    { name: 'the earlier verdict authorizes', order: ['AUTORIZADO', 'NO AUTORIZADO'] as const },
    { name: 'it is there twice', order: ['AUTORIZADO', 'AUTORIZADO'] as const },
  ])('several verdicts in one answer end AUTHORIZED, once: $name', async ({ order }) => {
    const { engine, simulator, accessKey, signedXml } = await received(type);
    const entries = order.map((estado, index) => entry(estado, signedXml, `2026-11-21T15:00:0${index}Z`));
    simulator.script('authorization', { kind: 'answer', body: authorizationAnswer(accessKey, entries) });
    await engine.tick();
    expect(await engine.get(SCOPE, accessKey)).toMatchObject({ status: 'AUTHORIZED', job: null });
    const moves = (await engine.events(SCOPE, accessKey)).filter(({ toStatus }) => toStatus === 'AUTHORIZED');
    expect(moves).toHaveLength(1);
  });
});

describe.each(BENCH_TYPES)('a file within a file: $name', (type) => {
  it('the worker reads a file within a file only to its first level of CDATA, and does not store it', async () => {
    const { engine, simulator, accessKey, signedXml } = await received(type);
    let nested = signedXml;
    for (let depth = 0; depth < 10; depth += 1) {
      nested = authorizationAnswer(OTHER_KEY, [entry('NO AUTORIZADO', nested, '2026-11-21T15:00:00Z')]);
    }
    const body = authorizationAnswer(accessKey, [entry('AUTORIZADO', nested, '2026-11-21T15:00:00Z')]);
    simulator.script('authorization', { kind: 'answer', body });
    await engine.tick();
    expect((await engine.get(SCOPE, accessKey)).status).toBe('AUTHORIZED');
    expect(await engine.contents(SCOPE, accessKey)).toMatchObject({ signedXml, authorizedXml: null });
  });
});
