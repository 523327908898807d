import { systemClock } from 'sri-core';
import { readConfig } from '../../config/config.js';
import { openDatabase } from '../../open-database.js';
import { CRASH_BEFORE_STATEMENT } from './crash-step.js';
import { type OnStatement, watchPostgres, watchSqlite } from './watched-drivers.js';

/**
 * Opens the configured database like a starting server. Kills itself before the statement of that number, counted from
 * 1; otherwise prints the number of statements.
 */
const killAt = Number(process.env[CRASH_BEFORE_STATEMENT] ?? '0');
let statements = 0;
const count: OnStatement = ({ moment }) => {
  if (moment !== 'before') return;
  statements += 1;
  if (statements === killAt) process.kill(process.pid, 'SIGKILL');
};
watchSqlite(count);
watchPostgres(count);
try {
  const opened = await openDatabase(readConfig(process.env), systemClock);
  await opened.check();
  await opened.close();
  process.stdout.write(`${statements}\n`);
} catch (error) {
  process.stderr.write(error instanceof Error ? `${error.name}: ${error.message}\n` : 'unknown\n');
  process.exitCode = 1;
}
