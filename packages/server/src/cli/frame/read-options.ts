import { translate } from 'sri-core';
import { type CliText, type CommandOption, readWhole, textOption, UsageError } from 'sri-core/cli';
import { findTenantByEmail } from '../../accounts/rows.js';
import { listTenants } from '../../operator/tenant-rows.js';
import { Refusal } from '../../platform/errors/refusal.js';
import type { Services } from '../../platform/http/services.js';
import { toUuid } from '../../platform/http/uuid.js';
import type { ServerCall } from './command.js';

/** The requested page of a list. */
export const PAGE_OPTIONS = {
  page: textOption('n', { es: 'Página, desde 1', en: 'Page, from 1' }),
  limit: textOption('n', { es: 'Líneas por página, hasta 100 (20)', en: 'Lines on a page, up to 100 (20)' }),
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The text of an option. @throws UsageError if it is missing */
export function requireText(name: string, text: string | null): string {
  if (text === null) throw new UsageError({ es: `Falta ${name}.`, en: `${name} is missing.` });
  return text;
}

/** One of a few words, in any case. @throws UsageError */
export function chooseFrom<const T extends string>(what: CliText, text: string, allowed: readonly T[]): T {
  const choice = allowed.find((entry) => entry.toLowerCase() === text.toLowerCase());
  if (choice === undefined)
    throw new UsageError({
      es: `${translate(what, 'es')} es uno de ${allowed.join(', ')}.`,
      en: `${translate(what, 'en')} is one of ${allowed.join(', ')}.`,
    });
  return choice;
}

/** An id. @throws UsageError */
export function requireId(what: CliText, text: string): string {
  const id = toUuid(text);
  if (!id)
    throw new UsageError({ es: `${translate(what, 'es')} es un UUID.`, en: `${translate(what, 'en')} is a UUID.` });
  return id;
}

/** The requested page of a list. @throws UsageError */
export function readPage({ options }: ServerCall<typeof PAGE_OPTIONS>): {
  readonly page: number;
  readonly limit: number;
} {
  return {
    page: readWhole('--page', options.page ?? '1', 1, 1_000_000),
    limit: readWhole('--limit', options.limit ?? '20', 1, 100),
  };
}

/** The account with the given id, RUC or e-mail address. @throws UsageError; Refusal NOT_FOUND */
export async function findTenantId({ database }: Services, text: string): Promise<string> {
  const id = toUuid(text);
  if (id) return id;
  if (text.includes('@')) {
    const tenant = await database.read((tables) => findTenantByEmail(tables, text));
    if (!tenant) throw new Refusal('NOT_FOUND');
    return tenant.id;
  }
  if (!/^\d{13}$/.test(text))
    throw new UsageError({
      es: 'Una cuenta se nombra por su id, su RUC o su correo.',
      en: 'An account is named by its id, its RUC or its e-mail address.',
    });
  const filter = { status: null, tier: null, ruc: text, email: null, page: 1, limit: 1 };
  const [tenant] = (await database.read((tables) => listTenants(tables, filter))).tenants;
  if (!tenant) throw new Refusal('NOT_FOUND');
  return tenant.id;
}
