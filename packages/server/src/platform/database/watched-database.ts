import type { ServerDatabase } from './tables.js';

/**
 * The same database, which reports each write of this process before its caller gets the result. Failed writes are
 * reported too, since some may be stored all the same.
 */
export function watchWrites(database: ServerDatabase, ended: () => void): ServerDatabase {
  return {
    ...database,
    transaction: (work) => database.transaction(work).finally(ended),
    changeDocument: (change, also) => database.changeDocument(change, also).finally(ended),
  };
}
