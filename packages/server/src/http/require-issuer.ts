import type { IssuerRecord } from '../tenancy/issuer-record.js';
import { requireOwnIssuer } from '../tenancy/own-issuer.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Exchange } from './exchange.js';

/** @throws Refusal: 404 when there is no such issuer, 403 when it is of another account. */
export function requireIssuer(exchange: Exchange, context: TenantContext, id: string): Promise<IssuerRecord> {
  return exchange.services.database.read((tables) => requireOwnIssuer(tables, context, id, { refusals: 'broad' }));
}
