// Inserts documents directly into a server's database, as its own storage writes them: the result of thousands of
// requests, in the time of a benchmark.
import { randomBytes, randomInt } from 'node:crypto';
import { buildAccessKey, createUuidSource, systemClock, systemRandom } from 'sri-core';
import { openDatabase, readConfig } from '../../dist/index.js';
import { pickBuyer } from './business.mjs';

const newId = createUuidSource(systemRandom);

/** Opens the database of a place, with or without a running server. Close it before a measurement. */
export function openStored(place) {
  const config = readConfig({ DATA_DIR: place.dataDirectory, DATABASE_URL: place.databaseUrl });
  return openDatabase(config, systemClock);
}

/** The document of an issuer made over HTTP, with its contents: the sample for the others. */
export async function readSample({ storage }, scope) {
  const { documents } = await storage.listDocuments(scope, { page: 1, limit: 1 });
  const [document] = documents;
  if (!document) throw new Error('There is no document to go by.');
  return { document, contents: await storage.readContents(scope, document.accessKey) };
}

/** The first documents of an issuer, made over HTTP, with their contents and their owner. */
export async function readSamples(stored, issuerId, count) {
  const scope = { issuerId, environment: 'sandbox' };
  const { documents } = await stored.storage.listDocuments(scope, {
    sortBy: 'sequential',
    sortDirection: 'asc',
    page: 1,
    limit: count,
  });
  const samples = [];
  for (const document of documents) {
    samples.push({ document, contents: await stored.storage.readContents(scope, document.accessKey) });
  }
  const owner = await stored.database.read((tables) =>
    tables.selectFrom('issuers').select('tenant_id').where('id', '=', issuerId).executeTakeFirstOrThrow(),
  );
  return { tenantId: owner.tenant_id, samples };
}

/** Queues every signed document of a scope for the SRI. @returns how many. */
export async function queueSigned({ storage }, scope) {
  let queued = 0;
  for (;;) {
    const { documents } = await storage.listDocuments(scope, { status: 'SIGNED', page: 1, limit: 500 });
    if (documents.length === 0) return queued;
    const at = new Date();
    const outcomes = await Promise.all(
      documents.map((document) =>
        storage.changeDocument({
          document,
          set: { status: 'PENDING_SEND' },
          events: [event('QUEUED', 'SIGNED', 'PENDING_SEND', at)],
          responses: [],
          job: newJob('SEND', at),
          at,
        }),
      ),
    );
    queued += outcomes.filter((outcome) => outcome === 'applied').length;
  }
}

/** Counts the documents that wait for the SRI. */
export function countJobs({ database }) {
  return database.read(async (tables) => {
    const row = await tables
      .selectFrom('sri_jobs')
      .select(({ fn }) => fn.countAll().as('jobs'))
      .executeTakeFirstOrThrow();
    return Number(row.jobs);
  });
}

/**
 * A document like the sample, with its own value for everything that a compressor cannot predict: keys, number,
 * digests, signature and its ids, buyer, total and days.
 */
export function likeSample(
  sample,
  { sequential, at, status, job, issuer = sample.document.issuerId, code = randomInt(1e8), buyer = anyBuyer() },
) {
  const { document } = sample;
  const day = at.toISOString().slice(0, 10);
  const issued = day.split('-').reverse().join('/');
  const accessKey = buildAccessKey({
    issueDate: issued,
    documentType: document.documentType,
    ruc: document.accessKey.slice(10, 23),
    environment: document.environment,
    branchCode: document.accessKey.slice(24, 27),
    issuePointCode: document.accessKey.slice(27, 30),
    sequential,
    numericCode: String(code).padStart(8, '0'),
  });
  const cents = randomInt(100, 100_000);
  const total = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  const values = {
    accessKey,
    name: buyer.name,
    id: buyer.id,
    email: buyer.email,
    total,
    issued,
    sequential: String(sequential).padStart(9, '0'),
    ids: String(randomInt(1e6)).padStart(6, '0'),
    signedAt: `${at.toISOString().slice(0, 19)}-05:00`,
  };
  const { xml, payload } = templatesOf(sample);
  return {
    document: {
      ...document,
      id: newId(at),
      issuerId: issuer,
      sequential,
      accessKey,
      status,
      issueDate: day,
      total,
      counterparty: { ...document.counterparty, ...buyer },
      idempotencyKey: newId(at),
      payloadHash: randomBytes(32).toString('hex'),
      createdAt: at,
      updatedAt: at,
      revision: 1,
      job,
    },
    contents: { requestPayload: JSON.parse(payload(values)), signedXml: xml(values), authorizedXml: null },
    events: [
      event('CREATED', null, 'SIGNED', at),
      ...(status === 'RECEIVED'
        ? [
            event('STATUS_CHANGED', 'SIGNED', 'PENDING_SEND', at),
            event('SENT', 'PENDING_SEND', 'RECEIVED', at, { sriStatus: 'RECIBIDA' }),
          ]
        : []),
    ],
  };
}

