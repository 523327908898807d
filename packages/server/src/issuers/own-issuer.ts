import type { TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { IssuerRecord } from './issuer-record.js';
import { type FoundIssuer, findIssuer } from './rows.js';

/** How an issuer that cannot be had is refused: by the contract's broad codes, or by the finer ones alone. */
export type IssuerRefusals = 'broad' | 'fine';

/**
 * An issuer of the account, active unless a removed one is asked for.
 *
 * @throws Refusal: NOT_FOUND or ISSUER_NOT_FOUND when there is none, FORBIDDEN or ISSUER_FORBIDDEN when it is of
 * another account.
 */
export async function requireOwnIssuer(
  tables: Tables,
  context: TenantContext,
  id: string,
  options: { readonly refusals?: IssuerRefusals; readonly state?: 'active' | 'removed' } = {},
): Promise<IssuerRecord> {
  const { refusals = 'fine', state = 'active' } = options;
  return requireFound(await findIssuer(tables, context, id, state), refusals);
}

/** The issuer that was looked up. @throws Refusal, as `requireOwnIssuer` */
export function requireFound(found: FoundIssuer, refusals: IssuerRefusals): IssuerRecord {
  if (found.kind === 'own') return found.issuer;
  if (refusals === 'fine') throw new Refusal(found.kind === 'absent' ? 'ISSUER_NOT_FOUND' : 'ISSUER_FORBIDDEN');
  throw found.kind === 'absent'
    ? new Refusal('NOT_FOUND', { reason: 'ISSUER_NOT_FOUND' })
    : new Refusal('FORBIDDEN', { reason: 'ISSUER_FORBIDDEN' });
}
