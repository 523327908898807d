// Installs the packages as npm would publish them into an empty project and uses them there: as ES modules, by require,
// from TypeScript, on each Node they promise. Prints what they weigh, with a budget; exits with 1 when anything is amiss.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'installed-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/**
 * Megabytes on disk, packages besides our own, and the time to load the main entry, as a ratio to the time that the
 * 200 files of TypeBox take on the same machine in the same run: the best of fifteen of each, by turns.
 */
const BUDGETS = {
  'sri-core': { megabytes: 25, packages: 12, load: 1.6 },
  'sri-storage-adapters': { megabytes: 80, packages: 80, load: 2.2 },
  'sri-server': { megabytes: 150, packages: 160, load: 6 },
};
const REFERENCE = '@sinclair/typebox';
/** What the main entry of the library must not load before it is needed: parts of their addresses. */
const LATE = ['/node_modules/pdfkit/', '/node_modules/node-forge/', '/node_modules/undici/', 'node:http'];
const NODES = ['22.19.0', '24.21.0', '26.10.0'];

const tarballs = {};
for (const [folder, name] of [
  ['sri-core', 'sri-core'],
  ['storage-adapters', 'sri-storage-adapters'],
  ['server', 'sri-server'],
]) {
  const packed = run(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', work],
    join(root, 'packages', folder),
  );
  const report = JSON.parse(packed);
  const [{ filename }] = Array.isArray(report) ? report : Object.values(report);
  tarballs[name] = join(work, filename);
}

let failed = false;
for (const name of Object.keys(tarballs)) weigh(name);
const project = install('project', Object.values(tarballs));
for (const version of NODES) use(version);
checkTypes();
process.exitCode = failed ? 1 : 0;

/** Each package alone, with our other packages that it needs. */
function weigh(name) {
  const { packages, megabytes, load } = BUDGETS[name];
  const needed = { 'sri-core': ['sri-core'], 'sri-storage-adapters': ['sri-core', 'sri-storage-adapters'] };
  const ours = needed[name] ?? Object.keys(tarballs);
  const folder = install(
    name,
    ours.map((own) => tarballs[own]),
  );
  const modules = join(folder, 'node_modules');
  const count = listPackages(modules).length - ours.length;
  const size = sizeOf(modules) / 1024 / 1024;
  const timesOf = { [name]: [], [REFERENCE]: [] };
  for (let turn = 0; turn < 15; turn += 1) {
    for (const [each, times] of Object.entries(timesOf)) {
      times.push(Number(run(process.execPath, ['-e', timing(each)], folder)));
    }
  }
  const [own, reference] = Object.values(timesOf).map((times) => Math.min(...times));
  judge(`${name}: packages besides our own`, count, packages);
  judge(`${name}: MB installed`, Math.round(size * 10) / 10, megabytes);
  console.log(`       ${name}: ${Math.round(own)} ms to load, ${REFERENCE}: ${Math.round(reference)} ms`);
  judge(`${name}: time to load, in loads of ${REFERENCE}`, Math.round((own / reference) * 100) / 100, load);
  if (name !== 'sri-core') return;
  const loaded = run(process.execPath, ['--import', tracing(folder), '-e', "await import('sri-core')"], folder);
  const early = LATE.filter((late) => loaded.includes(late));
  tell(early.length === 0, `sri-core loads none of ${LATE.join(', ')} at first${early.length > 0 ? `: ${early}` : ''}`);
}

function timing(name) {
  return `const began = performance.now(); await import(${JSON.stringify(name)}); console.log(performance.now() - began)`;
}

/** A module that prints the address of everything that is loaded. */
function tracing(folder) {
  const path = join(folder, 'trace.mjs');
  writeFileSync(
    path,
    `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });`,
  );
  return path;
}

