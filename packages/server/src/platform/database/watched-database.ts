import type { ServerDatabase } from './tables.js';

/**
 * The same database, which tells of each write of this process before whoever asked for it learns that it has ended.
 * Writes that failed are told of too, since some may have been stored all the same.
 */
export function watchWrites(database: ServerDatabase, ended: () => void): ServerDatabase {
  return {
    ...database,
    transaction: (work) => database.transaction(work).finally(ended),
    changeDocument: (change, also) => database.changeDocument(change, also).finally(ended),
  };
}
