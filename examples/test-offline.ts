// A test of an application, offline and without waiting: the SRI takes the invoice, but its answer gets lost.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createEngine } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createMemoryStorage, createTestClock, createTestSigner } from 'sri-core/testing';

const json = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));
const [issuer, invoice] = [await json('issuer.json'), await json('invoice.json')];

test('an invoice with a lost answer is authorized under its own number', async () => {
  const clock = createTestClock(new Date()); // one for both: it stands still until it is moved
  const simulator = createSimulator({ clock });
  const signer = await createTestSigner({ ruc: issuer.ruc });
  const engine = createEngine({
    storage: createMemoryStorage(),
    issuers: [{ id: 'main', ...issuer, signer }],
    transport: simulator.handle,
    clock,
  });
  const scope = { issuerId: 'main', environment: 'sandbox' } as const;
  const buyer = { ...invoice.buyer, idType: '06', id: 'SRI-LOST-ANSWER' };

  const { document } = await engine.create(scope, { ...invoice, buyer });
  await engine.send(scope, document.accessKey);
  await clock.runUntil(engine.tick()); // no answer came; sent once more, the SRI has it already
  assert.equal((await engine.get(scope, document.accessKey)).status, 'RECEIVED');

  await clock.advance(5 * 60_000); // by when the next question is due
  await clock.runUntil(engine.tick());
  assert.equal((await engine.get(scope, document.accessKey)).status, 'AUTHORIZED');
});
