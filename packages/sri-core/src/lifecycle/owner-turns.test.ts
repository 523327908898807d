import { describe, expect, it } from 'vitest';
import { silentLogger } from '../logger.js';
import { BENCH_TYPES, createBench, SCOPE } from '../testing/engine-bench.js';
import { createOwnerTurns } from './owner-turns.js';

/** `a1` and `a2` belong to `a`. */
const ownerOf = (issuerId: string) => issuerId.slice(0, 1);

describe('turns of owners', () => {
  it('serves the first issuer of each owner before the second of any, least recently served first', async () => {
    const { order, served } = createOwnerTurns(ownerOf, silentLogger);
    const issuerIds = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'];
    expect(await order(issuerIds)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    served(['a1', 'b1']);
    expect(await order(issuerIds)).toEqual(['c1', 'a1', 'b1', 'c2', 'a2', 'a3']);
    expect(await order([])).toEqual([]);
  });

  it('serves the others when the owner of an issuer cannot be looked up, and repeats the lookup', async () => {
    const lines: string[] = [];
    const logger = { ...silentLogger, warn: (_facts: object, line: string) => void lines.push(line) };
    const asked: string[] = [];
    let isLost = true;
    const { order, occupancy } = createOwnerTurns((issuerId) => {
      asked.push(issuerId);
      if (isLost && issuerId === 'a2') throw new Error('no such issuer');
      return ownerOf(issuerId);
    }, logger);
    expect(await order(['a1', 'a2', 'b1'])).toEqual(['a1', 'a2', 'b1']);
    expect([lines, occupancy().used]).toEqual([['the owner of an issuer could not be looked up'], 2]);
    isLost = false;
    expect(await order(['a1', 'a2', 'b1'])).toEqual(['a1', 'b1', 'a2']);
    expect(asked).toEqual(['a1', 'a2', 'b1', 'a2']);
  });

  it('continues after the memory of owners is dropped', async () => {
    const { order, served, occupancy } = createOwnerTurns((issuerId) => issuerId, silentLogger);
    await order(Array.from({ length: 10_000 }, (_, index) => `i${index}`));
    expect(occupancy()).toEqual({ used: 10_000, limit: 10_000 });
    served(['i1', 'never seen']);
    expect(await order(['i1', 'i2'])).toEqual(['i1', 'i2']);
    expect(occupancy()).toEqual({ used: 2, limit: 10_000 });
  });

  it.each(BENCH_TYPES)(
    'gives an account of fifty issuers no more turns than an account of one: $name',
    async ({ bodyTo }) => {
      const { issuer } = await createBench();
      const many = Array.from({ length: 50 }, (_, index) => `a${String(index).padStart(2, '0')}`);
      const issuers = [...many, 'b00'].map((id, index) => ({
        ...issuer,
        id,
        issuePointCode: String(index + 1).padStart(3, '0'),
      }));
      const arrived: string[] = [];
      const { engine, clock, simulator } = await createBench({
        issuers,
        ownerOf,
        schedule: { concurrency: 1, firstAuthorizationDelayMs: 3_600_000 },
        transport: async (request) => {
          const envelope = await request.clone().text();
          const xml = Buffer.from(/<xml>([^<]+)</.exec(envelope)?.[1] ?? '', 'base64').toString();
          arrived.push(/<ptoEmi>(\d+)</.exec(xml)?.[1] ?? '');
          return simulator.handle(request);
        },
      });
      for (const { id } of issuers) {
        for (let index = 0; index < (id === 'b00' ? 3 : 1); index += 1) {
          const scope = { ...SCOPE, issuerId: id };
          const { document } = await engine.create(scope, bodyTo());
          await engine.send(scope, document.accessKey);
        }
      }
      await clock.runUntil(engine.tick());
      const ofTheOther = arrived.flatMap((point, position) => (point === '051' ? [position] : []));
      expect(ofTheOther).toEqual([1, 3, 5]);
    },
  );
});
