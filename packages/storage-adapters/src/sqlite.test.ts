import { storageConformance } from 'sri-core/testing';
import { describe, it } from 'vitest';
import { createSqliteDatabase } from './testing/test-databases.js';

describe('SQLite storage', () => {
  it.each(storageConformance)('$name', async ({ run }) => {
    const database = await createSqliteDatabase();
    try {
      await run(() => database.open());
    } finally {
      await database.close();
    }
  });
});
