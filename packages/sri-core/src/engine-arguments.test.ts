import { describe, expect, it } from 'vitest';
import { createBench, invoiceBody, SCOPE } from './testing/engine-bench.js';

const { engine } = await createBench();
const PAGE = { page: 1, limit: 10 };

describe('a name that a filter or an option does not have', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['list', () => engine.list(SCOPE, { ...PAGE, state: 'RETURNED' } as never)],
    ['walk', () => engine.walk(SCOPE, { since: '2026-11-01' } as never, null)],
    ['figures', () => engine.figures(SCOPE, { type: '01' } as never)],
    ['retryAll', () => engine.retryAll(SCOPE, { operations: 'SEND' } as never)],
    ['preview', () => engine.preview(SCOPE, invoiceBody(), { pdf: true } as never)],
  ])('an unknown name in a filter or an option is a TypeError of %s that names it', async (name, call) => {
    await expect(call()).rejects.toThrow(new RegExp(`^An option of ${name} has .* There is no "`));
  });
});

describe('a text of a filter', () => {
  it.each(['sequential', 'buyerName', 'buyerId', 'accessKey', 'q'])(
    'names a filter of the wrong type: %s',
    async (name) => {
      const wrong = `${name} has to be a text.`;
      await expect(engine.list(SCOPE, { ...PAGE, [name]: 1 })).rejects.toThrow(wrong);
      await expect(engine.walk(SCOPE, { [name]: null }, null)).rejects.toThrow(wrong);
      expect((await engine.list(SCOPE, { ...PAGE, [name]: undefined })).total).toBe(0);
    },
  );
});
