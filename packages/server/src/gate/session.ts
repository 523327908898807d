import type { Exchange } from '../platform/http/exchange.js';
import { equalsSecret } from '../platform/secrets/equals-secret.js';
import { endSession, isSessionEnded } from './session-rows.js';

/** A browser's session with its keys. The browser's cookie contains it, sealed; the server stores ended sessions. */
export interface Session {
  /** A UUID. */
  readonly id: string;
  /** The keys, the newest first. */
  readonly keys: readonly HeldKey[];
  /** The token that changes carry. */
  readonly csrf: string;
  /** When it began, in milliseconds. */
  readonly since: number;
  /** When it was last renewed, in milliseconds. */
  readonly seen: number;
}

/** A key of a session: its id, and the digest that finds it. Its token is not kept. */
export interface HeldKey {
  readonly id: string;
  readonly hash: string;
}

/** The session in the cookie of a request; null without one, after its time, or after it was signed out. */
export async function readSession(exchange: Exchange): Promise<Session | null> {
  const { config, vault, clock, database } = exchange.services;
  if (!config.console) return null;
  const [, token] = new RegExp(`(?:^|; ?)${cookieName(exchange)}=([\\w.-]{1,4000})(?:;|$)`).exec(
    exchange.header('cookie') ?? '',
  ) ?? [null, null];
  const content = token && vault.openToken(token, PURPOSE);
  if (!content) return null;
  const session = JSON.parse(content.toString('utf8')) as Session;
  const now = clock.now().getTime();
  if (now - session.seen >= IDLE_MS || now - session.since >= LONGEST_MS) return null;
  return (await database.read((tables) => isSessionEnded(tables, session.id))) ? null : session;
}

/**
 * The digest of the key for a request with a cookie: the key it names, else the newest. Null without a session, for a
 * key outside the session, and for a change without the session's token.
 */
export async function keyOfSession(exchange: Exchange): Promise<string | null> {
  const session = await readSession(exchange);
  if (!session || (isChange(exchange) && !hasCsrfToken(exchange, session))) return null;
  const wanted = exchange.header('x-console-key');
  const held = wanted === null ? session.keys[0] : session.keys.find(({ id }) => id === wanted);
  return held?.hash ?? null;
}

/** Whether a request carries the token of its session. */
export function hasCsrfToken(exchange: Exchange, { csrf }: Session): boolean {
  return equalsSecret(csrf, exchange.header('x-csrf-token') ?? '');
}

/**
 * Ends a session, so that a copy of its cookie opens nothing.
 * @returns false when a simultaneous request ended it: only one of them may go on with its keys.
 */
export function signOut({ services: { database } }: Exchange, { id, since }: Session): Promise<boolean> {
  return database.transaction((tables) => endSession(tables, id, since + LONGEST_MS));
}

/** The `Set-Cookie` header that keeps a session; null ends it. */
export function sessionCookie(exchange: Exchange, session: Session | null): string {
  const value = session ? exchange.services.vault.sealToken(Buffer.from(JSON.stringify(session)), PURPOSE) : '';
  const age = session ? LONGEST_MS / 1000 : 0;
  const secure = isSecure(exchange) ? '; Secure' : '';
  return `${cookieName(exchange)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`;
}

// --- internal ---

const PURPOSE = 'console session';
const HOUR_MS = 3_600_000;
/** Twelve hours without use, thirty days at most. */
const IDLE_MS = 12 * HOUR_MS;
const LONGEST_MS = 30 * 24 * HOUR_MS;

function isChange({ method }: Exchange): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Browsers accept a cookie of that prefix only from its own host, over TLS. */
function cookieName(exchange: Exchange): string {
  return isSecure(exchange) ? '__Host-sri_console' : 'sri_console';
}

/** Everywhere but on the machine itself, which browsers reach without TLS. */
function isSecure(exchange: Exchange): boolean {
  return !/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(exchange.header('host') ?? '');
}
