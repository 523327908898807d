import { type Selectable, sql, type Updateable } from 'kysely';
import type { CoreTables } from 'sri-storage-adapters';
import type { ServerTables } from '../platform/database/tables.js';
import type { TestServer } from './test-server.js';
import type { TestTenant } from './test-tenant.js';

type AllTables = CoreTables & ServerTables;
type Row<Table extends keyof AllTables> = Selectable<AllTables[Table]>;

/** The rows with those values, ordered by their first column. Without values, all; without columns, whole rows. */
export async function readRows<Table extends keyof AllTables, Column extends keyof Row<Table>>(
  { services }: Pick<TestServer, 'services'>,
  table: Table,
  values: Partial<Row<Table>> = {},
  columns?: readonly Column[],
): Promise<Pick<Row<Table>, Column>[]> {
  const rows = await services.database.read((tables) =>
    tables
      .selectFrom(table as 'jobs')
      .selectAll()
      .where((is) => is.and(values))
      .orderBy(sql`1`)
      .execute(),
  );
  const whole = rows as unknown as Row<Table>[];
  return columns
    ? whole.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<Row<Table>, Column>)
    : whole;
}

/** The first of these rows. */
export async function readRow<Table extends keyof AllTables, Column extends keyof Row<Table>>(
  server: Pick<TestServer, 'services'>,
  table: Table,
  values: Partial<Row<Table>> = {},
  columns?: readonly Column[],
): Promise<Pick<Row<Table>, Column>> {
  const [row] = await readRows(server, table, values, columns);
  if (!row) throw new Error(`No such row in ${table}.`);
  return row;
}

/** Changes the rows with those values. */
export async function changeRows<Table extends keyof AllTables>(
  { services }: Pick<TestServer, 'services'>,
  table: Table,
  values: Partial<Row<Table>>,
  changes: Updateable<AllTables[Table]>,
): Promise<void> {
  await services.database.transaction((tables) =>
    tables
      .updateTable(table as 'jobs')
      .set(changes as Updateable<AllTables['jobs']>)
      .where((is) => is.and(values))
      .execute(),
  );
}

/** Changes the row of an account, without an entry in its history. */
export async function changeTenant(
  server: Pick<TestServer, 'services'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  changes: Updateable<AllTables['tenants']>,
): Promise<void> {
  await changeRows(server, 'tenants', { id: tenantId }, changes);
}

/** Changes the rows of an account's keys. */
export async function changeKeys(
  server: Pick<TestServer, 'services'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  changes: Updateable<AllTables['api_keys']>,
): Promise<void> {
  await changeRows(server, 'api_keys', { tenant_id: tenantId }, changes);
}
