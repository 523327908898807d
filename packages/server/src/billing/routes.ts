import { type InternalRoute, internal, type TenantRoute, tenant } from '../accounts/index.js';
import { type PublicRoute, publicly } from '../platform/http/route.js';
import {
  deletePayment,
  deleteProof,
  getPayment,
  getPayments,
  getProof,
  getProofs,
  patchProof,
} from './payment-handlers.js';
import {
  deleteSubscription,
  getSubscriptions,
  postSeats,
  postSubscription,
  postTierChange,
} from './subscription-handlers.js';
import { getTiers } from './tier-handlers.js';

/** Routes about plans, subscriptions and payments. */
export const BILLING_ROUTES: readonly (InternalRoute | PublicRoute | TenantRoute)[] = [
  publicly('GET', '/v1/tiers', getTiers),
  tenant('GET', '/v1/subscriptions/me', 'billing:manage', getSubscriptions),
  internal('POST', '/v1/subscriptions', 'billing:manage', postSubscription, { pastDue: 'served' }),
  internal('POST', '/v1/subscriptions/change-tier', 'billing:manage', postTierChange),
  internal('POST', '/v1/subscriptions/seats', 'billing:manage', postSeats),
  internal('DELETE', '/v1/subscriptions', 'billing:manage', deleteSubscription),
  internal('GET', '/v1/payments', 'billing:manage', getPayments),
  internal('GET', '/v1/payments/:id', 'billing:manage', getPayment),
  internal('DELETE', '/v1/payments/:id', 'billing:manage', deletePayment),
  internal('PATCH', '/v1/payments/:id/proof', 'billing:manage', patchProof, { pastDue: 'served', slots: 'uploading' }),
  tenant('GET', '/v1/payments/:id/proofs', 'billing:manage', getProofs),
  tenant('GET', '/v1/payments/:id/proofs/:proofId', 'billing:manage', getProof),
  internal('DELETE', '/v1/payments/:id/proofs/:proofId', 'billing:manage', deleteProof),
];
