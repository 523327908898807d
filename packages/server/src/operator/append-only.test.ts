import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { systemClock } from 'sri-core';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.js';
import { openDatabase } from '../open-database.js';
import { everyDatabaseKind } from '../testing/test-databases.js';

const serverUrl = (await everyDatabaseKind()).find((kind) => kind.serverUrl !== null)?.serverUrl ?? null;

describe.skipIf(serverUrl === null)('an engine that refuses triggers', () => {
  const name = `refusing_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(serverUrl ?? 'postgres://h');
  url.pathname = `/${name}`;
  const run = async (place: string, statement: string) => {
    const client = new Client({ connectionString: place });
    await client.connect();
    return client.query(statement).finally(() => client.end());
  };
  afterEach(() => run(serverUrl ?? '', `drop database ${name} with (force)`));

  it.each([
    // The error of Citus for a table in a distributed schema.
    { says: 'triggers are not supported on distributed tables', migrated: true },
    { says: 'something else', migrated: false },
  ])('an engine that refuses triggers with "$says" is migrated: $migrated', async ({ says, migrated }) => {
    await run(serverUrl ?? '', `create database ${name}`);
    await run(
      url.href,
      `create schema engine;
       create function engine.refuse() returns event_trigger language plpgsql as
         $$ begin raise exception '${says}' using errcode = 'internal_error'; end $$;
       create event trigger refuse on ddl_command_end when tag in ('CREATE TRIGGER')
         execute function engine.refuse()`,
    );
    const config = readConfig({ DATABASE_URL: url.href, DATABASE_SCHEMA: 'celda_norte' });
    const opened = await openDatabase(config, systemClock).catch((error: Error) => error);
    if (opened instanceof Error) {
      expect([opened.message, migrated]).toEqual([says, false]);
      return;
    }
    expect(migrated).toBe(true);
    await opened.check();
    await opened.close();
    const { rows } = await run(url.href, 'select tgname from pg_trigger where not tgisinternal');
    expect(rows).toEqual([]);
  });
});
