import { TIERS } from '../accounts/index.js';
import { jsonChoice, jsonInteger } from '../platform/http/json-fields.js';
import { BILLING_INTERVALS } from './account.js';

const MOST_SEATS = 1000;
const PAID_TIERS = TIERS.filter((tier) => tier !== 'FREE');

/** The paid tier a body names; null when it is left out. */
export const paidTier = jsonChoice(PAID_TIERS, 'The plan.');

/** How often a body wants to pay; null when it is left out. */
export const billingInterval = jsonChoice(BILLING_INTERVALS, 'How often it is paid; default MONTHLY.');

/** How many extra seats a body wants; null when it is left out. */
export const extraSeats = jsonInteger({ min: 0, max: MOST_SEATS }, 'Further seats in the web application.');
