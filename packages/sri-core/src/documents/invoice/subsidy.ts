import { TAX } from '../../catalogs/tax-types.js';
import {
  formatMoney,
  MONEY_SCALE,
  parseDecimal,
  parseMoney,
  QUANTITY_SCALE,
  roundHalfUp,
  type Scaled,
  sum,
} from '../../money.js';
import { shortenDecimal, writeAmount } from '../parts/amounts.js';
import type { PreparedItem } from '../parts/prepared.js';
import type { ComprobanteItem } from '../parts/reading.js';

/** [totalSubsidio] The sum of quantity × (price without subsidy − price); null when no line has a subsidy. */
export function subsidyOf(items: readonly PreparedItem[]): Scaled | null {
  const subsidized = items.flatMap(({ quantity, unitPrice, unsubsidizedPrice }) =>
    unsubsidizedPrice === null ? [] : [quantity * (unsubsidizedPrice - unitPrice)],
  );
  return subsidized.length === 0 ? null : roundHalfUp(sum(subsidized), 2 * QUANTITY_SCALE, MONEY_SCALE);
}

/** The saving of the buyer by the subsidy, with its IVA, and the total of the invoice without the subsidy. */
export interface Saving {
  readonly saved: string;
  readonly fullTotal: string;
}

/**
 * The two figures that a RIDE has below the total; their difference is the total. Ficha técnica off-line v2.34, anexo 7.
 *
 * @returns null when no line has a subsidy, or an amount is not a number.
 */
export function savingOf(items: readonly ComprobanteItem[], total: string): Saving | null {
  try {
    // Some programs write 0 for a price without subsidy on every line.
    const savings = items.map(savingOfLine).filter((saving) => saving > 0n);
    if (savings.length === 0) return null;
    const saved = roundHalfUp(sum(savings), SAVING_SCALE, MONEY_SCALE);
    const full = parseMoney(writeAmount(total)) + saved;
    return { saved: formatMoney(saved), fullTotal: formatMoney(full) };
  } catch {
    return null;
  }
}

// --- internal ---

/** A quantity times a price times a factor in hundredths of a percent. */
const SAVING_SCALE = 2 * QUANTITY_SCALE + 4;
const WHOLE = 10_000n;

function savingOfLine({ quantity, unitPrice, unsubsidizedPrice, taxes }: ComprobanteItem): Scaled {
  if (unsubsidizedPrice === null) return 0n;
  const number = (text: string | null, scale: number) => parseDecimal(shortenDecimal(text ?? '0'), scale);
  const perUnit = number(unsubsidizedPrice, QUANTITY_SCALE) - number(unitPrice, QUANTITY_SCALE);
  const iva = taxes.filter(({ code }) => code === TAX.IVA).map(({ rate }) => number(rate, MONEY_SCALE));
  return number(quantity, QUANTITY_SCALE) * perUnit * (WHOLE + sum(iva));
}
