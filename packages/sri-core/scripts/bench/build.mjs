import { ISSUER, invoice, median } from './business.mjs';

/**
 * Measures the time from body to XML: validation, sums, access key and canonical text.
 *
 * @param core the built sri-core.
 * @returns medians in milliseconds; the goal of `build-500-items` is 2 ms.
 */
export async function benchBuild(core) {
  return [
    { name: 'build-3-items', value: measure(core, 3, 4_000), unit: 'ms' },
    { name: 'build-500-items', value: measure(core, 500, 400), unit: 'ms' },
  ];
}

function measure(core, lines, runs) {
  const body = invoice(lines);
  const context = { issuer: ISSUER, today: '2026-11-21', requireAmounts: true, strict: true };
  const build = () =>
    core.writeComprobante(core.prepareDocument(body, context), ISSUER, {
      environment: 'sandbox',
      sequential: 1,
      numericCode: '12345678',
    });
  // A running process has compiled schemas and optimised code, so the bench warms them up.
  for (let run = 0; run < runs / 4; run += 1) build();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    build();
    return performance.now() - start;
  });
  return median(times);
}
