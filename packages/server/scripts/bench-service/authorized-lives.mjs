// Stores many documents with complete histories through the server's own storage: created, queued, sent, authorized,
// notified and mailed, each step a transaction for many. Every row is rewritten as often as by the server, so that tables
// and indexes have the same holes and dead rows.
import { createUuidSource, formatSequential, systemRandom, toIssueDate } from 'sri-core';
import { createPostgresStorage, createSqliteStorage, openSqlite } from 'sri-storage-adapters';
import { idempotencyKey, pickBuyer } from './business.mjs';
import { event, likeSample } from './stored-documents.mjs';

const newId = createUuidSource(systemRandom);
const DAY_MS = 86_400_000;
const DAYS = 365;
const OPENS_MS = 13 * 3_600_000;
const OPEN_MS = 12 * 3_600_000;
/** Authorizations of an issuer within this time share a notification; see the server's own. */
const SHARED_MS = 60_000;
const MOST_NAMED = 50;

/**
 * Documents of the first issuer per transaction. On PostgreSQL no more than a busy server commits at once: a
 * transaction cannot reuse its own dead rows, so larger ones would leave larger tables than a real server.
 */
const BATCHES = { sqlite: 64, postgres: 16 };
const LARGEST_BATCHES = 3;
const OTHERS_A_ROUND = 8;

/**
 * The storage without the server's additions to its transactions, which this file adds for many documents at a time.
 * Commits do not wait for the disk; the final content of the disk is the same.
 */
export async function openBareStorage({ database, dataDirectory, databaseUrl }) {
  if (database === 'sqlite') {
    const opened = await openSqlite(`${dataDirectory}/app.db`);
    const storage = createSqliteStorage({ database: opened });
    opened.pragma('synchronous = OFF');
    opened.pragma('cache_size = -1000000');
    return { storage, batchSize: BATCHES.sqlite, close: async () => opened.close() };
  }
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: databaseUrl, max: 6, options: '-c synchronous_commit=off' });
  return { storage: createPostgresStorage({ pool }), batchSize: BATCHES.postgres, close: () => pool.end() };
}

/**
 * Adds documents over the days of the last year, in the order of time, until there are `count`.
 *
 * @param issuers `{ tenantId, samples }`, the largest first; its documents are made from the samples.
 */
export async function addAuthorized({ storage, batchSize }, issuers, count, say = () => {}) {
  const next = new Map();
  let before = 0;
  for (const issuer of issuers) {
    next.set(issuer, await storage.nextSequential(counterOf(issuer)));
    before += next.get(issuer) - 1;
  }
  const began = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS;
  const open = new Map();
  const startedAt = performance.now();
  let turn = 1;
  for (let stored = before; stored < count; ) {
    const round = [];
    const add = (issuer, size) => {
      const first = next.get(issuer);
      next.set(issuer, first + size);
      round.push({ issuer, first, size });
    };
    for (let batch = 0; batch < LARGEST_BATCHES; batch += 1) add(issuers[0], batchSize);
    for (let other = 0; other < OTHERS_A_ROUND && issuers.length > 1; other += 1) {
      add(issuers[turn], batchSize / OTHERS_A_ROUND);
      turn = turn + 1 < issuers.length ? turn + 1 : 1;
    }
    const planned = round.reduce((sum, { size }) => sum + size, 0);
    const timeOf = (share) => {
      const days = ((stored + share * planned) / count) * DAYS;
      const day = Math.floor(days);
      return new Date(began + day * DAY_MS + OPENS_MS + Math.floor((days - day) * OPEN_MS));
    };
    await liveRound(storage, round, { timeOf, open, count });
    stored += planned;
    const seconds = (performance.now() - startedAt) / 1000;
    if (Math.floor(stored / planned) % 40 === 0) say(`${stored} of ${count} after ${seconds.toFixed(0)} s`);
  }
}

// --- internal ---

function counterOf({ samples: [{ document }] }) {
  const { issuerId, environment, documentType } = document;
  return { issuerId, environment, documentType };
}

