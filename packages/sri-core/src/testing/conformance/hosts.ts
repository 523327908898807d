import assert from 'node:assert/strict';
import { type ConformanceCase, onStorage } from './case.js';

/** The shared state of the SRI's hosts. */
export const hosts: readonly ConformanceCase[] = [
  onStorage(
    'a host has no state at first, then the last recorded one, separately for each environment',
    async (one, open) => {
      const other = await open();
      assert.equal(await one.readHostState('production'), null);
      assert.equal(await one.changeHostState('production', { state: '{"a":1}', revision: 0 }), true);
      assert.deepEqual(await other.readHostState('production'), { state: '{"a":1}', revision: 1 });
      assert.equal(await other.readHostState('sandbox'), null);
      assert.equal(await other.changeHostState('production', { state: '{"ñ":2}', revision: 1 }), true);
      assert.deepEqual(await one.readHostState('production'), { state: '{"ñ":2}', revision: 2 });
    },
  ),
  onStorage('the storage accepts one of several states that callers record on one revision', async (storage, open) => {
    const storages = [storage, await open()];
    for (const revision of [0, 1]) {
      const noted = Array.from({ length: 10 }, (_, index) =>
        storages[index % 2]?.changeHostState('sandbox', { state: `${index}`, revision }),
      );
      const believed = await Promise.all(noted);
      assert.equal(believed.filter(Boolean).length, 1);
      const found = await storages[0]?.readHostState('sandbox');
      assert.deepEqual(found, { state: `${believed.indexOf(true)}`, revision: revision + 1 });
    }
    assert.equal(await storages[0]?.changeHostState('sandbox', { state: 'late', revision: 1 }), false);
  }),
];
