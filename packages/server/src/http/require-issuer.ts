import { Refusal } from '../errors.js';
import { findIssuer } from '../store/issuers.js';
import type { IssuerRecord } from '../tenancy/issuer-record.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Exchange } from './exchange.js';

/** @throws Refusal: 404 when there is no such issuer, 403 when it is of another account. */
export async function requireIssuer(exchange: Exchange, context: TenantContext, id: string): Promise<IssuerRecord> {
  const found = await exchange.services.database.read((tables) => findIssuer(tables, context, id));
  if (found.kind === 'own') return found.issuer;
  throw found.kind === 'absent'
    ? new Refusal('NOT_FOUND', { reason: 'ISSUER_NOT_FOUND' })
    : new Refusal('FORBIDDEN', { reason: 'ISSUER_FORBIDDEN' });
}
