import type { LocalizedText } from 'sri-core';
import { ServerAddressError } from '../errors.js';

/** The address of PostgreSQL: `postgres://user:password@host1:5432,host2:5432/database`. */
export interface ServerAddress {
  /** The address for each host alone, in the given order, as `pg` takes it. */
  readonly hosts: readonly [string, ...string[]];
  /** `?pgbouncer=true`: PgBouncer gives each transaction another connection. */
  readonly pgbouncer: boolean;
  /** Hosts and database, without user and password. */
  readonly place: string;
}

/**
 * Reads an address as libpq does: several hosts are separated by commas, and connections go to the host that takes writes.
 *
 * @throws ServerAddressError
 * @see PostgreSQL 18 documentation, §32.1.1.3 (several hosts) and §32.1.2 (target_session_attrs)
 */
export function parseServerAddress(text: string): ServerAddress {
  const [, scheme, user = '', authority = '', rest = ''] = FORM.exec(text) ?? [];
  if (scheme === undefined) throw new ServerAddressError(SHAPE);
  const names = authority.split(',');
  const pgbouncer = new Set<boolean>();
  const hosts = names.map((name) => {
    const url = readUrl(`${scheme}${user}${name}${rest}`);
    // Without a name it is this machine, or the folder of a socket; in a list a name was forgotten.
    if (names.length > 1 && url.hostname === '') throw new ServerAddressError(SHAPE);
    pgbouncer.add(takeParameters(url));
    return url.href;
  });
  const { pathname } = new URL(hosts[0] ?? '');
  return { hosts: hosts as [string, ...string[]], pgbouncer: pgbouncer.has(true), place: `${authority}${pathname}` };
}

// --- internal ---

/** Scheme, user and password, hosts, and what follows. */
const FORM = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/;

const SHAPE: LocalizedText = {
  es:
    'escriba postgres://usuario:clave@servidor:5432/base; varios servidores así: uno:5432,dos:5432. ' +
    'En el usuario o la clave escriba % # / ? : @ como %25 %23 %2F %3F %3A %40.',
  en:
    'give postgres://user:password@host:5432/database, several hosts as host1:5432,host2:5432. ' +
    'In a user or password, write % # / ? : @ as %25 %23 %2F %3F %3A %40.',
};

/** The library that opens the address parses it too, and its error shows the address. */
function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new ServerAddressError(SHAPE);
  const url = new URL(text);
  if (url.hash !== '') throw new ServerAddressError(SHAPE);
  try {
    for (const part of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(part);
    return url;
  } catch {
    throw new ServerAddressError(SHAPE);
  }
}

/** Checks our parameters and removes them. @returns whether PgBouncer is in between. */
function takeParameters(url: URL): boolean {
  const { searchParams } = url;
  const pgbouncer = searchParams.get('pgbouncer');
  if (pgbouncer !== null && pgbouncer !== 'true' && pgbouncer !== 'false')
    throw new ServerAddressError({
      es: 'escriba pgbouncer=true, o quítelo.',
      en: 'give pgbouncer=true, or leave it out.',
    });
  const target = searchParams.get('target_session_attrs');
  if (target !== null && target !== 'read-write' && target !== 'primary')
    throw new ServerAddressError({
      es: 'escriba target_session_attrs=read-write, o quítelo: el servidor escribe.',
      en: 'give target_session_attrs=read-write, or leave it out: the server writes.',
    });
  if (searchParams.get('host')?.includes(',') || searchParams.get('port')?.includes(','))
    throw new ServerAddressError({
      es: 'escriba varios servidores antes de la base: uno:5432,dos:5432.',
      en: 'give several hosts before the database: host1:5432,host2:5432.',
    });
  // Each transaction gets another session.
  if (pgbouncer === 'true' && (searchParams.has('options') || searchParams.has('statement_timeout')))
    throw new ServerAddressError({
      es: 'con pgbouncer=true quite options y statement_timeout: ALTER ROLE … SET los guarda en la base.',
      en: 'give no options and no statement_timeout with pgbouncer=true: ALTER ROLE … SET keeps them in the database.',
    });
  // `delete` also rewrites a query without the name.
  for (const name of ['pgbouncer', 'target_session_attrs']) if (searchParams.has(name)) searchParams.delete(name);
  return pgbouncer === 'true';
}
