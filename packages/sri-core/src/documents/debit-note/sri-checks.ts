import { sum } from '../../money.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';
import { headTaxes } from '../parts/reading.js';
import {
  finalConsumerCheck,
  groupTaxCheck,
  modifiedKnownCheck,
  modifiedTypeCheck,
  partyIdCheck,
  refundCheck,
} from '../parts/sri-checks.js';
import { amount, compareSums, compareTaxRate, compensationsOf, taxesOf } from '../parts/sum-checks.js';

/** The SRI's checks of a debit note. Ficha técnica off-line v2.34, §11. */
export const DEBIT_NOTE_SRI_CHECKS: readonly SriCheck[] = [
  finalConsumerCheck('infoNotaDebito', 'Una nota de débito no puede emitirse a consumidor final.'),
  modifiedTypeCheck('infoNotaDebito'),
  { code: '52', outcome: 'refuses', find: findSumDifferences },
  refundCheck('infoNotaDebito'),
  partyIdCheck('infoNotaDebito', 'Comprador'),
  modifiedKnownCheck('infoNotaDebito'),
  groupTaxCheck('infoNotaDebito'),
];

// --- internal ---

/** The reasons carry no taxes, so the taxes of the head are compared with their rates alone. */
function findSumDifferences(root: XmlElement): readonly string[] {
  const info = child(root, 'infoNotaDebito');
  const reasons = children(child(root, 'motivos'), 'motivo');
  const taxes = headTaxes(info);
  return compareSums(reasons.length, (compare) => {
    const subtotal = amount(info, 'totalSinImpuestos');
    compare('El valor del total sin impuestos', subtotal, sum(reasons.map((reason) => amount(reason, 'valor'))));
    for (const tax of taxes) compareTaxRate(tax, compare);
    const computed = subtotal + taxesOf(taxes) - compensationsOf(info);
    compare('El valor total', amount(info, 'valorTotal'), computed);
  });
}
