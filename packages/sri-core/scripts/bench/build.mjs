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

const ISSUER = {
  ruc: '1790012345001',
  businessName: 'Café Andino S.A.',
  tradeName: 'Café Andino',
  mainAddress: 'Av. Amazonas N21-147, Quito',
  branchCode: '001',
  issuePointCode: '001',
  branchAddress: 'Calle Loja 5-20, Cuenca',
  requiredAccounting: true,
};

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
  }).toSorted((a, b) => a - b);
  return times[Math.floor(runs / 2)];
}

/** Valid by every rule, so that strict checking passes and no time is spent on messages. */
function invoice(lines) {
  const items = Array.from({ length: lines }, (_, index) => ({
    mainCode: `CAF-${index}`,
    auxiliaryCode: `78612345${String(index).padStart(5, '0')}`,
    description: `Café de Loja «tostado medio» & molido, 500 g, lote ${index}`,
    quantity: '2.00',
    unitPrice: '7.25',
    discount: '0.50',
    taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '14.00', taxAmount: '2.10' }],
  }));
  return {
    documentType: '01',
    buyer: { idType: '05', id: '1710034065', name: 'María Muñoz', email: 'maria@example.com', address: 'Quito' },
    items,
    payments: [{ method: '20', total: (lines * 16.1).toFixed(2) }],
    additionalInfo: [{ name: 'Vendedor', value: 'J. Pérez' }],
  };
}
