import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareDocument } from '../../documents/prepare.js';
import { writeComprobante } from '../../documents/write-comprobante.js';
import { systemRandom } from '../../random.js';
import { randomDebitNote } from '../../testing/random-bodies/debit-note.js';
import { randomPurchaseSettlement } from '../../testing/random-bodies/purchase-settlement.js';
import {
  RANDOM_TODAY,
  randomCreditNote,
  randomInvoice,
  randomIssuer,
  randomNumbering,
} from '../../testing/random-bodies.js';
import { SAMPLE_INVOICE, SAMPLE_ISSUER } from '../../testing/sample-bodies.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createSriClient } from '../soap-client.js';
import { createSimulator } from './simulator.js';

/** Two implementations of the same law: the simulator must accept the documents of this library. */
describe.each([
  { name: 'invoices', body: randomInvoice },
  { name: 'credit notes', body: randomCreditNote },
  { name: 'debit notes', body: randomDebitNote },
  { name: 'purchase settlements', body: randomPurchaseSettlement },
] as const)('random $name of this library', ({ body }) => {
  it('the simulator receives and authorizes random documents of this library', async () => {
    const clock = createTestClock(`${RANDOM_TODAY}T17:00:00Z`);
    const simulator = createSimulator({ clock, checkSignature: false });
    const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
    await fc.assert(
      fc.asyncProperty(body, randomIssuer, randomNumbering, async (content, issuer, numbering) => {
        simulator.reset();
        const document = prepareDocument(content, { issuer, today: RANDOM_TODAY });
        const { xml, accessKey } = writeComprobante(document, issuer, numbering);
        const received = await client.submit(numbering.environment, accessKey, xml);
        expect(received).toMatchObject({ status: 'RECIBIDA' });
        const answer = await client.authorization(numbering.environment, accessKey);
        const doubts = answer.messages?.filter(({ type, identifier }) => type === 'ERROR' || identifier === '52');
        expect(doubts ?? []).toEqual([]);
        expect(answer).toMatchObject({ outcome: 'authorized', comprobante: xml });
      }),
      { numRuns: 150 },
    );
  });
});

it('the simulator authorizes a tax that is rounded line by line, and warns with both amounts', async () => {
  const clock = createTestClock(`${RANDOM_TODAY}T17:00:00Z`);
  const simulator = createSimulator({ clock, checkSignature: false });
  const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
  const tax = { code: '2', rateCode: '4', rate: '15', taxableBase: '0.90', taxAmount: '0.14' };
  const line = { mainCode: 'A', description: 'Chicle', quantity: '1', unitPrice: '0.90', taxes: [tax] };
  const body = {
    ...SAMPLE_INVOICE,
    items: Array.from({ length: 100 }, () => line),
    payments: [{ method: '01' }],
  };
  const document = prepareDocument(body, { issuer: SAMPLE_ISSUER, today: RANDOM_TODAY });
  const numbering = { environment: 'production', sequential: 1, numericCode: '12345678' } as const;
  const { xml, accessKey } = writeComprobante(document, SAMPLE_ISSUER, numbering);
  await client.submit('production', accessKey, xml);
  expect(await client.authorization('production', accessKey)).toMatchObject({
    outcome: 'authorized',
    messages: [{ identifier: '52', type: 'ADVERTENCIA', additionalInfo: expect.stringMatching(/14\.00.*13\.50/) }],
  });
});
