import { timingSafeEqual } from 'node:crypto';
import type { Random } from 'sri-core';
import { hasAccounts } from '../accounts/index.js';
import type { Services } from '../platform/http/services.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** The token in the first link of a fresh server. */
    readonly firstToken: string;
  }
}

/** A token of a process: 32 characters. */
export function createFirstToken(random: Random): string {
  return Buffer.from(random.bytes(24)).toString('base64url');
}

/**
 * The link that opens the console of a server without accounts, and creates the first one. It is valid until an account
 * exists or the process ends. Null in production, with an account, or without a console.
 */
export async function firstLink(services: Services, url: string): Promise<string | null> {
  return (await isFresh(services)) ? `${url}/console/start#${services.firstToken}` : null;
}

/** Whether the token is that of the first link, and the link is still valid. */
export async function opensFirstLink(services: Services, token: string): Promise<boolean> {
  const [given, own] = [Buffer.from(token), Buffer.from(services.firstToken)];
  const isOwn = given.byteLength === own.byteLength && timingSafeEqual(given, own);
  return isOwn && isFresh(services);
}

// --- internal ---

async function isFresh({ config, database }: Services): Promise<boolean> {
  if (config.production || config.readOnly || !config.console) return false;
  return !(await database.read(hasAccounts));
}
