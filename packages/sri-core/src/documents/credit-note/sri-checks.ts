import type { SriCheck } from '../document-type.js';
import {
  finalConsumerCheck,
  groupTaxCheck,
  modifiedKnownCheck,
  modifiedTypeCheck,
  partyIdCheck,
  refundCheck,
  sumsCheck,
} from '../parts/sri-checks.js';
import { amount, compensationsOf, taxesOf } from '../parts/sum-checks.js';

/** The SRI's checks of a credit note. Ficha técnica off-line v2.34, §11. */
export const CREDIT_NOTE_SRI_CHECKS: readonly SriCheck[] = [
  finalConsumerCheck('infoNotaCredito', 'Una nota de crédito no puede emitirse a consumidor final.'),
  modifiedTypeCheck('infoNotaCredito'),
  refundCheck('infoNotaCredito'),
  sumsCheck('infoNotaCredito', ({ info, totals }, compare) => {
    const computed = amount(info, 'totalSinImpuestos') + taxesOf(totals) - compensationsOf(info);
    compare('El valor de la modificación', amount(info, 'valorModificacion'), computed);
  }),
  partyIdCheck('infoNotaCredito', 'Comprador'),
  modifiedKnownCheck('infoNotaCredito'),
  groupTaxCheck('infoNotaCredito'),
];
