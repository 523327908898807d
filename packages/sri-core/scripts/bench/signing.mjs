import { sign } from 'node:crypto';
import { createTestP12 } from '../../dist/testing.js';
import { ISSUER, median } from './business.mjs';

/**
 * Measures signing speed against its floor: one RSA-2048 signature by node:crypto with a KeyObject. Both alternate on this
 * thread, so that their ratio holds on a busy machine.
 *
 * @param core the built sri-core.
 * @returns signatures per second from medians, and the ratios; their goals are 0.85 for 3 items and 0.60 for 500.
 */
export async function benchSigning(core) {
  const { certificate, privateKey } = await core.openP12(await createTestP12(), 'prueba');
  const key = { certificate, privateKey };
  const small = measureSigning(core, prepare(core, 3), key, 1_000);
  const large = measureSigning(core, prepare(core, 500), key, 400);
  return [
    { name: 'raw-rsa', value: 1000 / small.raw, unit: 'signatures/s' },
    { name: 'sign-3-items', value: 1000 / small.signed, unit: 'signatures/s' },
    { name: 'sign-500-items', value: 1000 / large.signed, unit: 'signatures/s' },
    { name: 'sign-3-items/raw-rsa', value: small.raw / small.signed, unit: 'ratio' },
    { name: 'sign-500-items/raw-rsa', value: large.raw / large.signed, unit: 'ratio' },
  ];
}

/** A SignedInfo has about 1,500 bytes. */
const SIGNED_INFO = Buffer.alloc(1_500, 'x');

/** Medians in milliseconds. Each document is built fresh and signed once, as in a running process. */
export function measureSigning(core, prepared, key, runs) {
  const options = { signingTime: new Date() };
  const times = { raw: [], signed: [] };
  for (let run = 0; run < runs * 1.2; run += 1) {
    const numbering = { environment: 'sandbox', sequential: run + 1, numericCode: '12345678' };
    const { xml } = core.writeComprobante(prepared, ISSUER, numbering);
    const start = performance.now();
    sign('sha1', SIGNED_INFO, key.privateKey);
    const between = performance.now();
    core.signCanonicalXmlSync(xml, key, options);
    const end = performance.now();
    if (run < runs * 0.2) continue; // until the code is optimised
    times.raw.push(between - start);
    times.signed.push(end - between);
  }
  return { raw: median(times.raw), signed: median(times.signed) };
}

function prepare(core, lines) {
  const body = {
    documentType: '01',
    buyer: { idType: '05', id: '1710034065', name: 'María Muñoz', email: 'maria@example.com', address: 'Quito' },
    items: Array.from({ length: lines }, (_, index) => ({
      mainCode: `CAF-${index}`,
      description: `Café de Loja «tostado medio» & molido, 500 g, lote ${index}`,
      quantity: '2.00',
      unitPrice: '7.25',
      discount: '0.50',
      taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '14.00', taxAmount: '2.10' }],
    })),
    payments: [{ method: '20', total: (lines * 16.1).toFixed(2) }],
  };
  return core.prepareDocument(body, { issuer: ISSUER, today: '2026-11-21' });
}
