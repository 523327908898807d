/**
 * Measures lists on a small and a large issuer, on SQLite and PostgreSQL. Prints a line per page: its p50 and p95 on
 * both issuers, and the ratio of p50, large to small. SQLite runs in this process: its lines also have the ratio of
 * processor time. A busy machine hardly changes that ratio. Fills the tables by SQL.
 *
 *   node packages/storage-adapters/scripts/bench-lists.mjs [--short] [--sqlite | --postgres]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';

// Runs the sources as they stand.
await import('../../server/src/testing/typescript-hooks.ts');
const { CORE_MIGRATIONS, createPostgresStorage, createSqliteStorage, openSqlite, runMigrations } = await import(
  '../src/index.ts'
);
const { startPostgres } = await import('../src/testing/postgres-cluster.ts');
const { sampleDocument } = await import('../src/testing/sample-batches.ts');
const { foldCase } = await import('sri-core');

const isShort = process.argv.includes('--short');
const SMALL = isShort ? 2_000 : 10_000;
const LARGE = isShort ? 20_000 : Number(process.env.BENCH_STORED ?? 1_000_000);
const ROUNDS = isShort ? 15 : 60;
const WARM_UP = 3;
/** Time after which a measurement starts no further round, except the first ten. */
const MOST_MS = 4_000;

const SCOPE = { issuerId: '01990000-0000-7000-8000-000000000001', environment: 'production' };
const DAY_MS = 86_400_000;
/** First day of the three years over which both issuers spread their documents. */
const FIRST_DAY = Date.UTC(2024, 0, 1);
const SPAN_MS = 3 * 365 * DAY_MS;
const BUYERS = 20_000;
const FINAL_CONSUMER = '9999999999999';
/** The identification of a buyer. */
const idOf = (place) => (place === 0 ? FINAL_CONSUMER : String(1_710_000_000 + place));

/** Each filter, sort and depth by itself: name, query, and position of the page, from first (0) to last (1). */
const PAGES = [
  ['all', {}],
  ['all, page at half', {}, 0.5],
  ['all, last page', {}, 1],
  ['all ascending, page at half', { sortBy: 'createdAt', sortDirection: 'asc' }, 0.5],
  ['common status', { status: 'AUTHORIZED' }],
  ['common status, page at half', { status: 'AUTHORIZED' }, 0.5],
  ['rare status', { status: 'RETURNED' }],
  ['type 04', { documentType: '04' }],
  ['type 04, page at half', { documentType: '04' }, 0.5],
  ['month', { from: '2025-03-01', to: '2025-03-31' }],
  ['month, page at half', { from: '2025-03-01', to: '2025-03-31' }, 0.5],
  ['whole number', { sequential: '000001234' }],
  ['number part of 1', { sequential: '7' }],
  ['number part of 3', { sequential: '123' }],
  ['number part of 4', { sequential: '1234' }],
  ['whole name', { buyerName: 'Consumidor Final' }],
  ['name part of 1', { buyerName: 'a' }],
  ['name part of 2', { buyerName: 'Ñu' }],
  ['name part, common', { buyerName: 'maría' }],
  ['name part, rare', { buyerName: 'uelva chic' }],
  ['name part without hits', { buyerName: 'no such name' }],
  ...['sequential', 'buyerName', 'issueDate', 'status'].flatMap((sortBy) =>
    ['asc', 'desc'].flatMap((sortDirection) => [
      [`by ${sortBy} ${sortDirection}`, { sortBy, sortDirection }],
      [`by ${sortBy} ${sortDirection}, page at half`, { sortBy, sortDirection }, 0.5],
    ]),
  ),
];

/** Mostly combinations of conditions, which no figure counts. */
const COMBINED_PAGES = [
  ['year and status', { from: '2024-01-01', to: '2024-12-31', status: 'AUTHORIZED' }],
  ['rare status, page at half', { status: 'RETURNED' }, 0.5],
  ['number part and status', { sequential: '123', status: 'AUTHORIZED' }],
  ['number part, page at half', { sequential: '123' }, 0.5],
  ['one digit, and status', { sequential: '7', status: 'AUTHORIZED' }],
  ['one digit, and rare status', { sequential: '7', status: 'RETURNED' }],
  ['one digit, and type', { sequential: '7', documentType: '04' }],
  ['one digit, and month', { sequential: '7', from: '2025-03-01', to: '2025-03-31' }],
  ['one digit, year and status', { sequential: '7', from: '2024-01-01', to: '2024-12-31', status: 'AUTHORIZED' }],
  ['wide totals, and status', { totalFrom: '100', totalTo: '900', status: 'AUTHORIZED' }],
  ['wide totals, and rare status', { totalFrom: '100', totalTo: '900', status: 'RETURNED' }],
  ['wide totals, and month', { totalFrom: '100', totalTo: '900', from: '2025-03-01', to: '2025-03-31' }],
  ['wide totals, and year', { totalFrom: '100', totalTo: '900', from: '2024-01-01', to: '2024-12-31' }],
  ['name part and status', { buyerName: 'maría', status: 'AUTHORIZED' }],
  ['one letter of a name, and status', { buyerName: 'a', status: 'AUTHORIZED' }],
  ['name part and rare status', { buyerName: 'maría', status: 'RETURNED' }],
  ['name part and type', { buyerName: 'maría', documentType: '04' }],
  ['one letter of a name, and type', { buyerName: 'a', documentType: '01' }],
  ['name part and half a year', { buyerName: 'maría', from: '2025-01-01', to: '2025-06-30' }],
  ['name part and month', { buyerName: 'maría', from: '2025-03-01', to: '2025-03-31' }],
  ['name part, page at half', { buyerName: 'maría' }, 0.5],
];

