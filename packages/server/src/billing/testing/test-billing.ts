import { MONEY_SCALE, parseDecimal } from 'sri-core';
import type { Prices } from '../pricing.js';

/** The built-in prices: 20, 90 and 230 dollars a month, ten months for a year, 5 dollars a seat. */
export const testPrices: Prices = {
  tier(tier, interval) {
    const monthly = { FREE: null, STARTER: '20.00', GROWTH: '90.00', BUSINESS: '230.00' }[tier];
    return monthly === null ? null : parseDecimal(monthly, MONEY_SCALE) * (interval === 'YEARLY' ? 10n : 1n);
  },
  seat: (_, interval) => (interval === 'YEARLY' ? 5000n : 500n),
};
