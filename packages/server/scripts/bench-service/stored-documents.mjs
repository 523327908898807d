// Documents put straight into a server's database, as its own storage writes them: what thousands of requests would have
// left behind, in the time of a benchmark.
import { randomBytes, randomInt } from 'node:crypto';
import { buildAccessKey, createUuidSource, systemClock, systemRandom } from 'sri-core';
import { openDatabase, readConfig } from '../../dist/index.js';

const newId = createUuidSource(systemRandom);
const BATCH = 64;
const DAY_MS = 86_400_000;

/** The database of a place, opened beside the server or without it. Close it before the server is measured. */
export function openStored(place) {
  const config = readConfig({ DATA_DIR: place.dataDirectory, DATABASE_URL: place.databaseUrl });
  return openDatabase(config, systemClock);
}

/** The one document of an issuer that was made over HTTP, with its contents: what the others are made like. */
export async function readSample({ storage }, scope) {
  const { documents } = await storage.listDocuments(scope, { page: 1, limit: 1 });
  const [document] = documents;
  if (!document) throw new Error('There is no document to go by.');
  return { document, contents: await storage.readContents(scope, document.accessKey) };
}

/**
 * Adds documents that the SRI has authorized, with the history and the mail of such, over the last year.
 *
 * @param sample see `readSample`. Keys, numbers, digests, signatures, names and days differ from document to document.
 */
export async function addAuthorized({ storage }, sample, count, say = () => {}) {
  const { issuerId, environment, documentType } = sample.document;
  const counter = { issuerId, environment, documentType };
  const first = await storage.nextSequential(counter);
  const started = Date.now() - 365 * DAY_MS;
  for (let stored = 0; stored < count; stored += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - stored) }, (_, index) => {
      const at = new Date(started + Math.floor(((stored + index) / count) * 365 * DAY_MS));
      return likeSample(sample, { sequential: first + stored + index, at, status: 'RECEIVED', job: null });
    });
    const { kind } = await storage.storeDocuments({ counter, firstSequential: first + stored, documents });
    if (kind !== 'stored') throw new Error(`The documents were not stored: ${kind}.`);
    const outcomes = await Promise.all(
      documents.map(({ document }) => storage.changeDocument(authorization(document))),
    );
    if (outcomes.some((outcome) => outcome !== 'applied')) throw new Error('A document was not authorized.');
    if ((stored / BATCH) % 1000 === 0) say(`${stored} of ${count}`);
  }
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

/** A document like the sample, with everything of its own that a compressor cannot guess. */
export function likeSample(
  { document: sample, contents },
  { sequential, at, status, job, issuer = sample.issuerId, code = randomInt(1e8) },
) {
  const day = at.toISOString().slice(0, 10);
  const accessKey = buildAccessKey({
    issueDate: day.split('-').reverse().join('/'),
    documentType: sample.documentType,
    ruc: sample.accessKey.slice(10, 23),
    environment: sample.environment,
    branchCode: sample.accessKey.slice(24, 27),
    issuePointCode: sample.accessKey.slice(27, 30),
    sequential,
    numericCode: String(code).padStart(8, '0'),
  });
  const name = `${GIVEN[randomInt(GIVEN.length)]} ${FAMILIES[randomInt(FAMILIES.length)]} ${FAMILIES[randomInt(FAMILIES.length)]}`;
  const buyer = {
    ...sample.buyer,
    name,
    id: String(randomInt(1e9, 1e10 - 1)),
    email: `${randomBytes(6).toString('hex')}@example.com`,
  };
  const cents = randomInt(100, 100_000);
  const total = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  const renew = (text) =>
    text
      .replaceAll(sample.accessKey, accessKey)
      .replaceAll(sample.buyer.name, buyer.name)
      .replaceAll(sample.buyer.id, buyer.id)
      .replaceAll(sample.buyer.email, buyer.email)
      .replace(/(?<=<importeTotal>)[^<]+/, total)
      .replaceAll(/(?<=DigestValue>)[^<]{20,}(?=<)/g, () => randomBytes(20).toString('base64'))
      .replace(/(?<=<[^/<>]*SignatureValue[^<>]*>)[^<]+/, () => randomBytes(256).toString('base64'));
  const events = [
    event('CREATED', null, 'SIGNED', at),
    event('QUEUED', 'SIGNED', 'PENDING_SEND', at),
    ...(status === 'RECEIVED' ? [event('SENT', 'PENDING_SEND', 'RECEIVED', at, { sriStatus: 'RECIBIDA' })] : []),
  ];
  return {
    document: {
      ...sample,
      id: newId(at),
      issuerId: issuer,
      sequential,
      accessKey,
      status,
      issueDate: day,
      total,
      buyer,
      idempotencyKey: newId(at),
      payloadHash: randomBytes(32).toString('hex'),
      createdAt: at,
      updatedAt: at,
      revision: 1,
      job,
    },
    contents: {
      requestPayload: JSON.parse(renew(JSON.stringify(contents.requestPayload))),
      signedXml: renew(contents.signedXml),
      authorizedXml: null,
    },
    events,
  };
}

/** A job that is due. */
export function newJob(operation, dueAt) {
  return { operation, status: 'PENDING', dueAt, attemptCount: 0, lastError: null, unconfirmed: false };
}

function authorization(document) {
  const at = document.createdAt;
  const date = at.toISOString().replace('Z', '-05:00');
  return {
    document,
    set: { status: 'AUTHORIZED', authorization: { number: document.accessKey, date } },
    events: [event('AUTHORIZED', 'RECEIVED', 'AUTHORIZED', at)],
    responses: [
      { id: newId(at), operationType: 'RECEPTION', status: 'RECIBIDA', messages: [], createdAt: at },
      { id: newId(at), operationType: 'AUTHORIZATION', status: 'AUTORIZADO', messages: [], createdAt: at },
    ],
    job: null,
    at,
  };
}

function event(eventType, fromStatus, toStatus, createdAt, detail = null) {
  return { id: newId(createdAt), eventType, fromStatus, toStatus, detail, createdAt };
}

const GIVEN = 'María José Luis Ana Carlos Rosa Juan Carmen Jorge Luz Ángel Narcisa Byron Óscar Íñigo Mercedes'.split(
  ' ',
);
const FAMILIES =
  'Núñez Zambrano Vera Cedeño Mendoza Muñoz Guamán Quishpe Paredes Huelva Chicaiza Yépez Ordóñez Alvarado Bravo Cevallos Delgado Espinoza Flores Guerrero Hidalgo Intriago Jaramillo Loor Macías Naranjo Ortiz Ponce Quinteros Rivas Salazar Tapia'.split(
    ' ',
  );
