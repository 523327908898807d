import { TAX } from '../../catalogs/tax-types.js';
import { formatDecimal, MONEY_SCALE } from '../../money.js';
import type { Findings } from '../findings.js';
import type { PreparedItem, PreparedTax, TaxTotal } from './prepared.js';
import { differ, taxOf } from './totals.js';

/**
 * Warns of each tax whose lines, as they came, do not add up to base × rate of the group: 100 lines of 0.90 at 15 %,
 * rounded one by one, make 14.00 of a tax of 13.50. Amounts that were left out always add up.
 *
 * A line whose IVA is wrong by itself has its own warning, which says enough. ICE is not looked at: its base and
 * its amount are the caller's.
 */
export function checkTaxGroups(
  items: readonly PreparedItem[],
  taxTotals: readonly TaxTotal[],
  findings: Findings,
): void {
  for (const { code, rateCode, rate, taxableBase, taxAmount } of taxTotals) {
    if (rate === null || code === TAX.ICE) continue;
    const basis = code === TAX.IVA ? 'value' : 'unit';
    const expected = taxOf(taxableBase, rate, basis);
    if (!differ(taxAmount, expected)) continue;
    const lines = linesOfGroup(items, code, rateCode);
    const isTold = ({ tax }: TaxOfLine) => differ(tax.taxAmount, taxOf(tax.taxableBase, rate, basis));
    if (code === TAX.IVA && lines.some(isTold)) continue;
    findings.warn(lines[0]?.field ?? 'items', 'TAX_GROUP_MISMATCH', {
      sum: formatDecimal(taxAmount, MONEY_SCALE),
      expected: formatDecimal(expected, MONEY_SCALE),
    });
  }
}

// --- internal ---

interface TaxOfLine {
  /** Its path. */
  readonly field: string;
  readonly tax: PreparedTax;
}

function linesOfGroup(items: readonly PreparedItem[], code: string, rateCode: string): readonly TaxOfLine[] {
  return items.flatMap(({ taxes }, line) =>
    taxes.flatMap((tax, place) =>
      tax.code === code && tax.rateCode === rateCode ? [{ field: `items[${line}].taxes[${place}]`, tax }] : [],
    ),
  );
}
