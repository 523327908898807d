import { buildAccessKey } from '../access-key.js';
import { toIssueDate } from '../calendar.js';
import { historyId } from '../lifecycle/history.js';
import { createUuidSource, randomDigits, systemRandom } from '../random.js';
import type {
  Counter,
  DocumentContents,
  DocumentEvent,
  NewDocument,
  Scope,
  Storage,
  StoredDocument,
} from '../storage.js';

/** The fields of a document that a test can set; the others have defaults. */
export type Sample = Partial<StoredDocument> & { readonly contents?: Partial<DocumentContents> };

/** The default creation time of sample documents. */
export const SAMPLE_TIME = new Date('2026-11-21T12:00:00.000Z');

/** A unique issuer. Its id is text of the caller's own, which may sort before digits. */
export function sampleScope(environment: Scope['environment'] = 'sandbox'): Scope {
  return { issuerId: `# ${newId(SAMPLE_TIME).slice(-12)}`, environment };
}

/** A document in the engine's form, signed and with its first event. */
export function sampleDocument(counter: Counter, sequential: number, sample: Sample = {}): NewDocument {
  const { contents, ...fields } = sample;
  const createdAt = fields.createdAt ?? SAMPLE_TIME;
  const issueDate = fields.issueDate ?? '2026-11-21';
  const accessKey = sampleAccessKey(counter, sequential, issueDate);
  const document: StoredDocument = {
    id: newId(createdAt),
    issuerId: counter.issuerId,
    environment: counter.environment,
    documentType: counter.documentType,
    sequential,
    accessKey,
    status: 'SIGNED',
    issueDate,
    total: '115.00',
    counterparty: { idType: '05', id: '1710034065', name: 'María Fernanda Núñez', email: 'maria@ejemplo.com' },
    copies: [],
    modifies: null,
    authorization: null,
    voided: null,
    mail: { status: 'PENDING', sentAt: null, error: null },
    idempotencyKey: null,
    payloadHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    createdAt,
    updatedAt: createdAt,
    revision: 1,
    job: null,
    ...fields,
  };
  return {
    document,
    contents: {
      signedXml: `<factura id="comprobante"><claveAcceso>${document.accessKey}</claveAcceso></factura>`,
      requestPayload: { documentType: counter.documentType, issueDate: toIssueDate(issueDate) },
      authorizedXml: null,
      ...contents,
    },
    events: [
      sampleEvent({
        id: historyId(document.id, 'event', { revision: document.revision, position: 0 }),
        eventType: 'CREATED',
        toStatus: 'SIGNED',
        createdAt,
      }),
    ],
  };
}

/** An access key with a valid check digit and random free digits. */
export function sampleAccessKey(counter: Counter, sequential: number, issueDate = '2026-11-21') {
  return buildAccessKey({
    issueDate: toIssueDate(issueDate),
    documentType: counter.documentType,
    ruc: '1790012345001',
    environment: counter.environment,
    branchCode: '001',
    issuePointCode: '001',
    sequential,
    numericCode: randomDigits(systemRandom, 8),
  });
}

export function sampleEvent(fields: Partial<DocumentEvent> = {}): DocumentEvent {
  const createdAt = fields.createdAt ?? SAMPLE_TIME;
  return {
    id: newId(createdAt),
    eventType: 'STATUS_CHANGED',
    fromStatus: null,
    toStatus: null,
    detail: null,
    ...fields,
    createdAt,
  };
}

/** Stores documents one after another under the counter's next numbers. @returns them unchanged. */
export async function storeSamples(
  storage: Storage,
  counter: Counter,
  samples: readonly Sample[],
): Promise<readonly StoredDocument[]> {
  const first = await storage.nextSequential(counter);
  const documents = samples.map((sample, index) => sampleDocument(counter, first + index, sample));
  const outcome = await storage.storeDocuments({ counter, firstSequential: first, documents });
  if (outcome.kind !== 'stored') throw new Error(`The sample documents were not stored: ${outcome.kind}.`);
  return documents.map(({ document }) => document);
}

/** Stores one document. */
export async function storeSample(storage: Storage, counter: Counter, sample: Sample = {}): Promise<StoredDocument> {
  const [document] = await storeSamples(storage, counter, [sample]);
  if (!document) throw new Error('The sample document was not stored.');
  return document;
}

// --- internal ---

const newId = createUuidSource(systemRandom);
