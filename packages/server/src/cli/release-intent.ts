import { findTenant } from '../accounts/rows.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Services } from '../platform/http/services.js';
import type { Intent } from './frame/confirmation.js';

/** What releasing an account means. */
export async function describeRelease({ database }: Services, tenantId: string): Promise<Intent> {
  const tenant = await database.read((tables) => findTenant(tables, tenantId));
  if (!tenant) throw new Refusal('NOT_FOUND');
  return {
    told: [
      {
        es: `La cuenta ${tenant.email}, RUC ${tenant.ruc}, se cierra: sus claves y enlaces dejan de servir y sus correos no salen.`,
        en: `The account ${tenant.email}, RUC ${tenant.ruc}, is closed: its keys and links end, and its mails are not sent.`,
      },
      {
        es: 'Otra cuenta podrá registrarse con ese RUC y ese correo.',
        en: 'Another account can register with that RUC and that address.',
      },
    ],
    word: tenant.ruc,
  };
}
