/**
 * Measures writes on SQLite and PostgreSQL, with commits as durable as in production. Prints `name value unit` lines:
 * changes and creates per second of several loads, and p50 and p99 of single writes.
 *
 *   node packages/storage-adapters/scripts/bench-writes.mjs [--short] [--sqlite | --postgres] [--only=<part of a name>]
 *     [--against=<folder of another checkout> | --without-figures]
 *
 * `--against` also measures another checkout, `--without-figures` these sources without the figures. Both versions take
 * turns, each on databases of its own. The printed ratio is the median over the turns.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Runs the sources as they stand.
await import('../../server/src/testing/typescript-hooks.ts');
const { startPostgres } = await import('../src/testing/postgres-cluster.ts');
const { sampleDocument } = await import('../src/testing/sample-batches.ts');

const option = (name) => process.argv.find((argument) => argument.startsWith(`--${name}`))?.split('=')[1];
const isGiven = (name) => process.argv.includes(`--${name}`);
const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
const ROUNDS = isGiven('short') ? 4 : 12;
const LEASE_MS = 3_600_000;
const POOL = 10;

/** Documents of a round, callers at a time, issuers they belong to, and documents a call. */
const LOADS = [
  { name: 'create-alone', run: createRound, documents: 60, callers: 1, issuers: 1, size: 1 },
  { name: 'create-batches-of-32', run: createRound, documents: 640, callers: 1, issuers: 1, size: 32 },
  { name: 'create-32-callers-of-32-issuers', run: createRound, documents: 320, callers: 32, issuers: 32, size: 1 },
  { name: 'change-alone', run: changeRound, documents: 60, callers: 1, issuers: 1 },
  { name: 'change-32-callers-of-1-issuer', run: changeRound, documents: 320, callers: 32, issuers: 1 },
  { name: 'change-64-callers-of-1-issuer', run: changeRound, documents: 320, callers: 64, issuers: 1 },
  { name: 'change-32-callers-of-32-issuers', run: changeRound, documents: 320, callers: 32, issuers: 32 },
  { name: 'change-64-callers-of-32-issuers', run: changeRound, documents: 320, callers: 64, issuers: 32 },
].filter(({ name }) => name.includes(option('only') ?? ''));

const CERTIFICATE = randomBytes(1500).toString('base64');

