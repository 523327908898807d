import { sql } from 'kysely';

/** First digits that the totals of a block share. */
const SHOWN_DIGITS = 3;

/**
 * The block of a total: how many digits its cents have, then the first three of them. 112.50 is in `05112`, with the totals
 * from 112.00 to 112.99. Blocks sort as their totals do.
 */
export function totalBlock(cents: number): string {
  const digits = String(cents);
  return String(digits.length).padStart(2, '0') + digits.slice(0, SHOWN_DIGITS);
}

/** `totalBlock` of a row of `sri_documents`. */
export const blockOfTotal = sql`substr(cast(100 + length(cast(total_cents as text)) as text), 2)
  || substr(cast(total_cents as text), 1, ${sql.lit(SHOWN_DIGITS)})`;

/** The lowest and the highest cents of the block that a total is in. */
export function endsOfBlock(cents: number): { readonly lowest: number; readonly highest: number } {
  const unit = 10 ** Math.max(0, String(cents).length - SHOWN_DIGITS);
  const lowest = Math.floor(cents / unit) * unit;
  return { lowest, highest: lowest + unit - 1 };
}
