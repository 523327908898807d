// Rotates the master key of many issuers while servers sign for them, kills the rotation in between, and then removes the
// former key. Prints one line per database, and exits with 1 when a signature failed. Needs no build.
//   npm run drill:rotation -- --issuers 10000 --kills 3 --database sqlite|postgres
// The PostgreSQL is a private one from the test binaries; without them its line is skipped and says so.

import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.mjs';

await import('../src/testing/typescript-hooks.ts');
const { systemClock, systemRandom } = await import('../../sri-core/src/index.ts');
const { startPostgres } = await import('../../storage-adapters/src/testing/postgres-cluster.ts');
const { readConfig } = await import('../src/config/config.ts');
const { openDatabase } = await import('../src/open-database.ts');
const { countByMasterKey } = await import('../src/platform/secrets/secret-rows.ts');
const { createVault } = await import('../src/platform/secrets/vault.ts');
const { settingsOf } = await import('../src/testing/chaos/chaos-tenant.ts');
const { makeFaultContext } = await import('../src/testing/chaos/fault-context.ts');
const { startChildServer } = await import('../src/testing/child-server.ts');
const { TEST_RUC } = await import('../src/testing/test-server.ts');
const { registerTenant, SIMPLE_INVOICE } = await import('../src/testing/test-tenant.ts');

const { values, refuse } = readArguments(import.meta.url, {
  options: {
    issuers: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '3' },
    database: { type: 'string' },
  },
});
const ISSUERS = Number(values.issuers);
const KILLS = Number(values.kills);
const CLIENTS = 4;
const BODY = JSON.stringify(SIMPLE_INVOICE);
const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const hooks = new URL('../src/testing/typescript-hooks.ts', import.meta.url).href;
const [former, next] = ['former', 'next'].map((name) => `${name}:${randomBytes(32).toString('base64')}`);

const databases = ['sqlite', 'postgres'].filter((name) => (values.database ?? name) === name);
if (databases.length === 0 || !(ISSUERS > 0) || !(KILLS >= 0)) refuse('Give whole numbers, and a database of the two.');
let failed = false;
for (const database of databases) {
  const starting = database === 'postgres' ? startPostgres() : Promise.resolve(null);
  const cluster = await starting.catch((error) => console.log(`${database}: skipped, ${error.message}`));
  if (cluster === undefined) continue;
  const place = await makeFaultContext(database, cluster?.url ?? null);
  try {
    const result = await drill(settingsOf(place));
    failed ||= result.failures > 0 || result.stillNeeded > 0;
    console.log(
      `${database}: ${Object.entries(result)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`,
    );
  } finally {
    await place.remove();
    await cluster?.stop();
  }
}
process.exit(failed ? 1 : 0);

