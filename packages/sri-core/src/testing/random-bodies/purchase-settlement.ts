import fc from 'fast-check';
import { countries } from '../../catalogs/countries.js';
import { supportDocumentTypes } from '../../catalogs/support-document-types.js';
import { NAMED_ID_TYPES } from '../../documents/parts/party.js';
import type { PurchaseSettlementBody } from '../../documents/purchase-settlement/body.js';
import {
  additionalInfo,
  decimal,
  digits,
  documentNumber,
  IVA_CODES,
  maybe,
  nastyText,
  randomItems,
  randomParty,
  randomPayments,
} from '../random-bodies.js';

/** Random bodies of purchase settlements, without computable sums. */
export const randomPurchaseSettlement: fc.Arbitrary<PurchaseSettlementBody> = fc.record(
  {
    documentType: fc.constant('03' as const),
    issueDate: fc.constantFrom('21/11/2026', null),
    supplier: randomSupplier(),
    items: randomLines(),
    payments: randomPayments(),
    reimbursements: maybe(fc.array(randomReimbursement(), { maxLength: 3 })),
    additionalInfo: additionalInfo(15),
  },
  { requiredKeys: ['documentType', 'supplier', 'items', 'payments'] },
);

// --- internal ---

function randomSupplier() {
  return fc
    .tuple(randomParty(NAMED_ID_TYPES), fc.boolean())
    .map(([{ email, ...party }, mailed]) => (mailed ? { ...party, email } : party));
}

/** Random lines, some with a unit of measure. A price without subsidy is not below the price. */
function randomLines() {
  const iva = fc.constantFrom(...IVA_CODES).map((rate) => [{ code: '2' as const, ...rate }]);
  return fc
    .tuple(randomItems(iva), maybe(nastyText(50)), fc.boolean())
    .map(([items, unitOfMeasure, subsidized]) =>
      items.map((item) => ({ ...item, unitOfMeasure, unsubsidizedPrice: subsidized ? item.unitPrice : null })),
    );
}

function randomReimbursement() {
  const tax = fc
    .tuple(
      fc.constantFrom(
        ...IVA_CODES.map((rate) => ({ code: '2' as const, ...rate })),
        { code: '3' as const, rateCode: '3101', rate: '10' },
        { code: '5' as const, rateCode: '5001', rate: '0.02' },
      ),
      decimal(99_999, 2),
    )
    .map(([rate, taxableBase]) => ({ ...rate, taxableBase }));
  return fc.record({
    supplier: fc.record(
      {
        idType: fc.constantFrom(...NAMED_ID_TYPES),
        id: fc.oneof(digits(10), digits(13), nastyText(20)),
        kind: fc.constantFrom('01' as const, '02' as const),
        country: fc.constantFrom(null, ...countries.map(({ code }) => code)),
      },
      { requiredKeys: ['idType', 'id', 'kind'] },
    ),
    documentType: fc.constantFrom(...supportDocumentTypes.map(({ code }) => code)),
    number: documentNumber(),
    issueDate: fc.constantFrom('21/11/2026', '01/02/2024', '29/02/2016', '01/01/2000'),
    authorizationNumber: fc.constantFrom(10, 37, 49).chain(digits),
    taxes: fc.array(tax, { minLength: 1, maxLength: 3 }),
  });
}
