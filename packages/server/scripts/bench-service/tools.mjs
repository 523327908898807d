// The tools of every benchmark part: databases, and separate processes for the server, the load, the simulated SRI and
// the raw limit.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestP12 } from 'sri-core/testing';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const MAIN = here('../../dist/main.js');
/** The Node options of `npm start`. */
const NODE_OPTIONS = JSON.parse(readFileSync(here('../../../../package.json'), 'utf8'))
  .scripts.start.split(' ')
  .filter((word) => word.startsWith('--'));

/**
 * @param options.databases which kinds to measure: `sqlite`, `postgres`.
 * @param options.rounds how often a part repeats its measurement.
 * @param options.profileFolder where to leave a CPU profile of each load; null for none.
 */
export function createTools({ databases, rounds, profileFolder = null }) {
  const children = new Set();
  const cleaning = [];
  const stopping = [];
  let cluster = null;
  let raw = null;

  const tools = {
    databases,
    rounds,
    /** Every printed figure: `{ name, value, unit, atLeast?, atMost?, missed }`. */
    figures: [],

    /** Prints one figure with its goal, `{ atLeast }` or `{ atMost }`, and whether it missed it. */
    print(name, value, unit, goal = {}) {
      const { atLeast, atMost } = goal;
      const missed = (atLeast !== undefined && value < atLeast) || (atMost !== undefined && value > atMost);
      const aim =
        atLeast !== undefined
          ? `  goal ≥ ${Number(atLeast.toFixed(2))}`
          : atMost !== undefined
            ? `  goal ≤ ${Number(atMost.toFixed(2))}`
            : '';
      console.log(`${name} ${format(value)} ${unit}${aim}${missed ? '  MISSED' : ''}`);
      tools.figures.push({ name, value, unit, ...goal, missed });
      if (missed) process.exitCode = 1;
    },

    /** A fresh, empty database and a data folder. */
    async openPlace(database) {
      const dataDirectory = await mkdtemp(join(tmpdir(), 'sri-service-'));
      const remove = () => rm(dataDirectory, { recursive: true, force: true });
      cleaning.push(remove);
      if (database === 'sqlite')
        return { database, dataDirectory, databaseUrl: `file:${join(dataDirectory, 'app.db')}` };
      cluster ??= await startCluster();
      const name = `bench_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
      await cluster.run(`create database ${name}`);
      const url = new URL(cluster.url);
      url.pathname = `/${name}`;
      return { database, dataDirectory, databaseUrl: url.href };
    },

    /**
     * A place in a folder that stays after the run, and may come from an earlier one. `remembered` is what an
     * earlier run stored with `remember`.
     */
    async openKeptPlace(database, folder, name) {
      const at = join(folder, `${database}-${name}`);
      await mkdir(join(at, 'data'), { recursive: true });
      const place = { database, dataDirectory: join(at, 'data'), databaseUrl: `file:${join(at, 'data', 'app.db')}` };
      if (database === 'postgres') {
        const kept = await startCluster(join(at, 'postgres'));
        stopping.push(() => kept.stop());
        place.databaseUrl = kept.url;
      }
      const note = join(at, 'remembered.json');
      const remembered = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : null;
      return { place, remembered, remember: (value) => writeFile(note, JSON.stringify(value)) };
    },

    /**
     * Starts the built server on that place, with the modules of `preload` before it. Its log goes to a file.
     *
     * @returns `{ url, startedInMs, figures(), collected(), profiled(name, work), stop(), kill() }`; `figures` returns
     * the use since the last call, `collected` the memory left after garbage collection: see server-probe.mjs.
     */
    async startServer(place, { settings = {}, probed = true, preload = [] } = {}) {
      const log = openSync(join(place.dataDirectory, 'server.log'), 'a');
      const startedAt = performance.now();
      const preloaded = [...(probed ? [here('server-probe.mjs')] : []), ...preload].flatMap((path) => [
        '--import',
        path,
      ]);
      const child = spawn(process.execPath, [...NODE_OPTIONS, ...preloaded, MAIN], {
        env: {
          PATH: process.env.PATH,
          DATA_DIR: place.dataDirectory,
          DATABASE_URL: place.databaseUrl,
          PORT: '0',
          ONBOARDING_RATE: '100000/1h',
          PUBLIC_RATE: '999999/1m',
          KEY_RATE: '999999/1m',
          MAIL_TO_BUYERS: 'off',
          ...settings,
        },
        stdio: ['ignore', log, log, ...(probed ? ['ipc'] : [])],
      });
      children.add(child);
      const ended = once(child, 'exit').then(() => children.delete(child));
      closeSync(log);
      const url = settings.PORT
        ? `http://127.0.0.1:${settings.PORT}`
        : await findUrl(join(place.dataDirectory, 'server.log'), child);
      return {
        url,
        pid: child.pid,
        startedAt,
        figures: () => ask(child, { ask: 'figures' }),
        collected: () => ask(child, { ask: 'collected' }),
        async profiled(name, work) {
          if (!profileFolder) return work();
          await mkdir(profileFolder, { recursive: true });
          await ask(child, { ask: 'profile' });
          const result = await work();
          await ask(child, { ask: 'profiled', path: join(profileFolder, `${name}.cpuprofile`) });
          return result;
        },
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
      };
    },

    /** The simulated SRI. @param options of `createSimulator`. @returns `{ url, stop() }`, for `SRI_SANDBOX_URL`. */
    async startSimulator(options = {}) {
      const child = fork(here('simulator-process.mjs'), [JSON.stringify(options)]);
      children.add(child);
      const [{ url }] = await once(child, 'message');
      return { url, stop: () => endChild(children, child) };
    },

    /**
     * A process that creates loads. @returns `{ drive(load), stop() }`; see load-driver.mjs. `load.refusedWith` is the
     * expected status of every request that must fail; `load.hostile` accepts any answer.
     */
    async startDriver() {
      const child = fork(here('load-driver.mjs'));
      children.add(child);
      await once(child, 'message');
      return {
        async drive(load) {
          const result = await ask(child, load);
          if (load.hostile) return result;
          const statuses = Object.keys(result.statuses).join();
          if (load.refusedWith ? statuses !== load.refusedWith : result.firstRefusal) {
            throw new Error(`The server answered ${statuses}: ${result.firstRefusal}`);
          }
          return result;
        },
        stop: () => endChild(children, child),
      };
    },

    /** RSA-2048 signatures of one thread: per second, and per second of processor time, which excludes other load. */
    async rawSignatures(ms = 1_000) {
      if (!raw) {
        raw = fork(here('raw-signatures.mjs'));
        children.add(raw);
        await once(raw, 'message');
      }
      return ask(raw, { ms });
    },

    /** A new account with one issuer. @param account.p12 with the password `bench`. @returns the headers of its requests. */
    async openAccount(
      url,
      { ruc = '1760013210001', email = `bench-${ruc}@example.com`, documentTypes = '01', p12 } = {},
    ) {
      const form = new FormData();
      form.set('cert', new Blob([p12 ?? (await createTestP12({ ruc, password: 'bench' }))]), 'bench.p12');
      const fields = {
        certPassword: 'bench',
        email,
        ruc,
        businessName: 'Bench',
        branchCode: '001',
        issuePointCode: '001',
        emissionType: '1',
        requiredAccounting: 'true',
        documentTypes,
      };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const response = await fetch(`${url}/v1/register`, { method: 'POST', body: form });
      const { apiKey, issuer, ...rest } = await response.json();
      if (!response.ok) throw new Error(`Registration answered ${response.status}: ${JSON.stringify(rest)}`);
      return { authorization: `Bearer ${apiKey}`, 'x-issuer-id': issuer.id, 'content-type': 'application/json' };
    },

    /** Ends every process and removes every folder. */
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await cluster?.stop();
      for (const stop of stopping) await stop();
      for (const clean of cleaning) await clean();
    },
  };
  return tools;
}

