import { storageConformance } from 'sri-core/testing';
import { describe, it } from 'vitest';
import { createPostgresDatabase, findPostgres } from './testing/test-databases.js';

const postgres = await findPostgres();
const url = 'url' in postgres ? postgres.url : '';

describe.skipIf('reason' in postgres)('PostgreSQL storage', () => {
  it.each(storageConformance)('$name', async ({ run }) => {
    const database = await createPostgresDatabase(url);
    try {
      await run(() => database.open());
    } finally {
      await database.close();
    }
  });
});
