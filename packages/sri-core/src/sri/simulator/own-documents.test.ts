import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareDocument } from '../../documents/prepare.js';
import { systemRandom } from '../../random.js';
import { RANDOM_TODAY, randomCreditNote, randomInvoice, randomIssuer } from '../../testing/random-bodies.js';
import { createTestClock } from '../../testing/test-clock.js';
import { writeComprobante } from '../../xml/comprobante.js';
import { createSriClient } from '../soap-client.js';
import { createSimulator } from './simulator.js';

/** Two readings of the same law: what this library writes, the simulator has to find right. */
describe.each([
  { name: 'invoices', body: randomInvoice },
  { name: 'credit notes', body: randomCreditNote },
] as const)('random $name of this library', ({ body }) => {
  it('are taken and authorized', async () => {
    const clock = createTestClock(`${RANDOM_TODAY}T17:00:00Z`);
    const simulator = createSimulator({ clock, checkSignature: false });
    const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
    const setting = fc.record({
      environment: fc.constantFrom('sandbox' as const, 'production' as const),
      sequential: fc.integer({ min: 1, max: 999_999_999 }),
      numericCode: fc.stringMatching(/^[0-9]{8}$/),
    });
    await fc.assert(
      fc.asyncProperty(body, randomIssuer, setting, async (content, issuer, numbering) => {
        simulator.reset();
        const document = prepareDocument(content, { issuer, today: RANDOM_TODAY });
        const { xml, accessKey } = writeComprobante(document, issuer, numbering);
        const received = await client.submit(numbering.environment, accessKey, xml);
        expect(received).toMatchObject({ status: 'RECIBIDA' });
        const answer = await client.authorization(numbering.environment, accessKey);
        expect(answer.messages?.filter(({ type }) => type === 'ERROR') ?? []).toEqual([]);
        expect(answer).toMatchObject({ outcome: 'authorized', comprobante: xml });
      }),
      { numRuns: 150 },
    );
  });
});
