import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { withDatabase } from './chaos-tenant.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { migrateInProcess } from './migration-crash.js';
import { dumpSchema } from './schema-dump.js';
import { createSeededRandom } from './seeded-random.js';

/** Kills a server during its migrations; then two servers start at once and finish them. */
export const killInMigrations: Fault = {
  name: 'kill-in-migrations',
  about: 'kill -9 before any statement of the migrations, then two servers at once; and a database of a newer version',
  databases: ['sqlite', 'postgres'],
  shortRuns: 6,
  longRuns: 1_000,
  run,
};

// --- internal ---

/** Each run crashes at another statement; a long run covers all of them. */
async function run(context: FaultContext): Promise<FaultCount> {
  const whole = await migrateInProcess(context);
  if (whole.by !== '0') throw new Error(`It did not migrate an empty database: ${whole.complaint}`);
  const expected = await dumpSchema(context);
  const statements = Array.from({ length: whole.statements }, (_, index) => index + 1);
  const chance = createSeededRandom(context.seed);
  const chosen = statements.toSorted(() => chance.below(3) - 1).slice(0, context.runs);
  let [runs, lost, stuck] = [0, 0, 0];
  for (const statement of chosen) {
    if (!context.hasTime()) break;
    runs += 1;
    await empty(context);
    const { by } = await migrateInProcess(context, statement);
    if (by !== 'SIGKILL') throw new Error(`Statement ${statement} was not reached.`);
    const next = await Promise.all([migrateInProcess(context), migrateInProcess(context)]);
    for (const { by: end, complaint } of next) {
      if (end === '0') continue;
      context.say(`after a kill before statement ${statement}: ${complaint}`);
      stuck += 1;
    }
    if ((await dumpSchema(context)) === expected) continue;
    context.say(`after a kill before statement ${statement} the tables are not those of an undisturbed start`);
    lost += 1;
  }
  if (!(await refusesNewer(context))) stuck += 1;
  context.say(`${whole.statements} statements bring an empty database to this version; killed before ${runs}`);
  return { runs, lost, duplicated: 0, stuck };
}

/** Whether a server refuses a database of a newer version with a clear message. */
async function refusesNewer(context: FaultContext): Promise<boolean> {
  const change = (statement: ReturnType<typeof sql>) =>
    withDatabase(context, ({ database }) => database.transaction((tables) => statement.execute(tables)));
  await change(sql`insert into sri_migrations (namespace, name, applied_at) values ('sri-server', '999-later', 0)`);
  const { by, complaint } = await migrateInProcess(context);
  const isRefused = by === '1' && complaint.includes('999-later');
  if (!isRefused) context.say(`a database of a newer version: ${by}, ${complaint}`);
  await empty(context);
  return isRefused;
}

async function empty({ database, databaseUrl }: FaultContext): Promise<void> {
  if (database === 'sqlite') {
    for (const suffix of ['', '-wal', '-shm'])
      await rm(`${databaseUrl.slice('file:'.length)}${suffix}`, { force: true });
    return;
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  const schema = rows[0]?.schema ?? '';
  await client.query(`drop schema ${schema} cascade`);
  await client.query(`create schema ${schema}`);
  await client.end();
}
