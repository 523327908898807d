import type { Static } from '@sinclair/typebox';
import type { IsoDate } from '../../calendar.js';
import { formatMoney, parseDecimal, parseMoney, QUANTITY_SCALE } from '../../money.js';
import type { Findings } from '../findings.js';
import { normalizeText, optionalText } from '../text.js';
import { prepareNameValues } from './additional-info.js';
import type { MeasuredItemBody } from './bodies.js';
import type { PreparedItem } from './prepared.js';
import type { itemsWithOptionalSums } from './schemas.js';
import { createTaxPreparer, money } from './taxes.js';
import { checkAmount, lineAllowance, lineSubtotal } from './totals.js';

/** A line of any type; some types have neither of the two further fields. */
type Item = Static<typeof itemsWithOptionalSums>[number] &
  Pick<MeasuredItemBody, 'unitOfMeasure' | 'unsubsidizedPrice'>;

/**
 * Creates a function that validates and computes one line after another.
 *
 * @param rateDate the day whose tax rates count: the issue date, or for a credit note the date of the modified document;
 * null while it is unknown.
 */
export function createItemPreparer(rateDate: IsoDate | null, findings: Findings) {
  const prepareTaxes = createTaxPreparer(rateDate, findings);

  function prepareItem(item: Item, index: number): PreparedItem {
    const field = `items[${index}]`;
    const quantity = parseDecimal(item.quantity, QUANTITY_SCALE);
    const unitPrice = parseDecimal(item.unitPrice, QUANTITY_SCALE);
    const full = item.unsubsidizedPrice;
    const unsubsidizedPrice = full === null || full === undefined ? null : parseDecimal(full, QUANTITY_SCALE);
    if (unsubsidizedPrice !== null && unsubsidizedPrice < unitPrice) {
      findings.fail(`${field}.unsubsidizedPrice`, 'unsubsidizedPrice');
    }
    const discount = parseMoney(item.discount ?? '0');
    const computed = lineSubtotal(quantity, unitPrice, discount);
    if (computed < 0n) findings.fail(`${field}.discount`, 'discount');
    const subtotal = money(item.total) ?? computed;
    const difference = subtotal > computed ? subtotal - computed : computed - subtotal;
    if (difference > lineAllowance(quantity))
      findings.fail(`${field}.total`, 'lineTotal', { expected: formatMoney(computed) });
    checkAmount(subtotal, field, findings);
    return {
      mainCode: normalizeText(item.mainCode),
      auxiliaryCode: optionalText(item.auxiliaryCode ?? item.auxCode),
      description: normalizeText(item.description),
      unitOfMeasure: optionalText(item.unitOfMeasure),
      quantity,
      unitPrice,
      unsubsidizedPrice,
      discount,
      subtotal,
      additionalDetails: prepareNameValues(item.additionalDetails),
      taxes: prepareTaxes(item.taxes, { field, subtotal, quantity }),
    };
  }

  return prepareItem;
}
