import { Pool } from 'pg';
import type { KyselyStorage } from '../kysely-storage.js';
import { createPostgresStorage } from '../postgres/postgres.js';
import { createSqliteStorage, openSqlite } from '../sqlite/sqlite.js';

/** Opens a storage on a path or a connection string, for a separate test process. */
export async function openStorage(place: string): Promise<KyselyStorage> {
  if (!place.startsWith('postgres:')) return createSqliteStorage({ database: await openSqlite(place) });
  return createPostgresStorage({ pool: new Pool({ connectionString: place, max: 4, allowExitOnIdle: true }) });
}