async function liveRound(storage, round, { timeOf, open, count }) {
  const lives = [];
  const byIssuer = Map.groupBy(round, ({ issuer }) => issuer);
  await Promise.all(
    [...byIssuer].map(async ([issuer, batches]) => {
      const size = batches.reduce((sum, batch) => sum + batch.size, 0);
      let made = 0;
      for (const { first, size: length } of batches) {
        const documents = Array.from({ length }, (_, index) => {
          const at = timeOf((made + index) / size);
          const sample = issuer.samples[(first + index) % issuer.samples.length];
          const one = likeSample(sample, {
            sequential: first + index,
            at,
            status: 'SIGNED',
            job: null,
            buyer: pickBuyer(issuer.share * count),
          });
          return { ...one, document: { ...one.document, idempotencyKey: idempotencyKey() } };
        });
        made += length;
        const { kind } = await storage.storeDocuments({
          counter: counterOf(issuer),
          firstSequential: first,
          documents,
        });
        if (kind !== 'stored') throw new Error(`The documents were not stored: ${kind}.`);
        lives.push(...documents.map(({ document }) => ({ document, tenantId: issuer.tenantId })));
      }
    }),
  );
  await storage.transaction((tables) => countUsage(tables, lives));
  const ids = lives.map(({ document }) => document.id);
  // The first two steps change no final count, so the last step counts as one from SIGNED.
  await storage.transaction(async (tables) => {
    await setStatus(tables, ids, 'PENDING_SEND');
    await insertAll(tables, 'sri_jobs', lives.map(toJobRow));
  });
  await storage.transaction((tables) =>
    tables.updateTable('sri_jobs').set(CLAIMED).where('document_id', 'in', ids).execute(),
  );
  await storage.transaction(async (tables) => {
    await setStatus(tables, ids, 'RECEIVED');
    await tables.updateTable('sri_jobs').set(ASKING).where('document_id', 'in', ids).execute();
  });
  await storage.transaction((tables) =>
    tables.updateTable('sri_jobs').set(CLAIMED).where('document_id', 'in', ids).execute(),
  );
  await authorizeAll(storage, lives);
  const mails = lives.map(toMail);
  await storage.transaction(async (tables) => {
    await insertAll(tables, 'jobs', mails);
    await tell(tables, lives, open);
  });
  const mailIds = mails.map(({ id }) => id);
  await storage.transaction((tables) =>
    tables
      .updateTable('jobs')
      .set(({ ref }) => ({ lease_until: ref('due_at'), ready_at: ref('due_at'), lease_token: 1, reports: '' }))
      .where('id', 'in', mailIds)
      .execute(),
  );
  await storage.transaction(async (tables) => {
    await tables
      .updateTable('jobs')
      .set(({ ref }) => ({ status: 'SENT', done_at: ref('due_at'), attempt_count: 1, lease_until: null }))
      .where('id', 'in', mailIds)
      .execute();
    await tables
      .updateTable('sri_documents')
      .set(({ ref }) => ({ mail_status: 'SENT', mail_sent_at: ref('created_at'), revision: 3 }))
      .where('id', 'in', ids)
      .execute();
    const events = lives.map(({ document: { id, issuerId, createdAt: at, counterparty } }, index) => {
      const detail = JSON.stringify({ messageId: mailIds[index], recipient: counterparty.email, attempt: 1 });
      return {
        document_id: id,
        issuer_id: issuerId,
        revision: 3,
        position: 0,
        event_type: 'EMAIL_SENT',
        detail,
        created_at: at.getTime(),
      };
    });
    await insertAll(tables, 'sri_events', events);
  });
}

const CLAIMED = { lease_token: 1_000_001, lease_until: 1, ready_at: 1, unconfirmed: 1 };
const ASKING = { operation: 'AUTHORIZE', lease_until: null, ready_at: 0, unconfirmed: 0 };

function setStatus(tables, ids, status) {
  return tables.updateTable('sri_documents').set({ status }).where('id', 'in', ids).execute();
}

function toJobRow({ document: { id, issuerId, createdAt } }) {
  const due = createdAt.getTime();
  return {
    document_id: id,
    issuer_id: issuerId,
    operation: 'SEND',
    status: 'PENDING',
    due_at: due,
    attempt_count: 0,
    unconfirmed: 0,
    lease_token: 1_000_000,
    ready_at: due,
  };
}

/** The last step of each document, through the storage, which also counts it. Updates `lives`. */
async function authorizeAll(storage, lives) {
  const outcomes = await Promise.all(
    lives.map((life) => {
      const { document } = life;
      const at = document.createdAt;
      const set = { status: 'AUTHORIZED', authorization: { number: document.accessKey, date: ecuadorTime(at) } };
      const toResponse = (operationType, status) => ({
        id: newId(at),
        operationType,
        status,
        messages: [],
        createdAt: at,
      });
      life.document = { ...document, ...set, revision: 2 };
      return storage.changeDocument({
        document,
        set,
        events: [
          event('STATUS_CHANGED', 'SIGNED', 'PENDING_SEND', at),
          event('SENT', 'PENDING_SEND', 'RECEIVED', at, { sriStatus: 'RECIBIDA' }),
          event('STATUS_CHANGED', 'RECEIVED', 'AUTHORIZED', at),
        ],
        responses: [toResponse('RECEPTION', 'RECIBIDA'), toResponse('AUTHORIZATION', 'AUTORIZADO')],
        job: null,
        at,
      });
    }),
  );
  if (outcomes.some((outcome) => outcome !== 'applied')) throw new Error('A document was not authorized.');
}

