import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CommandFailure } from 'sri-core/cli';
import { parseServerAddress, SCHEMA_NAME } from 'sri-storage-adapters';
import { quoteWord } from '../frame/shell-word.js';
import { describeFile, draftOf, type FileDigest, publish, refuseExisting } from './backup-file.js';

/**
 * Dumps a PostgreSQL database with PostgreSQL's own `pg_dump`, and checks that `pg_restore` can read the result. The
 * password is in the program's environment, never on its command line. Of several hosts it takes the one that takes writes.
 * @param schema the one that holds the server's tables.
 * @throws CommandFailure BACKUP_EXISTS; BACKUP_TOOL_MISSING without `pg_dump`; BACKUP_BEHIND_POOLER; BACKUP_FAILED with the program's message.
 */
export async function backupPostgres(
  databaseUrl: string,
  targetPath: string,
  { force, schema }: { readonly force: boolean; readonly schema: string },
): Promise<FileDigest & { readonly path: string }> {
  requireServerItself(databaseUrl);
  refuseExisting(targetPath, force);
  const draft = await draftOf(targetPath);
  const env = { ...process.env, ...connectionOf(databaseUrl) };
  try {
    await (await open(draft, 'wx', 0o600)).close();
    const only = onlySchema(schema);
    const byHand = dumpCommand(databaseUrl, '<file>', schema);
    await run('pg_dump', ['--format=custom', '--no-owner', ...only, `--file=${draft}`], env, byHand);
    await run('pg_restore', ['--list', draft], env, byHand);
    await publish(draft, targetPath, force);
    return { path: targetPath, ...(await describeFile(targetPath)) };
  } finally {
    await rm(draft, { force: true });
  }
}

/** The command that dumps a schema, without the password, which belongs into `~/.pgpass` or `PGPASSWORD`. */
export function dumpCommand(databaseUrl: string, targetPath: string, schema: string): string {
  const options = ['--format=custom', '--no-owner', ...onlySchema(schema)];
  return `pg_dump ${options.map(quoteWord).join(' ')} --file=${quoteWord(targetPath)} ${quoteWord(withoutPassword(databaseUrl))}`;
}

/**
 * The command that restores a dump into a database, without its password; `clean` drops existing objects.
 * @throws CommandFailure BACKUP_BEHIND_POOLER
 */
export function restoreCommand(databaseUrl: string, path: string, { clean }: { readonly clean: boolean }): string {
  requireServerItself(databaseUrl);
  const options = [
    '--exit-on-error',
    '--single-transaction',
    '--no-owner',
    ...(clean ? ['--clean', '--if-exists'] : []),
  ];
  return `pg_restore ${options.join(' ')} --dbname=${quoteWord(withoutPassword(databaseUrl))} ${quoteWord(path)}`;
}

// --- internal ---

const execute = promisify(execFile);

/** Both programs change the search path of their session, which PgBouncer passes on to other clients. */
function requireServerItself(databaseUrl: string): void {
  if (!parseServerAddress(databaseUrl).pgbouncer) return;
  throw new CommandFailure('BACKUP_BEHIND_POOLER', {
    es: 'pg_dump y pg_restore no trabajan por PgBouncer: ponga en DATABASE_URL el servidor mismo, sin pgbouncer=true.',
    en: 'pg_dump and pg_restore do not work through PgBouncer: give the server itself in DATABASE_URL, without pgbouncer=true.',
  });
}

/** Every new database has a schema `public`, so a dump that names it could not be restored into one. */
function onlySchema(schema: string): readonly string[] {
  if (schema === 'public') return [];
  // The option takes a pattern, in which other letters are folded unless they are quoted.
  return [`--schema=${SCHEMA_NAME.test(schema) ? schema : `"${schema.replaceAll('"', '""')}"`}`];
}

async function run(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  byHand: string,
): Promise<void> {
  try {
    await execute(program, [...args], { env, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === 'ENOENT') {
      throw new CommandFailure('BACKUP_TOOL_MISSING', {
        es: `No se encontró ${program}. En PostgreSQL un respaldo se hace con sus propias herramientas: ${byHand}`,
        en: `${program} was not found. On PostgreSQL a backup is made with its own tools: ${byHand}`,
      });
    }
    const failure = `${program}: ${(stderr ?? '').trim().slice(0, 1000)}`;
    throw new CommandFailure('BACKUP_FAILED', {
      es: `${failure}\nA mano: ${byHand}`,
      en: `${failure}\nBy hand: ${byHand}`,
    });
  }
}

/** libpq's own variables, so that nothing secret is on a command line. */
function connectionOf(databaseUrl: string): NodeJS.ProcessEnv {
  const hosts = parseServerAddress(databaseUrl).hosts.map((host) => new URL(host));
  const { username, password, pathname, searchParams } = hosts[0] as URL;
  // The driver takes these from the query first.
  const [user, secret] = [
    searchParams.get('user') ?? decodeURIComponent(username),
    searchParams.get('password') ?? decodeURIComponent(password),
  ];
  const host = searchParams.get('host') ?? hosts.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '')).join();
  const ports = hosts.some((each) => each.port) ? hosts.map((each) => each.port).join() : '';
  const port = searchParams.get('port') ?? ports;
  const sslMode = sslModeOf(searchParams);
  const others = Object.entries(VARIABLES).flatMap(([name, variable]) => {
    const value = searchParams.get(name);
    return value ? [[variable, value]] : [];
  });
  return {
    PGHOST: host,
    ...(port ? { PGPORT: port } : {}),
    ...(hosts.length > 1 ? { PGTARGETSESSIONATTRS: 'read-write' } : {}),
    ...(user ? { PGUSER: user } : {}),
    ...(secret ? { PGPASSWORD: secret } : {}),
    ...(pathname.length > 1 ? { PGDATABASE: decodeURIComponent(pathname.slice(1)) } : {}),
    ...(sslMode ? { PGSSLMODE: sslMode } : {}),
    ...Object.fromEntries(others),
  };
}

/** Options that libpq takes as the driver does, and its variables. */
const VARIABLES = {
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  channel_binding: 'PGCHANNELBINDING',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
} as const;
/** Options that libpq knows, without the password. */
const LIBPQ: ReadonlySet<string> = new Set(['user', 'host', 'port', 'sslmode', ...Object.keys(VARIABLES)]);

/** `no-verify` is the driver's own word. */
function sslModeOf(options: URLSearchParams): string | null {
  const mode = options.get('sslmode');
  return mode === 'no-verify' ? 'require' : mode;
}

/** Of the driver's options, those that libpq rejects are left out. For several hosts it connects to the one that takes writes. */
function withoutPassword(databaseUrl: string): string {
  const [url, ...others] = parseServerAddress(databaseUrl).hosts.map((host) => new URL(host));
  if (!url) return databaseUrl;
  const options = url.searchParams;
  const sslMode = sslModeOf(options);
  if (sslMode) options.set('sslmode', sslMode);
  for (const name of new Set(options.keys())) if (!LIBPQ.has(name)) options.delete(name);
  if (others.length > 0) options.set('target_session_attrs', 'read-write');
  // libpq does not read a plus sign as a space.
  url.search = url.search.replaceAll('+', '%20');
  url.password = '';
  if (others.length === 0) return url.href;
  const user = url.username ? `${url.username}@` : '';
  return `${url.protocol}//${user}${[url, ...others].map(({ host }) => host).join()}${url.pathname}${url.search}`;
}