function use(version) {
  const program = {
    'as ES modules': [
      'esm.mjs',
      `import { buildAccessKey, createEngine } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createMemoryStorage } from 'sri-core/testing';
import { verifyWebhook } from 'sri-core/webhooks';
import { createSqliteStorage } from 'sri-storage-adapters';
import { startServer } from 'sri-server';
for (const part of [buildAccessKey, createEngine, createSimulator, createMemoryStorage, verifyWebhook, createSqliteStorage, startServer]) {
  if (typeof part !== 'function') throw new Error('something is missing');
}`,
    ],
    'by require': [
      'cjs.cjs',
      `const { createEngine } = require('sri-core');
const { createSqliteStorage } = require('sri-storage-adapters');
if (typeof createEngine !== 'function' || typeof createSqliteStorage !== 'function') throw new Error('something is missing');`,
    ],
    'to a RIDE': [
      'ride.mjs',
      `import { createEngine } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createMemoryStorage, createTestSigner } from 'sri-core/testing';
const ruc = '1760013210001';
const issuer = { ruc, businessName: 'Ñandú', branchCode: '001', issuePointCode: '001', requiredAccounting: true };
const signer = await createTestSigner({ ruc });
const transport = createSimulator().handle;
const engine = createEngine({ storage: createMemoryStorage(), issuers: [{ id: 'main', ...issuer, signer }], transport });
const scope = { issuerId: 'main', environment: 'sandbox' };
const { document } = await engine.issue(scope, ${readFileSync(join(root, 'examples/invoice.json'), 'utf8').replace(/\s+/g, ' ')});
const ride = Buffer.from(await engine.ride(scope, document.accessKey)).toString('latin1');
if (document.status !== 'AUTHORIZED' || !ride.endsWith('%%EOF\\n')) throw new Error(document.status + ', ' + ride.length);`,
    ],
    'as a server with all its pages': [
      'serve.mjs',
      `import { mkdtempSync, rmSync } from 'node:fs';
import { silentLogger } from 'sri-core';
import { startServer } from 'sri-server';
const DATA_DIR = mkdtempSync('data-');
const server = await startServer({ PORT: '0', DATA_DIR }, { logger: silentLogger });
for (const path of ['/', '/console', '/docs', '/guide/es', '/guide/en/server', '/guide/es/server.md', '/guide/assets/guide.css', '/llms.txt']) {
  const { status } = await fetch(server.url + path);
  if (status !== 200) throw new Error(path + ' answers ' + status);
}
await server.close();
rmSync(DATA_DIR, { recursive: true });`,
    ],
  };
  for (const [how, [file, text]] of Object.entries(program)) {
    writeFileSync(join(project, file), text);
    const { status, stderr } = spawnSync('npx', ['-y', '-p', `node@${version}`, '-c', `node ${file}`], {
      cwd: project,
      encoding: 'utf8',
    });
    tell(status === 0, `Node ${version}, ${how}${status === 0 ? '' : `:\n${stderr}`}`);
  }
}

function checkTypes() {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { createEngine, type InvoiceBody } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createMemoryStorage } from 'sri-core/testing';
import { startServer } from 'sri-server';
import { createSqliteStorage } from 'sri-storage-adapters';
export const body: InvoiceBody['buyer']['idType'] = '05';
export const engine = createEngine({ storage: createMemoryStorage(), issuers: [], transport: createSimulator().handle });
export const open = createSqliteStorage;
export const start = startServer;
// @ts-expect-error an engine needs a transport
createEngine({ storage: createMemoryStorage(), issuers: [] });
// @ts-expect-error an engine needs a storage
createEngine({ issuers: [], transport: createSimulator().handle });
`,
  );
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2024', '--types', 'node'];
    const result = spawnSync(
      join(root, 'node_modules/.bin/tsc'),
      [...options, '--module', module, '--moduleResolution', resolution, 'typed.ts'],
      { cwd: project, encoding: 'utf8' },
    );
    tell(result.status === 0, `TypeScript, ${resolution}${result.status === 0 ? '' : `:\n${result.stdout}`}`);
  }
}

function install(name, files) {
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `try-${name}`, private: true, type: 'module' }));
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files], folder);
  return folder;
}

function listPackages(modules) {
  return readdirSync(modules).flatMap((entry) => {
    if (entry.startsWith('.')) return [];
    const folder = join(modules, entry);
    const own = entry.startsWith('@') ? readdirSync(folder).map((name) => join(folder, name)) : [folder];
    return own.flatMap((path) => {
      const nested = join(path, 'node_modules');
      return [path, ...(exists(nested) ? listPackages(nested) : [])];
    });
  });
}

function sizeOf(path) {
  const { size } = statSync(path);
  if (!statSync(path).isDirectory()) return size;
  return readdirSync(path, { withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isSymbolicLink() ? 0 : sizeOf(join(path, entry.name))),
    0,
  );
}

function exists(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function judge(what, value, budget) {
  tell(value <= budget, `${what}: ${value} (at most ${budget})`);
}

function tell(holds, what) {
  if (!holds) failed = true;
  console.log(`${holds ? 'holds' : 'FAILS'}  ${what}`);
}

function run(command, words, cwd) {
  const result = spawnSync(command, words, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (result.status === 0) return result.stdout;
  console.error(`${command} ${words.join(' ')}\n${result.stdout}${result.stderr}`);
  process.exit(1);
}
