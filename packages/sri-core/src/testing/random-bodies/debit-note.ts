import fc from 'fast-check';
import type { DebitNoteBody } from '../../documents/debit-note/body.js';
import {
  additionalInfo,
  decimal,
  IVA_CODES,
  nastyText,
  originalDocument,
  randomParty,
  randomPayments,
} from '../random-bodies.js';

/** Random bodies of debit notes, without computable sums. */
export const randomDebitNote: fc.Arbitrary<DebitNoteBody> = fc.record(
  {
    documentType: fc.constant('05' as const),
    issueDate: fc.constantFrom('21/11/2026', null),
    buyer: randomParty(['04', '05', '06', '08']),
    originalDocument: originalDocument(),
    reasons: fc.array(fc.record({ reason: nastyText(300), amount: decimal(99_999, 2), taxes: randomTaxes() }), {
      minLength: 1,
      maxLength: 6,
    }),
    payments: randomPayments(),
    additionalInfo: additionalInfo(15),
  },
  { requiredKeys: ['documentType', 'buyer', 'originalDocument', 'reasons', 'payments'] },
);

// --- internal ---

/** Each code always has the same rate, as the note writes it once. */
function randomTaxes() {
  const iva = fc.constantFrom(...IVA_CODES).map((rate) => ({ code: '2' as const, ...rate }));
  const ice = fc.constantFrom(
    { code: '3' as const, rateCode: '3101', rate: '10' },
    { code: '3' as const, rateCode: '3610', rate: '37.55' },
    { code: '3' as const, rateCode: '3630', rate: '150.5' },
  );
  const byUnit = fc
    .tuple(
      fc.constantFrom(
        { code: '3' as const, rateCode: '3680', rate: '0.08' },
        { code: '5' as const, rateCode: '5001', rate: '0.02' },
      ),
      decimal(5_000, 2),
    )
    .map(([rate, taxableBase]) => ({ ...rate, taxableBase }));
  return fc.tuple(iva, fc.option(ice), fc.option(byUnit), fc.boolean()).map(([first, second, third, reverse]) => {
    const taxes = [first, second, third].filter((tax) => tax !== null);
    return reverse ? taxes.toReversed() : taxes;
  });
}
