import { getAudit } from './audit-handlers.js';
import { getJobs, postRetry } from './job-handlers.js';
import type { OperatorRoute } from './operator-route.js';
import {
  getPayments,
  getProof,
  getProofs,
  getUninvoiced,
  patchInvoice,
  patchRefund,
  patchReview,
} from './payment-handlers.js';
import { deletePrice, getPrices, postAgreement, postPrice } from './publishing-handlers.js';
import {
  getEvents,
  getTenants,
  patchStatus,
  patchTier,
  postPromotion,
  postRelease,
  postVerification,
} from './tenant-handlers.js';

/** Every route of the operator. They exist only where a token is configured. */
export const ADMIN_ROUTES: readonly OperatorRoute[] = [
  route('GET', 'tenants', getTenants),
  route('GET', 'tenants/:id/events', getEvents),
  route('PATCH', 'tenants/:id/status', patchStatus),
  route('PATCH', 'tenants/:id/tier', patchTier),
  route('POST', 'tenants/:id/verify', postVerification),
  route('POST', 'tenants/:id/release', postRelease),
  route('POST', 'tenants/:id/promote', postPromotion),
  route('GET', 'payments', getPayments),
  route('GET', 'payments/:id/proofs', getProofs),
  route('GET', 'payments/:id/proofs/:proofId', getProof),
  route('PATCH', 'payments/:id/review', patchReview),
  route('PATCH', 'payments/:id/refund', patchRefund),
  route('PATCH', 'subscriptions/:id/link-invoice', patchInvoice),
  route('GET', 'invoicing/pending', getUninvoiced),
  route('POST', 'agreements', postAgreement),
  route('GET', 'prices', getPrices),
  route('POST', 'prices', postPrice),
  route('DELETE', 'prices/:id', deletePrice),
  route('GET', 'jobs', getJobs),
  route('POST', 'jobs/:id/retry', postRetry),
  route('GET', 'audit', getAudit),
];

// --- internal ---

function route(method: OperatorRoute['method'], path: string, handler: OperatorRoute['handler']): OperatorRoute {
  return { method, path: `/v1/admin/${path}`, access: 'admin', limit: null, handler };
}
