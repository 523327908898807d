// What several benchmarks build, and how they count.

export const ISSUER = {
  ruc: '1790012345001',
  businessName: 'Café Andino S.A.',
  tradeName: 'Café Andino',
  mainAddress: 'Av. Amazonas N21-147, Quito',
  branchCode: '001',
  issuePointCode: '001',
  branchAddress: 'Calle Loja 5-20, Cuenca',
  requiredAccounting: true,
};

/** Valid by every rule, so that strict checking passes and no time is spent on messages. */
export function invoice(lines) {
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

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
