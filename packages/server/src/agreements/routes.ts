import { type InternalRoute, internal, type TenantRoute, tenant } from '../accounts/index.js';
import { type PublicRoute, publicly } from '../platform/http/route.js';
import {
  getAgreement,
  getAgreementHistory,
  getAgreements,
  getPublishedAgreement,
  listPublishedAgreements,
  postAgreements,
} from './handlers.js';

/** Routes about agreements. */
export const AGREEMENTS_ROUTES: readonly (InternalRoute | PublicRoute | TenantRoute)[] = [
  tenant('GET', '/v1/tenants/agreements', null, getAgreements),
  internal('POST', '/v1/tenants/agreements', 'tenant:manage', postAgreements),
  tenant('GET', '/v1/tenants/agreements/history', null, getAgreementHistory),
  tenant('GET', '/v1/tenants/agreements/:type', null, getAgreement),
  publicly('GET', '/v1/agreements', listPublishedAgreements),
  publicly('GET', '/v1/agreements/:type', getPublishedAgreement),
];
