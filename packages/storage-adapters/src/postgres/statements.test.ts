import { describe, expect, it } from 'vitest';
import { createStatementNames } from './statements.js';

describe('names of prepared statements', () => {
  it.each([
    { name: 'a read by key', sql: 'select "id" from "sri_documents" where "id" = $1', parameters: 1, prepared: true },
    {
      name: 'a write',
      sql: 'update "sri_jobs" set "status" = $1 where "document_id" = $2',
      parameters: 2,
      prepared: true,
    },
    {
      name: 'a search',
      sql: 'select "id" from "sri_documents" order by "id" limit $1',
      parameters: 1,
      prepared: false,
    },
    {
      name: 'a count',
      sql: 'select count(*) as "total" from "sri_documents" where "status" = $1',
      parameters: 1,
      prepared: false,
    },
    {
      name: 'every column there is',
      sql: 'select * from "sri_jobs" where "document_id" = $1',
      parameters: 1,
      prepared: false,
    },
    {
      name: 'rows that are locked in order',
      sql: 'select id from sri_documents where id = any ($1) order by id for no key update',
      parameters: 1,
      prepared: true,
    },
    {
      name: 'a write after such a lock',
      sql: 'with held as (select id from sri_documents order by id for no key update of sri_documents) insert into sri_events values ($1)',
      parameters: 1,
      prepared: true,
    },
    {
      name: 'writes within another',
      sql: 'with write_1 as (insert into sri_events values ($1)) insert into sri_responses values ($2)',
      parameters: 2,
      prepared: true,
    },
    {
      name: 'a search that goes from row to row',
      sql: ' with recursive turns as (select $1) select turn from turns',
      parameters: 1,
      prepared: false,
    },
    { name: 'a large batch', sql: 'insert into "sri_events" values ($1)', parameters: 101, prepared: false },
    { name: 'no parameters', sql: 'begin', parameters: 0, prepared: false },
  ])('decides whether a statement is prepared: $name', ({ sql, parameters, prepared }) => {
    const names = createStatementNames();
    expect(names.nameOf(sql, parameters) !== undefined).toBe(prepared);
  });

  it('gives the same text the same name everywhere, within the limit of PostgreSQL', () => {
    const sql = 'select "id" from "sri_documents" where "id" = $1';
    const name = createStatementNames().nameOf(sql, 1);
    expect(createStatementNames().nameOf(sql, 1)).toBe(name);
    expect(createStatementNames().nameOf(`${sql} `, 1)).not.toBe(name);
    expect(name?.length).toBeLessThan(63);
  });

  it('gives no more names when there are too many', () => {
    const names = createStatementNames();
    for (let n = 0; n < 200; n += 1) names.nameOf(`select ${n} where 1 = $1`, 1);
    expect(names.nameOf('select 200 where 1 = $1', 1)).toBeUndefined();
    expect(names.occupancy()).toEqual({ used: 200, limit: 200 });
    expect(names.nameOf('select 0 where 1 = $1', 1)).toBeDefined();
  });
});
