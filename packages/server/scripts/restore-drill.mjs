// Runs the tests of backups on the machine's own PostgreSQL, which fits its pg_dump and pg_restore. The tests' PostgreSQL
// is newer than that of most machines. Without one it prints that and exits with 0.
//   npm run drill:restore
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';

await import('../src/testing/typescript-hooks.ts');
const { startPostgres } = await import('../../storage-adapters/src/testing/postgres-cluster.ts');

const binaries = installedBinaries();
if (binaries === null) {
  console.log('There is no PostgreSQL server on this machine; the tests copy by SQL instead of pg_dump.');
  process.exit(0);
}
const cluster = await startPostgres({ binaries });
try {
  const tests = [
    'run',
    '--config',
    '.config/vitest.config.ts',
    '--mode=full',
    'packages/server/src/cli/backup',
    'packages/server/src/cells.test.ts',
  ];
  const env = { ...process.env, PATH: `${binaries}:${process.env.PATH}`, TEST_DATABASE_URL: cluster.url };
  const vitest = spawn('vitest', tests, { env, stdio: 'inherit' });
  const [code] = await once(vitest, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await cluster.stop();
}

/** The folder of the newest installed server on Debian and its derivatives; null without one. */
function installedBinaries() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => `${root}/${version}/bin`);
  return (
    found.find((folder) => ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(`${folder}/${name}`))) ?? null
  );
}
