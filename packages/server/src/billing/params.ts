import { TIERS } from '../accounts/index.js';
import { choice, integer } from '../platform/http/fields.js';
import { BILLING_INTERVALS } from './account.js';

const MOST_SEATS = 1000;
const PAID_TIERS = TIERS.filter((tier) => tier !== 'FREE');

/** The paid tier of a body; null when omitted. */
export const paidTier = choice(PAID_TIERS, 'The plan.');

/** The interval of a body; null when omitted. */
export const billingInterval = choice(BILLING_INTERVALS, 'How often it is paid; default MONTHLY.');

/** The number of extra seats of a body; null when omitted. */
export const extraSeats = integer({ min: 0, max: MOST_SEATS }, 'Further seats in the web application.');
