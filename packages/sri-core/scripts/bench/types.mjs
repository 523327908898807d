import { createTestP12 } from '../../dist/testing.js';
import { ISSUER, median } from './business.mjs';
import { measureSigning } from './signing.mjs';

/**
 * Measures the signing and printing of every type of document, by the first example of the registry, which has every field
 * of its contract.
 *
 * @param core the built sri-core.
 * @returns `sign-<root>/raw-rsa`, the ratio to one RSA-2048 signature that alternates with it, whose goal is 0.90 for
 * `comprobanteRetencion`; and `ride-<root>`, the median in milliseconds, whose goal is 3.
 */
export async function benchTypes(core) {
  const { certificate, privateKey } = await core.openP12(await createTestP12(), 'prueba');
  const figures = [];
  for (const code of core.DOCUMENT_TYPES) {
    const { root, examples } = core.documentTypeOf(code);
    const prepared = core.prepareDocument(examples[0], { issuer: ISSUER, today: DAY_OF_EXAMPLES });
    const { raw, signed } = measureSigning(core, prepared, { certificate, privateKey }, RUNS);
    figures.push({ name: `sign-${root}/raw-rsa`, value: raw / signed, unit: 'ratio' });
    figures.push({ name: `ride-${root}`, value: await ridingTime(core, prepared), unit: 'ms' });
  }
  return figures;
}

const DAY_OF_EXAMPLES = '2026-11-21';
const RUNS = 600;
const WARM_UP = 120;

async function ridingTime(core, prepared) {
  const numbering = { environment: 'production', sequential: 1, numericCode: '12345678' };
  const { xml, accessKey } = core.writeComprobante(prepared, ISSUER, numbering);
  const authorization = { number: accessKey, date: '2026-11-21T10:15:32-05:00' };
  const times = [];
  for (let run = 0; run < RUNS + WARM_UP; run += 1) {
    const start = performance.now();
    await core.renderRide({ xml, authorization });
    if (run >= WARM_UP) times.push(performance.now() - start);
  }
  return median(times);
}
