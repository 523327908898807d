import { Refusal } from '../errors.js';
import { toUuid } from '../http/uuid.js';
import type { Services } from '../services.js';
import { listTenants } from '../store/operator-tenants.js';
import { findTenantByEmail } from '../store/tenants.js';
import { type CommandCall, type CommandOption, UsageError } from './command.js';

/** Which page of a list. */
export const PAGE_OPTIONS = {
  page: { type: 'string', value: 'n', description: 'Page, from 1' },
  limit: { type: 'string', value: 'n', description: 'Lines on a page, up to 100 (20)' },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** An argument by its place. @throws UsageError */
export function readArgument({ args }: CommandCall, place: number): string {
  const text = args[place];
  if (text === undefined) throw new UsageError('An argument is missing.');
  return text;
}

/** An option's text; null when it was not given. */
export function readText({ options }: CommandCall, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

/** An option's text. @throws UsageError when it was not given */
export function requireText(call: CommandCall, name: string): string {
  const text = readText(call, name);
  if (text === null) throw new UsageError(`--${name} is missing.`);
  return text;
}

/** One of a few words, in whatever case. @throws UsageError */
export function chooseFrom<const T extends string>(what: string, text: string, allowed: readonly T[]): T {
  const choice = allowed.find((entry) => entry.toLowerCase() === text.toLowerCase());
  if (choice === undefined) throw new UsageError(`${what} is one of ${allowed.join(', ')}.`);
  return choice;
}

/** An id. @throws UsageError */
export function requireId(what: string, text: string): string {
  const id = toUuid(text);
  if (!id) throw new UsageError(`${what} is a UUID.`);
  return id;
}

/** Which page of a list is wanted. @throws UsageError */
export function readPage(call: CommandCall): { readonly page: number; readonly limit: number } {
  return { page: readNumber(call, 'page', 1, 1_000_000), limit: readNumber(call, 'limit', 20, 100) };
}

/** The account somebody names by its id, its RUC or its e-mail address. @throws UsageError; Refusal NOT_FOUND */
export async function findTenantId({ database }: Services, text: string): Promise<string> {
  const id = toUuid(text);
  if (id) return id;
  if (text.includes('@')) {
    const tenant = await database.read((tables) => findTenantByEmail(tables, text));
    if (!tenant) throw new Refusal('NOT_FOUND');
    return tenant.id;
  }
  if (!/^\d{13}$/.test(text)) throw new UsageError('An account is named by its id, its RUC or its e-mail address.');
  const filter = { status: null, tier: null, ruc: text, email: null, page: 1, limit: 1 };
  const [tenant] = (await database.read((tables) => listTenants(tables, filter))).tenants;
  if (!tenant) throw new Refusal('NOT_FOUND');
  return tenant.id;
}

// --- internal ---

function readNumber(call: CommandCall, name: string, fallback: number, max: number): number {
  const text = readText(call, name);
  if (text === null) return fallback;
  const number = Number(text);
  if (!/^\d{1,7}$/.test(text) || number < 1 || number > max) {
    throw new UsageError(`--${name} is a whole number from 1 to ${max}.`);
  }
  return number;
}
