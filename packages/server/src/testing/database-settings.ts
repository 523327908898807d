/**
 * The settings of a server on a test's database. Its schema, an option of the address, becomes `DATABASE_SCHEMA`.
 * @param databaseUrl null for a file in the server's own data directory.
 */
export function databaseSettings(databaseUrl: string | null | undefined): Record<string, string> {
  if (!databaseUrl) return {};
  if (!databaseUrl.includes('search_path')) return { DATABASE_URL: databaseUrl };
  const url = new URL(databaseUrl);
  const schema = /search_path=(\w+)/.exec(url.searchParams.get('options') ?? '')?.[1];
  url.searchParams.delete('options');
  return { DATABASE_URL: url.href, ...(schema === undefined ? {} : { DATABASE_SCHEMA: schema }) };
}