/**
 * The queries of a search field, under the heading `list-search-<documents>`. They are to be as fast as the pages by
 * themselves. The buyer of the rare identification has few documents, the final consumer has 30 % of all.
 */
const SEARCH_PAGES = [
  ['whole identification, rare', { buyerId: idOf(BUYERS - 7) }],
  ['whole identification, common', { buyerId: FINAL_CONSUMER }],
  ['whole identification, common, page at half', { buyerId: FINAL_CONSUMER }, 0.5],
  ['identification without hits', { buyerId: '1700000000' }],
  ['access key', { accessKey: '1234'.padStart(49, '0') }],
  ['one total', { totalFrom: '512.34', totalTo: '512.34' }],
  ['narrow totals', { totalFrom: '512', totalTo: '513' }],
  ['wide totals', { totalFrom: '100', totalTo: '900' }],
  ['wide totals, page at half', { totalFrom: '100', totalTo: '900' }, 0.5],
  ['totals of a type', { totalFrom: '999.99', documentType: '04' }],
  ['words: a common name', { q: 'maría' }],
  ['words: a rare name', { q: 'uelva chic' }],
  ['words: the beginning of an identification', { q: '17100' }],
  ['words: a number', { q: '1234' }],
  ['words: number with branch and point', { q: '001-001-000001234' }],
  ['words: one digit', { q: '7' }],
  ['words: an access key', { q: '1234'.padStart(49, '0') }],
  ['words without hits', { q: 'no such words' }],
];