/** A job that is due. */
export function newJob(operation, dueAt) {
  return { operation, status: 'PENDING', dueAt, attemptCount: 0, lastError: null, unconfirmed: false };
}

/** An entry of a document's history. */
export function event(eventType, fromStatus, toStatus, createdAt, detail = null) {
  return { id: newId(createdAt), eventType, fromStatus, toStatus, detail, createdAt };
}

// --- internal ---

const templates = new WeakMap();

function templatesOf(sample) {
  const known = templates.get(sample);
  if (known) return known;
  const { document, contents } = sample;
  const { name, id, email } = document.counterparty;
  const own = { [document.accessKey]: 'accessKey', [name]: 'name', [id]: 'id', [email]: 'email' };
  const literals = Object.keys(own).map((text) => RegExp.escape(text));
  const template = (text) => {
    const beforeCertificate = text.indexOf('<etsi:CertDigest');
    const marks = new RegExp(
      [
        literals.join('|'),
        '(?<=<secuencial>)\\d{9}',
        '(?<=<fechaEmision>)[^<]+',
        '(?<=<importeTotal>)[^<]+',
        '(?<=SigningTime>)[^<]+',
        '(?<=<ds:SignatureValue[^<>]*>)[^<]+',
        '(?<=<ds:DigestValue>)[^<]+',
        '(?<=[ "#](?:[A-Za-z-]|Signature\\d{6}-)+)\\d{6}(?=[-"])',
      ].join('|'),
      'g',
    );
    const pieces = [];
    let end = 0;
    for (const found of text.matchAll(marks)) {
      const before = text.slice(Math.max(0, found.index - 60), found.index);
      const slot = own[found[0]] ?? slotAfter(before, found.index > beforeCertificate);
      if (slot === null) continue;
      pieces.push(text.slice(end, found.index), slot);
      end = found.index + found[0].length;
    }
    pieces.push(text.slice(end));
    return (values) => {
      let made = '';
      for (let index = 0; index < pieces.length; index += 2) {
        made += pieces[index];
        const slot = pieces[index + 1];
        if (slot === 'digest') made += randomBytes(20).toString('base64');
        else if (slot === 'signature') made += randomBytes(256).toString('base64');
        else if (slot !== undefined) made += values[slot];
      }
      return made;
    };
  };
  const made = { xml: template(contents.signedXml), payload: template(JSON.stringify(contents.requestPayload)) };
  templates.set(sample, made);
  return made;
}

/** The kind of value after a text; null for a value that is the same in every document. */
function slotAfter(before, isBehindCertificate) {
  if (before.endsWith('<secuencial>')) return 'sequential';
  if (before.endsWith('<fechaEmision>')) return 'issued';
  if (before.endsWith('<importeTotal>')) return 'total';
  if (before.endsWith('SigningTime>')) return 'signedAt';
  if (before.endsWith('DigestValue>')) return isBehindCertificate ? null : 'digest';
  return before.endsWith('>') ? 'signature' : 'ids';
}

function anyBuyer() {
  const buyer = pickBuyer(100_000);
  return { ...buyer, email: `${randomBytes(6).toString('hex')}@example.com` };
}