const folder = await mkdtemp(join(tmpdir(), 'sri-writes-'));
try {
  const variants = [await load('this', SOURCES)];
  const against = option('against');
  if (against) variants.push(await load('other', join(against, 'packages/storage-adapters/src')));
  else if (isGiven('without-figures')) variants.push(await load('other', await withoutFigures()));
  if (!isGiven('postgres')) await measure('sqlite', variants, openSqliteAt);
  if (!isGiven('sqlite')) {
    const cluster = await startPostgres({ durable: true });
    try {
      await measure('postgres', variants, (variant, name) => openPostgresAt(variant, name, cluster.url));
    } finally {
      await cluster.stop();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function load(name, sources) {
  return { name, ...(await import(pathToFileURL(join(sources, 'index.ts')).href)) };
}

/** A copy of these sources that keeps no figures. */
async function withoutFigures() {
  const root = await mkdtemp(join(folder, 'copy-'));
  await cp(SOURCES, join(root, 'src'), { recursive: true });
  await symlink(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(root, 'node_modules'));
  const path = join(root, 'src/lists/figures.ts');
  const whole = await readFile(path, 'utf8');
  const cut = whole.replace(/(export async function moveFigures\([\s\S]*?Promise<void> \{\n)/, '$1  return;\n');
  if (cut === whole) throw new Error('The figures could not be taken out.');
  await writeFile(path, cut);
  return join(root, 'src');
}

async function openSqliteAt(variant, name) {
  const database = await variant.openSqlite(join(folder, `${name}.db`));
  return { storage: variant.createSqliteStorage({ database }), close: async () => database.close() };
}

async function openPostgresAt(variant, name, url) {
  const { Pool } = (await import('pg')).default;
  const schema = name.replaceAll('-', '_');
  const pool = new Pool({ connectionString: url, options: `-c search_path=${schema}`, max: POOL });
  await pool.query(`create schema ${schema}`);
  return { storage: variant.createPostgresStorage({ pool }), close: () => pool.end() };
}

async function measure(kind, variants, open) {
  for (const load of LOADS) {
    const sides = [];
    for (const variant of variants) {
      const { storage, close } = await open(variant, `${variant.name}-${load.name}`);
      await storage.migrate();
      sides.push({ variant, storage, close, counters: makeCounters(load.issuers), speeds: [], times: [] });
    }
    // The first round warms up. The versions alternate in going first, so that neither always follows the other.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const side of round % 2 ? sides : sides.toReversed()) {
        const { seconds, calls, times } = await load.run(side, load);
        if (round === 0) continue;
        side.speeds.push(calls / seconds);
        side.times.push(...times);
      }
    }
    for (const { variant, speeds, times } of sides) {
      const name = `write.${kind}.${load.name}.${variant.name}`;
      const sorted = times.toSorted((a, b) => a - b);
      print(name, median(speeds), 'documents/s');
      print(`${name}.p50`, sorted[Math.floor(sorted.length * 0.5)], 'ms');
      print(`${name}.p99`, sorted[Math.floor(sorted.length * 0.99)], 'ms');
    }
    if (sides.length === 2) {
      const ratios = sides[0].speeds.map((speed, round) => speed / sides[1].speeds[round]);
      print(`write.${kind}.${load.name}.this/other`, median(ratios), 'ratio');
    }
    for (const { close } of sides) await close();
  }
}

function makeCounters(count) {
  return Array.from({ length: count }, () => ({
    counter: { issuerId: randomUUID(), environment: 'sandbox', documentType: '01' },
    next: 1,
  }));
}

/** Stores documents. Each counter is used by one caller, as the engine does. */
async function createRound({ storage, counters }, { documents, callers, size }) {
  const lines = counters.map((place) =>
    Array.from({ length: documents / size / counters.length }, () => newBatch(place, size)),
  );
  const times = [];
  const { seconds } = await timed(lines, callers, async (line) => {
    for (const batch of line) {
      const begun = performance.now();
      const { kind } = await storage.storeDocuments(batch);
      if (kind !== 'stored') throw new Error(kind);
      times.push(performance.now() - begun);
    }
  });
  return { seconds, times, calls: documents };
}

/** Changes documents from PENDING_SEND to RECEIVED to AUTHORIZED, each change under a worker's lease. */
async function changeRound({ storage, counters }, { documents, callers }) {
  for (const place of counters) {
    await storage.storeDocuments(newBatch(place, documents / counters.length, 'PENDING_SEND'));
  }
  let spent = 0;
  const spans = [];
  for (const step of [receive, authorize]) {
    const claimed = await storage.claimJobs({ now: new Date(), limit: documents, leaseMs: LEASE_MS });
    if (claimed.length !== documents) throw new Error(`${claimed.length} jobs were to be had.`);
    const { seconds, times } = await timed(claimed.map(step), callers, async (change) => {
      const outcome = await storage.changeDocument(change);
      if (outcome !== 'applied') throw new Error(outcome);
    });
    spent += seconds;
    spans.push(...times);
  }
  return { seconds: spent, times: spans, calls: 2 * documents };
}

function receive({ document, lease }) {
  return {
    ...step(document, lease, 'RECEIVED', { operationType: 'RECEPTION', status: 'RECIBIDA' }),
    set: { status: 'RECEIVED' },
    job: { ...newJob('AUTHORIZE'), unconfirmed: false },
  };
}

function authorize({ document, lease }) {
  return {
    ...step(document, lease, 'AUTHORIZED', { operationType: 'AUTHORIZATION', status: 'AUTORIZADO' }),
    set: {
      status: 'AUTHORIZED',
      authorization: { number: document.accessKey, date: '2026-11-21T07:30:00-05:00' },
    },
    job: null,
  };
}

function step(document, lease, status, response) {
  const createdAt = new Date();
  const event = { id: randomUUID(), fromStatus: document.status, toStatus: status, detail: null, createdAt };
  return {
    document,
    lease,
    at: createdAt,
    events: [{ ...event, eventType: status }],
    responses: [{ id: randomUUID(), messages: [], createdAt, ...response }],
  };
}

function newBatch(place, size, status = 'SIGNED') {
  const firstSequential = place.next;
  place.next += size;
  const documents = Array.from({ length: size }, (_, index) => {
    const job = status === 'SIGNED' ? null : { ...newJob('SEND'), running: false };
    const name = `CLIENTE NÚMERO ${Math.floor(Math.random() * 400)}`;
    const buyer = { idType: '05', id: '1710034065', name, email: 'buyer@example.com' };
    const now = new Date();
    const fields = { status, job, buyer, payloadHash: randomBytes(32).toString('hex'), createdAt: now, updatedAt: now };
    const added = sampleDocument(place.counter, firstSequential + index, fields);
    return { ...added, contents: { ...added.contents, signedXml: signedXml(added.document.accessKey) } };
  });
  return { counter: place.counter, firstSequential, documents };
}

function newJob(operation) {
  return { operation, status: 'PENDING', dueAt: new Date(0), attemptCount: 0, lastError: null, unconfirmed: false };
}

/** About 9 kB, of which the certificate repeats and digests and signature do not. */
function signedXml(accessKey) {
  const line = (n) =>
    `<detalle><codigoPrincipal>CAF-${n}</codigoPrincipal><descripcion>Café de Loja, 400 g</descripcion><cantidad>1.000000</cantidad><precioUnitario>10.000000</precioUnitario><descuento>0.00</descuento><precioTotalSinImpuesto>10.00</precioTotalSinImpuesto><impuestos><impuesto><codigo>2</codigo><codigoPorcentaje>4</codigoPorcentaje><tarifa>15</tarifa><baseImponible>10.00</baseImponible><valor>1.50</valor></impuesto></impuestos></detalle>`;
  const digest = () => `<ds:DigestValue>${randomBytes(20).toString('base64')}</ds:DigestValue>`;
  const header =
    '<ds:SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></ds:SignatureMethod>'.repeat(30);
  return `<factura id="comprobante" version="1.1.0"><claveAcceso>${accessKey}</claveAcceso>${[1, 2, 3].map(line).join('')}<ds:Signature>${header}${digest()}${digest()}${digest()}<ds:SignatureValue>${randomBytes(256).toString('base64')}</ds:SignatureValue><ds:X509Certificate>${CERTIFICATE}</ds:X509Certificate></ds:Signature></factura>`;
}

/** Runs `work` on each entry of the list, with that many concurrent callers. */
async function timed(list, callers, work) {
  const times = [];
  const left = list.values();
  const started = performance.now();
  const caller = async () => {
    for (const entry of left) {
      const begun = performance.now();
      await work(entry);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { seconds: (performance.now() - started) / 1000, times };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function print(name, value, unit) {
  console.log(`${name} ${value.toFixed(value < 10 ? 2 : 0)} ${unit}`);
}