console.log(`# takes about ${isShort ? '30 seconds' : '4 minutes'} and ${isShort ? '0.2' : '3'} GB of temporary files`);
const folder = await mkdtemp(join(tmpdir(), 'sri-lists-'));
try {
  if (!process.argv.includes('--postgres')) {
    await measure('sqlite', async (size) => {
      const path = join(folder, `${size}.db`);
      const database = await openSqlite(path);
      const storage = createSqliteStorage({ database });
      return { storage, bytes: async () => (await stat(path)).size, close: async () => database.close() };
    });
  }
  if (!process.argv.includes('--sqlite')) {
    const { Pool } = (await import('pg')).default;
    const cluster = await startPostgres().catch((error) => {
      console.log(`# PostgreSQL is left out: ${error.message}`);
    });
    try {
      if (cluster)
        await measure('postgres', async (size) => {
          const options = `-c search_path=size_${size}`;
          const pool = new Pool({ connectionString: cluster.url, options, max: 4 });
          await pool.query(`create schema size_${size}`);
          const storage = createPostgresStorage({ pool });
          const bytes = async () => {
            const { rows } = await pool.query(`select sum(pg_total_relation_size(oid)) as bytes
            from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
            return Number(rows[0].bytes);
          };
          return { storage, bytes, close: () => pool.end() };
        });
    } finally {
      await cluster?.stop();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Fills both sizes, and prints each page's times on them. */
async function measure(name, open) {
  const sizes = [];
  for (const size of [SMALL, LARGE]) {
    const opened = await open(size);
    const started = performance.now();
    await fill(opened.storage, name, size);
    const filled = performance.now();
    await opened.storage.migrate();
    const migrated = performance.now();
    if (name === 'postgres') await sql`vacuum analyze`.execute(opened.storage.kysely);
    const seconds = [filled - started, migrated - filled].map((ms) => (ms / 1000).toFixed(1));
    const bytes = Math.round((await opened.bytes()) / size);
    console.log(`# ${name} ${size}: filled in ${seconds[0]} s, migrated in ${seconds[1]} s, ${bytes} bytes a document`);
    sizes.push(opened);
  }
  printRow(`list.${name}`, [`${SMALL} p50`, 'p95', `${LARGE} p50`, 'p95', 'ratio', 'cpu ratio']);
  for (const [title, pages] of [
    ['by itself', PAGES],
    [`list-search-${LARGE}`, SEARCH_PAGES],
    ['combined', COMBINED_PAGES],
  ]) {
    console.log(`# ${title}, ms`);
    for (const [page, query, place] of pages) {
      const storages = sizes.map(({ storage }) => storage);
      printTimes(name, page, await timesOf(storages, query, place));
    }
  }
  console.log('# one more document, ms');
  printTimes(name, 'create', await timesOfCreating(sizes.map(({ storage }) => storage)));
  for (const { close } of sizes) await close();
}

function printTimes(name, title, [small, large]) {
  const ratio = large.p50 / small.p50;
  const decisive = name === 'sqlite' ? large.cpu / small.cpu : ratio;
  const values = [small.p50, small.p95, large.p50, large.p95, ratio, ...(name === 'sqlite' ? [decisive] : [])];
  const cells = values.map((value) => value.toFixed(2));
  printRow(title, decisive > 2 ? [...cells, '> 2'] : cells);
}

/** Measures the storages in turns, so that other load on the machine slows down both. */
async function timesOf(storages, query, place = 0) {
  const limit = 10;
  const measured = [];
  for (const storage of storages) {
    const { total } = await storage.listDocuments(SCOPE, { ...query, page: 1, limit });
    measured.push({ storage, page: Math.max(1, Math.ceil((total / limit) * place)) });
  }
  return takeTurns(
    measured.map(
      ({ storage, page }) =>
        () =>
          storage.listDocuments(SCOPE, { ...query, page, limit }),
    ),
  );
}

/** As `timesOf`, for documents that are stored one by one. */
async function timesOfCreating(storages) {
  const counter = { ...SCOPE, documentType: '01' };
  const works = [];
  for (const storage of storages) {
    let sequential = await storage.nextSequential(counter);
    const { total } = await storage.listDocuments(SCOPE, { documentType: '01', page: 1, limit: 1 });
    await storage.setNextSequential(counter, Math.max(sequential, total + 1));
    sequential = await storage.nextSequential(counter);
    works.push(async () => {
      const documents = [sampleDocument(counter, sequential, { createdAt: new Date(), updatedAt: new Date() })];
      const { kind } = await storage.storeDocuments({ counter, firstSequential: sequential, documents });
      if (kind !== 'stored') throw new Error(kind);
      sequential += 1;
    });
  }
  return takeTurns(works);
}

async function takeTurns(works) {
  const measured = works.map((work) => ({ work, times: [], cpus: [] }));
  const giveUpAt = performance.now() + MOST_MS;
  for (let round = 0; round < ROUNDS + WARM_UP && (round < 10 || performance.now() < giveUpAt); round += 1) {
    for (const { work, times, cpus } of measured) {
      const cpuBefore = process.cpuUsage();
      const started = performance.now();
      await work();
      if (round < WARM_UP) continue;
      times.push(performance.now() - started);
      const { user, system } = process.cpuUsage(cpuBefore);
      cpus.push(user + system);
    }
  }
  const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
  return measured.map(({ times, cpus }) => ({ p50: at(times, 0.5), p95: at(times, 0.95), cpu: at(cpus, 0.5) }));
}

/** Documents one after the other over three years: 5 % credit notes, 92 % authorized, 30 % to the final consumer. */
async function fill({ kysely, traits }, name, size) {
  await runMigrations(kysely, traits, CORE_MIGRATIONS);
  const isSqlite = name === 'sqlite';
  const pad = (value, length) =>
    isSqlite ? `printf('%0${length}d', ${value})` : `lpad(cast(${value} as text), ${length}, '0')`;
  const day = (ms) =>
    isSqlite
      ? `date((${ms}) / 1000, 'unixepoch')`
      : `to_char(to_timestamp((${ms}) / 1000) at time zone 'UTC', 'YYYY-MM-DD')`;
  const series = isSqlite
    ? `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${size}) select n from s)`
    : `(select cast(g as bigint) as n from generate_series(1, ${size}) as g)`;
  await kysely.transaction().execute(async (transaction) => {
    const run = (text) => sql.raw(text).execute(transaction);
    await run(
      'create table bench_buyers (place integer primary key, id text not null, name text not null, folded text not null)',
    );
    const buyers = makeBuyers();
    for (let start = 0; start < buyers.length; start += 500) {
      const rows = buyers.slice(start, start + 500).map((buyer, index) => ({
        place: start + index,
        id: idOf(start + index),
        name: buyer,
        folded: foldCase(buyer),
      }));
      await transaction.insertInto('bench_buyers').values(rows).execute();
    }
    const created = `(${FIRST_DAY} + n * ${Math.floor(SPAN_MS / size)})`;
    const shuffled = '(n * 7919 % 100003)';
    const status = `case when ${shuffled} % 100 < 92 then 'AUTHORIZED' when ${shuffled} % 100 < 95 then 'VOIDED'
      when ${shuffled} % 100 = 95 then 'RETURNED' when ${shuffled} % 100 = 96 then 'NOT_AUTHORIZED'
      when ${shuffled} % 100 = 97 then 'RECEIVED' when ${shuffled} % 100 = 98 then 'PENDING_SEND' else 'SIGNED' end`;
    // Squared, so that some buyers come back far more often than others.
    const spread = '(n * 104729 % 99991)';
    const place = `case when n % 10 < 3 then 0 else 1 + ${spread} * ${spread} / 99991 * ${BUYERS - 1} / 99991 end`;
    const number = 'case when n % 20 = 0 then n / 20 else n - n / 20 end';
    await run(`insert into sri_documents (id, issuer_id, environment, document_type, sequential,
        access_key, status, issue_date, total_cents, counterparty_id_type, counterparty_id, counterparty_name,
        counterparty_name_folded, counterparty_email, mail_status, payload_hash, created_at, updated_at, revision,
        status_group)
      select ${isSqlite ? '' : 'cast('}'01990000-0000-7000-8000-' || ${pad('n', 12)}${isSqlite ? '' : ' as uuid)'},
        ${isSqlite ? '' : 'uuid '}'${SCOPE.issuerId}', '${SCOPE.environment}',
        case when n % 20 = 0 then '04' else '01' end, ${number}, ${pad('n', 49)}, ${status},
        ${day(`${created} - case when n % 7 = 0 then ${DAY_MS} else 0 end`)}, 100 + ${shuffled}, '05',
        bench_buyers.id, name, folded, 'buyer@example.com', 'SENT',
        '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', ${created}, ${created}, 4,
        case when ${shuffled} % 100 < 92 then null when ${shuffled} % 100 < 97 then ${status} else 'OPEN' end
      from ${series} as numbers join bench_buyers on place = ${place} order by n`);
    await run('drop table bench_buyers');
    await run(`insert into sri_figures
        (issuer_id, environment, status, document_type, issue_date, created_day, part, documents, total_cents)
      select issuer_id, environment, status, document_type, issue_date, created_at / ${DAY_MS}, 0, count(*), sum(total_cents)
      from sri_documents group by 1, 2, 3, 4, 5, 6`);
    await run(`insert into sri_access_keys (access_key, issuer_id, document_id)
      select access_key, issuer_id, id from sri_documents order by 1`);
    await run(`insert into sri_names (issuer_id, environment, name, counterparty_id, document_type, part, documents, authorized)
      select issuer_id, environment, counterparty_name_folded, counterparty_id, document_type, 0, count(*),
        sum(case when status = 'AUTHORIZED' then 1 else 0 end)
      from sri_documents group by 1, 2, 3, 4, 5`);
    for (const [sortedBy, block] of [
      ['sequential', 'substr(cast(1000000 + sequential / 1000 as text), 2)'],
      ['counterparty_name', 'substr(counterparty_name_folded, 1, 3)'],
      [
        'total',
        `substr(cast(100 + length(cast(total_cents as text)) as text), 2) || substr(cast(total_cents as text), 1, 3)`,
      ],
    ]) {
      await run(`insert into sri_blocks (issuer_id, environment, sorted_by, block, document_type, part, documents)
        select issuer_id, environment, '${sortedBy}', ${block}, document_type, 0, count(*)
        from sri_documents group by 1, 2, 4, 5`);
    }
  });
}

/** Names as they are in Ecuador, each once; the first is the final consumer. */
function makeBuyers() {
  const given = 'María José Luis Ana Carlos Rosa Juan Carmen Jorge Luz Ángel Narcisa Byron Óscar Íñigo Mercedes'.split(
    ' ',
  );
  const families =
    'Núñez Zambrano Vera Cedeño Mendoza Muñoz Guamán Quishpe Paredes Huelva Chicaiza Yépez Ordóñez Alvarado Bravo Cevallos Delgado Espinoza Flores Guerrero Hidalgo Intriago Jaramillo Loor Macías Naranjo Ortiz Ponce Quinteros Rivas Salazar Tapia Ureña Villacís Ximénez Zurita'.split(
      ' ',
    );
  const names = ['CONSUMIDOR FINAL'];
  for (let index = 0; names.length < BUYERS; index += 1) {
    const shuffled = (index * 7919) % (given.length * families.length * families.length);
    const first = families[shuffled % families.length];
    const second = families[Math.floor(shuffled / families.length) % families.length];
    names.push(`${given[Math.floor(shuffled / families.length ** 2)]} ${first} ${second}`);
  }
  return names;
}

function printRow(name, cells) {
  console.log(`${name.padEnd(32)}${cells.map((cell) => cell.padStart(12)).join('')}`);
}
