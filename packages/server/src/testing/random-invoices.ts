import fc from 'fast-check';
import { formatDecimal } from 'sri-core';

/** The buyer of the invoices. */
export const BUYER = {
  idType: '05',
  id: '1710034065',
  name: 'María',
  email: 'maria@example.com',
  address: 'Quito',
} as const;

const IVA = { code: '2', rateCode: '4', rate: '15' };
const OLD_IVA = { code: '2', rateCode: '2', rate: '12' };
const EXEMPT = { code: '2', rateCode: '0', rate: '0' };
const BOTTLES = { code: '5', rateCode: '5001', rate: '0.02' };
/** 10 % of the value. */
const ICE = { code: '3', rateCode: '3101', rate: '10' };
/** Its base differs from the line's, so the form cannot derive it. */
const MIXED_ICE = { code: '3', rateCode: '3610', rate: '20', taxableBase: '7.35', taxAmount: '1.47' };

const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => formatDecimal(BigInt(value), 2));
const pairs = fc.array(fc.record({ name: fc.constantFrom('Lote', 'Año'), value: fc.constantFrom('A-1', '2026') }), {
  minLength: 1,
  maxLength: 3,
});
const taxes = fc.constantFrom(
  [IVA],
  [EXEMPT],
  [OLD_IVA],
  [IVA, BOTTLES],
  [BOTTLES, IVA],
  [IVA, ICE],
  [ICE, BOTTLES, IVA],
  [IVA, MIXED_ICE],
  [
    { ...IVA, taxableBase: '0.01', taxAmount: '0.00' },
    { ...EXEMPT, taxableBase: '0.02', taxAmount: '0.00' },
  ],
  [ICE],
);
const items = fc.record(
  {
    mainCode: fc.constantFrom('A', 'B-2'),
    auxiliaryCode: fc.constantFrom('7861234567890', 'X'),
    description: fc.constantFrom('Café', 'Gaseosa'),
    quantity: fc.oneof(cents(100_000), fc.constantFrom('1', '2.000000', '7.352941')),
    unitPrice: cents(1_000_000),
    discount: fc.constantFrom('0.00', '0.01', null),
    additionalDetails: pairs,
    taxes,
  },
  { requiredKeys: ['mainCode', 'description', 'quantity', 'unitPrice', 'taxes'] },
);
/** Invoices of few lines with the taxes that a line may have, without their sums. */
export const invoices = fc
  .record(
    {
      documentType: fc.constant('01'),
      buyer: fc.constant(BUYER),
      guiaRemision: fc.constant('001-002-000000123'),
      items: fc.array(items, { minLength: 1, maxLength: 8 }),
      tip: fc.constantFrom('0.00', '1.50'),
      payments: fc.constantFrom(
        [{ method: '20', term: 30, termUnit: 'dias' }],
        [
          { method: '01', total: '1.00' },
          { method: '19', total: '2.00', term: 3, termUnit: 'meses' },
        ],
      ),
      additionalInfo: pairs,
    },
    { requiredKeys: ['documentType', 'buyer', 'items', 'payments'] },
  )
  // Rejects lines whose discount exceeds their value.
  .filter((body) => body.items.every(({ quantity, unitPrice }) => Number(quantity) * Number(unitPrice) >= 0.02));
