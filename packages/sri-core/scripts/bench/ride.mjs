import { ISSUER, invoice, median } from './business.mjs';

/**
 * Measures the time from XML to PDF bytes, with fonts and pdfkit already loaded.
 *
 * @param core the built sri-core.
 * @returns medians in milliseconds; the goal of `ride-3-items` is 2 ms.
 */
export async function benchRide(core) {
  return [
    { name: 'ride-3-items', value: await measure(core, 3, 1_000), unit: 'ms' },
    { name: 'ride-500-items', value: await measure(core, 500, 40), unit: 'ms' },
  ];
}

async function measure(core, lines, runs) {
  const document = core.prepareDocument(invoice(lines), { issuer: ISSUER, today: '2026-11-21' });
  const { xml, accessKey } = core.writeComprobante(document, ISSUER, {
    environment: 'production',
    sequential: 1,
    numericCode: '12345678',
  });
  const authorization = { number: accessKey, date: '2026-11-21T10:15:32-05:00' };
  const render = () => core.renderRide({ xml, authorization });
  for (let run = 0; run < runs / 4; run += 1) await render();
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await render();
    times.push(performance.now() - start);
  }
  return median(times);
}
