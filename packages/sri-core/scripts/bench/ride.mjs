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
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)];
}

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
