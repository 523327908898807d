import type { TenantContext } from '../accounts/index.js';
import type { Exchange } from '../platform/http/exchange.js';
import type { IssuerRecord } from './issuer-record.js';
import { requireFound } from './own-issuer.js';
import { foundFor } from './rows.js';

/** @throws Refusal: 404 when there is no such issuer, 403 when it is of another account. */
export async function requireIssuer(exchange: Exchange, context: TenantContext, id: string): Promise<IssuerRecord> {
  const issuer = await exchange.services.issuerReads.ask(id);
  return requireFound(foundFor(context, issuer), 'broad');
}
