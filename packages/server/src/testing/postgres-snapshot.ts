import { Client } from 'pg';

/** The place of a server's tables: a database, and in its options the schema. */
type DatabaseUrl = string;

/**
 * Copies the rows of one schema into the same tables of another database, as `pg_dump` and `pg_restore` do: the rows
 * committed at one moment, despite concurrent writes. For machines whose `pg_dump` does not fit the server.
 *
 * @returns what stores the copy; the moment is that of the first call.
 */
export async function takeSnapshot(from: DatabaseUrl): Promise<(into: DatabaseUrl) => Promise<void>> {
  const contents = await withClient(from, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const names = await tablesOf(client);
    const tables: { readonly name: string; readonly rows: string }[] = [];
    for (const name of names) {
      const { rows } = await client.query(`select coalesce(json_agg(t), '[]')::text as rows from ${name} t`);
      tables.push({ name, rows: String(rows[0]?.rows) });
    }
    await client.query('commit');
    return tables;
  });
  return (into) =>
    withClient(into, async (client) => {
      await client.query('begin');
      // Disables references and triggers while rows are inserted table by table.
      await client.query('set local session_replication_role = replica');
      for (const { name } of contents) await client.query(`delete from ${name}`);
      for (const { name, rows } of contents) {
        await client.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`, [
          rows,
        ]);
      }
      await client.query('commit');
    });
}

// --- internal ---

async function tablesOf(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`,
  );
  return rows.map(({ name }) => String(name));
}

async function withClient<T>(url: DatabaseUrl, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}