async function drill(settings) {
  const issuers = await fill(settings);
  const both = { ...settings, MASTER_KEYS: `${next},${former}` };
  let server = await startChildServer({ settings: both });
  const failures = [];
  let signed = 0;
  let changing = true;
  const sign = async (client) => {
    for (let turn = client; changing; turn += CLIENTS) {
      const problem = await create(server.url, issuers[(turn * 7919) % issuers.length]);
      if (problem) failures.push(problem);
      else signed += 1;
    }
  };
  const signing = Array.from({ length: CLIENTS }, (_, client) => sign(client));
  const startedAt = performance.now();
  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    const before = await countUnder(both, 'next');
    const child = rotate(both);
    const goal = before + ISSUERS / (KILLS + 2);
    while (child.exitCode === null && (await countUnder(both, 'next')) < goal) await sleep(20);
    if (child.exitCode !== null) break;
    child.kill('SIGKILL');
    await child.ended;
  }
  const last = rotate(both);
  if ((await last.ended) !== 0) failures.push(`the change ended with ${last.exitCode}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  changing = false;
  await Promise.all(signing);
  await server.kill();

  // Without the former key, each issuer signs once.
  server = await startChildServer({ settings: { ...settings, MASTER_KEYS: next } });
  const ready = (await fetch(`${server.url}/readyz`)).status;
  if (ready !== 200) failures.push(`not ready without the former key: ${ready}`);
  const left = issuers.values();
  let after = 0;
  const signRest = async () => {
    for (const issuer of left) {
      const problem = await create(server.url, issuer);
      if (problem) failures.push(problem);
      else after += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, signRest));
  await server.kill();
  for (const failure of new Set(failures)) console.error(`  ${failure}`);
  const stillNeeded = await countUnder(both, 'former');
  return {
    issuers: issuers.length,
    seconds,
    kills,
    signedMeanwhile: signed,
    signedAfter: after,
    failures: failures.length,
    stillNeeded,
  };
}

/** An account with that many issuers under the former key. */
async function fill(settings) {
  const under = { ...settings, MASTER_KEYS: former };
  const server = await startChildServer({ settings: under });
  const { tenantId, issuerId, headers } = await registerTenant(server, { ruc: TEST_RUC });
  await server.kill();

  const ids = [issuerId];
  await withDatabase(under, async (database, vault) => {
    const one = (tables, table, column) =>
      tables.selectFrom(table).selectAll().where(column, '=', issuerId).executeTakeFirstOrThrow();
    const [row, kept] = await database.read(async (tables) => [
      await one(tables, 'issuers', 'id'),
      await one(tables, 'issuer_certificates', 'issuer_id'),
    ]);
    const label = (ownerId) => ({ tenantId, ownerId, purpose: 'signing-key', keyVersion: kept.key_version });
    const sealed = { masterKeyId: 'former', wrappedKey: kept.wrapped_key, ciphertext: kept.sealed_key };
    const key = vault.open(sealed, label(issuerId));
    while (ids.length < ISSUERS) {
      const batch = Array.from({ length: Math.min(100, ISSUERS - ids.length) }, () => randomUUID());
      await database.transaction(async (tables) => {
        for (const [index, id] of batch.entries()) {
          const number = ids.length + index;
          const codes = {
            branch_code: String(2 + Math.floor(number / 999)).padStart(3, '0'),
            issue_point_code: String(1 + (number % 999)).padStart(3, '0'),
          };
          await tables
            .insertInto('issuers')
            .values({ ...row, id, ...codes })
            .execute();
          await tables
            .insertInto('issuer_document_types')
            .values({ issuer_id: id, document_type: '01', active: 1, initial_sequential: null })
            .execute();
          const own = vault.sealer(new Map()).seal(key, label(id));
          await tables
            .insertInto('issuer_certificates')
            .values({ ...kept, issuer_id: id, wrapped_key: own.wrappedKey, sealed_key: own.ciphertext })
            .execute();
        }
      });
      ids.push(...batch);
    }
  });
  return ids.map((id) => ({ ...headers, 'x-issuer-id': id, 'content-type': 'application/json' }));
}

/** Creates a document. @returns the error, or null. */
async function create(url, headers) {
  try {
    const response = await fetch(`${url}/v1/documents`, { method: 'POST', headers, body: BODY });
    const text = await response.text();
    return response.status === 201 ? null : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
}

/** The operator's command, in a process of its own. */
function rotate(settings) {
  const child = spawn(process.execPath, ['--import', hooks, entry, 'admin', 'keys', 'rotate-master', '--json'], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.ended = new Promise((resolve) => child.once('close', resolve));
  return child;
}

async function countUnder(settings, masterKeyId) {
  return withDatabase(settings, async (database) => (await database.read(countByMasterKey)).get(masterKeyId) ?? 0);
}

async function withDatabase(settings, work) {
  const config = readConfig(settings);
  const opened = await openDatabase(config, systemClock, { migrate: false });
  try {
    return await work(opened.database, createVault(config.masterKeys, systemRandom));
  } finally {
    await opened.close();
  }
}