/** A POST that has to succeed. @returns the JSON of its answer. */
export async function post(url, headers, body) {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** An invoice, about 9 kB once it is signed. */
export function invoiceBody({ lines = 3, buyer = 'María Ñacata' } = {}) {
  const items = Array.from({ length: lines }, (_, line) => ({
    mainCode: `CAF-${line + 1}`,
    description: 'Café de Loja, 400 g',
    quantity: '1',
    unitPrice: '10.00',
    taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
  }));
  return JSON.stringify({
    documentType: '01',
    buyer: { idType: '05', id: '1710034065', name: buyer, email: 'maria@example.com' },
    items,
    payments: [{ method: '20', total: ((lines * 1150) / 100).toFixed(2) }],
  });
}

/** The sales of an issuer in a day: invoices of one to five lines, to five hundred buyers. */
export function invoiceBodies() {
  return Array.from({ length: 500 }, (_, index) =>
    invoiceBody({ lines: 1 + (index % 5), buyer: `${FIRST_NAMES[index % 25]} ${LAST_NAMES[Math.floor(index / 25)]}` }),
  );
}

const FIRST_NAMES =
  'Ana,Bolívar,Carmen,Diego,Elena,Fausto,Gladys,Hernán,Inés,Jaime,Karla,Luis,María,Néstor,Olga,Pablo,Quilla,Rosa,Segundo,Tania,Ulises,Verónica,Wilson,Ximena,Zoila'.split(
    ',',
  );
const LAST_NAMES =
  'Ñacata,Chimbo,Morales,Guamán,Yépez,Quishpe,Andrade,Cevallos,Toapanta,Zambrano,Paredes,Loor,Sarmiento,Tipán,Villacís,Oñate,Cabrera,Lema,Espín,Ruales'.split(
    ',',
  );

/** @param share 0.99 for the value that one of a hundred exceeds. */
export function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
}

/** The middle value, or the mean of the two middle values. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function format(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(3);
}

/** Sends a process a message. @returns its answer. */
function ask(child, message) {
  return new Promise((resolve, reject) => {
    const settle = (done) => (value) => {
      child.off('message', answered).off('exit', gone);
      done(value);
    };
    const answered = settle(resolve);
    const gone = settle(() => reject(new Error('A process of the benchmark ended by itself.')));
    child.on('message', answered).on('exit', gone);
    child.send(message);
  });
}

async function endChild(children, child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  children.delete(child);
}

async function findUrl(path, child) {
  for (;;) {
    const text = readFileSync(path, 'utf8');
    const found = [...text.matchAll(/^Listening on (\S+)$/gm)].at(-1)?.[1];
    if (found) return found;
    if (child.exitCode !== null) throw new Error(`The server ended before it listened: ${text.slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function startCluster(folder = null) {
  // The embedded PostgreSQL of the tests, with the durability of production.
  const { startPostgres } = await import('../../../storage-adapters/src/testing/postgres-cluster.ts');
  const { Client } = await import('pg');
  const started = await startPostgres({ durable: true, folder });
  return {
    url: started.url,
    stop: () => started.stop(),
    async run(statement) {
      const client = new Client({ connectionString: started.url });
      await client.connect();
      await client.query(statement);
      await client.end();
    },
  };
}
