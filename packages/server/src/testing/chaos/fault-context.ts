import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSchema } from '../test-databases.js';
import type { ChaosDatabase, FaultContext } from './fault.js';

/** A separate place for one fault, to be removed afterwards. */
export interface MadeContext extends Pick<FaultContext, 'database' | 'databaseUrl' | 'dataDirectory'> {
  remove(): Promise<void>;
}

/**
 * Makes an empty place: a folder, and in it a SQLite file; or a schema of the PostgreSQL at that address.
 *
 * @param postgresUrl null for a place with a SQLite file.
 */
export async function makeFaultContext(database: ChaosDatabase, postgresUrl: string | null): Promise<MadeContext> {
  const folder = await mkdtemp(join(tmpdir(), 'sri-chaos-'));
  const dropFolder = () => rm(folder, { recursive: true, force: true });
  const dataDirectory = join(folder, 'data');
  if (database === 'sqlite') {
    return { database, databaseUrl: `file:${join(folder, 'app.db')}`, dataDirectory, remove: dropFolder };
  }
  if (postgresUrl === null) throw new Error('There is no PostgreSQL here.');
  const schema = await createSchema(postgresUrl);
  return {
    database,
    databaseUrl: schema.url,
    dataDirectory,
    async remove() {
      await schema.remove();
      await dropFolder();
    },
  };
}
