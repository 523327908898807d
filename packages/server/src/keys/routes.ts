import { type TenantRoute, tenant } from '../accounts/index.js';
import { deleteKey, getKeys, getKeyUsage, postKey } from './handlers.js';

/** Routes about API keys. */
export const KEYS_ROUTES: readonly TenantRoute[] = [
  tenant('GET', '/v1/keys', 'keys:manage', getKeys),
  tenant('POST', '/v1/keys', 'keys:manage', postKey),
  tenant('DELETE', '/v1/keys/:id', 'keys:manage', deleteKey, { unverified: 'served' }),
  tenant('GET', '/v1/keys/:id/usage', 'keys:manage', getKeyUsage),
];
