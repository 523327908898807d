import type { TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Exchange } from '../platform/http/exchange.js';
import type { IssuerRecord } from './issuer-record.js';
import { type FoundIssuer, findIssuer, foundFor, type IssuerState } from './rows.js';

/** The error codes for an unavailable issuer: the general codes of the contract, or the specific codes. */
export type IssuerRefusals = 'broad' | 'fine';

/**
 * An active issuer of the account, or on request a removed one, or either.
 *
 * @throws Refusal: NOT_FOUND or ISSUER_NOT_FOUND when there is no such issuer, FORBIDDEN or ISSUER_FORBIDDEN when it is
 *   of another account.
 */
export async function requireOwnIssuer(
  tables: Tables,
  context: TenantContext,
  id: string,
  options: { readonly refusals?: IssuerRefusals; readonly state?: IssuerState } = {},
): Promise<IssuerRecord> {
  const { refusals = 'fine', state = 'active' } = options;
  return requireFound(await findIssuer(tables, context, id, state), refusals);
}

/** @throws Refusal: 404 for an unknown issuer, 403 for an issuer of another account. */
export async function requireIssuer(exchange: Exchange, context: TenantContext, id: string): Promise<IssuerRecord> {
  const issuer = await exchange.services.issuerReads.ask(id);
  return requireFound(foundFor(context, issuer), 'broad');
}

// --- internal ---

/** The issuer of a look-up. @throws Refusal, as `requireOwnIssuer` */
function requireFound(found: FoundIssuer, refusals: IssuerRefusals): IssuerRecord {
  if (found.kind === 'own') return found.issuer;
  if (refusals === 'fine') throw new Refusal(found.kind === 'absent' ? 'ISSUER_NOT_FOUND' : 'ISSUER_FORBIDDEN');
  throw found.kind === 'absent'
    ? new Refusal('NOT_FOUND', { reason: 'ISSUER_NOT_FOUND' })
    : new Refusal('FORBIDDEN', { reason: 'ISSUER_FORBIDDEN' });
}