async function countUsage(tables, lives) {
  const counts = Map.groupBy(lives, ({ tenantId, document }) =>
    JSON.stringify([tenantId, document.environment, `${ecuadorTime(document.createdAt).slice(0, 7)}-01`]),
  );
  const rows = [...counts].map(([key, { length }]) => {
    const [tenant_id, environment, period] = JSON.parse(key);
    return { tenant_id, environment, period, document_count: length };
  });
  await tables
    .insertInto('document_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'environment', 'period']).doUpdateSet((set) => ({
        document_count: set('document_usage.document_count', '+', set.ref('excluded.document_count')),
      })),
    )
    .execute();
}

function toMail({ document, tenantId }) {
  const at = document.createdAt.getTime();
  return {
    id: newId(document.createdAt),
    tenant_id: tenantId,
    kind: 'MAIL',
    subject: 'AUTHORIZED',
    lane: tenantId,
    recipient: document.counterparty.email,
    language: 'es',
    data: '{}',
    master_key_id: null,
    wrapped_key: null,
    sealed_token: null,
    status: 'PENDING',
    attempt_count: 0,
    due_at: at,
    ready_at: at,
    lease_token: 0,
    last_error: null,
    created_at: at,
    document_id: document.id,
    issuer_id: document.issuerId,
    environment: document.environment,
    access_key: document.accessKey,
    authorization_of: document.id,
    requested: 0,
    reports: '',
  };
}

/** Stores the notifications of the documents. An open one is written once, with its last content, in the next round. */
async function tell(tables, lives, open) {
  const fresh = [];
  const enlarged = new Set();
  for (const { document, tenantId } of lives.toSorted((a, b) => a.document.createdAt - b.document.createdAt)) {
    const named = {
      accessKey: document.accessKey,
      sequential: formatSequential(document.sequential),
      buyerName: document.counterparty.name,
      buyerId: document.counterparty.id,
      total: document.total,
      issueDate: toIssueDate(document.issueDate),
      // The authorization number is the access key, which the server stores once.
    };
    const last = open.get(document.issuerId);
    if (last && document.createdAt - last.at < SHARED_MS) {
      last.documents = [named, ...last.documents].slice(0, MOST_NAMED);
      last.count += 1;
      enlarged.add(last);
      continue;
    }
    const begun = {
      id: newId(document.createdAt),
      at: document.createdAt,
      tenantId,
      document,
      documents: [named],
      count: 1,
    };
    open.set(document.issuerId, begun);
    fresh.push(begun);
  }
  // First as the first document of a minute creates them; then as the last one updates them.
  await insertAll(
    tables,
    'notifications',
    fresh.map((one) => toNotification({ ...one, documents: one.documents.slice(-1), count: 1 })),
  );
  for (const one of enlarged) {
    const { title, message, metadata } = toNotification(one);
    await tables.updateTable('notifications').set({ title, message, metadata }).where('id', '=', one.id).execute();
  }
  const lastIds = new Map(fresh.map(({ tenantId, id }) => [tenantId, id]));
  await tables
    .insertInto('notification_cursors')
    .values([...lastIds].map(([tenant_id, last_id]) => ({ tenant_id, last_id })))
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet((set) => ({ last_id: set.ref('excluded.last_id') })),
    )
    .execute();
}

function toNotification({ id, at, tenantId, document, documents, count }) {
  const [{ sequential, buyerName }] = documents;
  return {
    id,
    tenant_id: tenantId,
    issuer_id: document.issuerId,
    environment: document.environment,
    type: 'DOCUMENT_AUTHORIZED',
    severity: 'INFO',
    title: count === 1 ? 'Comprobante autorizado' : 'Comprobantes autorizados',
    message:
      count === 1
        ? `El comprobante ${sequential} para ${buyerName} fue autorizado por el SRI.`
        : `El SRI autorizó ${count} comprobantes.`,
    metadata: JSON.stringify({ documents, count }),
    read_at: null,
    expires_at: null,
    created_at: at.getTime(),
  };
}

/** Inserts rows of one table, at most as many per statement as every database accepts. */
async function insertAll(tables, table, rows) {
  for (let start = 0; start < rows.length; start += 200) {
    await tables
      .insertInto(table)
      .values(rows.slice(start, start + 200))
      .execute();
  }
}

function ecuadorTime(at) {
  return `${new Date(at.getTime() - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00`;
}
