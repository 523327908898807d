import { TIERS } from '../accounts/index.js';
import { jsonChoice, jsonInteger } from '../platform/http/json-fields.js';
import { BILLING_INTERVALS } from './account.js';

const MOST_SEATS = 1000;
const PAID_TIERS = TIERS.filter((tier) => tier !== 'FREE');

/** The paid tier of a body; null when omitted. */
export const paidTier = jsonChoice(PAID_TIERS, 'The plan.');

/** The interval of a body; null when omitted. */
export const billingInterval = jsonChoice(BILLING_INTERVALS, 'How often it is paid; default MONTHLY.');

/** The number of extra seats of a body; null when omitted. */
export const extraSeats = jsonInteger({ min: 0, max: MOST_SEATS }, 'Further seats in the web application.');
