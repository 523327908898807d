import { TAX } from '../../catalogs/tax-types.js';
import { formatMoney } from '../../money.js';
import type { Findings } from '../findings.js';
import type { PreparedItem, PreparedTax, TaxTotal } from './prepared.js';
import { differ, taxOf } from './totals.js';

/**
 * Warns of each tax whose lines do not add up to base × rate of the group. Example: 100 lines of 0.90 at 15 %, rounded one
 * by one, give 14.00 instead of 13.50. Computed amounts always add up.
 *
 * A line with a wrong IVA has its own warning, so its group has none. ICE is not checked: the caller gives its base and
 * amount.
 */
export function checkTaxGroups(
  items: readonly Pick<PreparedItem, 'taxes'>[],
  taxTotals: readonly TaxTotal[],
  findings: Findings,
  list = 'items',
): void {
  for (const { code, rateCode, rate, taxableBase, taxAmount } of taxTotals) {
    if (rate === null || code === TAX.ICE) continue;
    const basis = code === TAX.IVA ? 'value' : 'unit';
    const expected = taxOf(taxableBase, rate, basis);
    if (!differ(taxAmount, expected)) continue;
    const lines = linesOfGroup(items, code, rateCode, list);
    const isReported = ({ tax }: TaxOfLine) => differ(tax.taxAmount, taxOf(tax.taxableBase, rate, basis));
    if (code === TAX.IVA && lines.some(isReported)) continue;
    findings.warn(lines[0]?.field ?? list, 'TAX_GROUP_MISMATCH', {
      sum: formatMoney(taxAmount),
      expected: formatMoney(expected),
    });
  }
}

// --- internal ---

interface TaxOfLine {
  /** The path of the tax. */
  readonly field: string;
  readonly tax: PreparedTax;
}

function linesOfGroup(
  items: readonly Pick<PreparedItem, 'taxes'>[],
  code: string,
  rateCode: string,
  list: string,
): readonly TaxOfLine[] {
  return items.flatMap(({ taxes }, line) =>
    taxes.flatMap((tax, place) =>
      tax.code === code && tax.rateCode === rateCode ? [{ field: `${list}[${line}].taxes[${place}]`, tax }] : [],
    ),
  );
}
