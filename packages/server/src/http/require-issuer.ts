import { findIssuer } from '../store/issuers.js';
import type { IssuerRecord } from '../tenancy/issuer-record.js';
import { requireFound } from '../tenancy/own-issuer.js';
import type { TenantContext } from '../tenancy/tenant.js';
import type { Exchange } from './exchange.js';

/** @throws Refusal: 404 when there is no such issuer, 403 when it is of another account. */
export async function requireIssuer(exchange: Exchange, context: TenantContext, id: string): Promise<IssuerRecord> {
  const { database, issuerReads } = exchange.services;
  const read = () => database.read((tables) => findIssuer(tables, context, id));
  return requireFound(await issuerReads.ask(`${context.tenant.id} ${id}`, read), 'broad');
}
