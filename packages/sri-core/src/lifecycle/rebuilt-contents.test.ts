import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readComprobante } from '../documents/read-comprobante.js';
import { createBench, SCOPE } from '../testing/engine-bench.js';
import { randomInvoice } from '../testing/random-bodies.js';

it('a rebuild of a stored invoice keeps its content: every line, tax, detail, tip and payment', async () => {
  await fc.assert(
    fc.asyncProperty(randomInvoice, async (drawn) => {
      const bench = await createBench();
      const body = { ...drawn, buyer: { ...drawn.buyer, idType: '06', id: 'SRI-RETURNED-35' } } as const;
      const { document } = await bench.during(bench.engine.issue(SCOPE, body));
      expect(document.status).toBe('RETURNED');
      const said = async (accessKey: string) =>
        readComprobante((await bench.engine.contents(SCOPE, accessKey)).signedXml);
      const before = await said(document.accessKey);
      await bench.engine.rebuild(SCOPE, document.accessKey);
      expect(await said(document.accessKey)).toEqual(before);
      const { requestPayload } = await bench.engine.contents(SCOPE, document.accessKey);
      expect(requestPayload).toEqual(body);
      const { document: again } = await bench.engine.rebuild(SCOPE, document.accessKey, { body });
      expect(await said(again.accessKey)).toEqual(before);
    }),
    { numRuns: 25 },
  );
});
