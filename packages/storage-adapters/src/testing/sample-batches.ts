import { randomUUID } from 'node:crypto';
import {
  buildAccessKey,
  type Counter,
  historyId,
  type NewDocument,
  type NewDocuments,
  type StoredDocument,
} from 'sri-core';

/** The invoices of an issuer of this test alone. */
export function invoicesOf(issuerId: string = randomUUID()): Counter {
  return { issuerId, environment: 'sandbox', documentType: '01' };
}

/** Documents ready to be stored under the numbers from `first` on. */
export function sampleBatch(first: number, count = 1, counter: Counter = invoicesOf()): NewDocuments {
  const documents = Array.from({ length: count }, (_, index) => sampleDocument(counter, first + index));
  return { counter, firstSequential: first, documents };
}

/** A document in the form that the engine stores. */
export function sampleDocument(
  counter: Counter,
  sequential: number,
  { id = randomUUID(), ...fields }: Partial<StoredDocument> = {},
): NewDocument {
  const at = new Date('2026-11-21T12:00:00Z');
  const accessKey = buildAccessKey({
    issueDate: '21/11/2026',
    documentType: counter.documentType,
    ruc: '1790012345001',
    environment: counter.environment,
    branchCode: '001',
    issuePointCode: '001',
    sequential,
    numericCode: String(Math.floor(Math.random() * 1e8)).padStart(8, '0'),
  });
  return {
    document: {
      id,
      ...counter,
      sequential,
      accessKey,
      status: 'SIGNED',
      issueDate: '2026-11-21',
      total: '115.00',
      counterparty: { idType: '05', id: '1710034065', name: 'María Núñez', email: 'maria@ejemplo.com' },
      copies: [],
      modifies: null,
      authorization: null,
      voided: null,
      mail: { status: 'PENDING', sentAt: null, error: null },
      idempotencyKey: null,
      payloadHash: '',
      createdAt: at,
      updatedAt: at,
      revision: 1,
      job: null,
      ...fields,
    },
    contents: { signedXml: sampleXml(accessKey), requestPayload: { number: sequential }, authorizedXml: null },
    events: [
      {
        id: historyId(id, 'event', { revision: 1, position: 0 }),
        eventType: 'CREATED',
        fromStatus: null,
        toStatus: 'SIGNED',
        detail: null,
        createdAt: at,
      },
    ],
  };
}

// --- internal ---

/** Compresses as badly as a certificate: long, without a pattern. */
const CERTIFICATE = Buffer.from(
  Array.from({ length: 1500 }, (_, index) => Math.imul(index + 1, 2_654_435_761) >>> 24),
).toString('base64');

function sampleXml(accessKey: string): string {
  const detail = '<detalle><descripcion>Arroz superior</descripcion><cantidad>1.00</cantidad></detalle>';
  return `<factura id="comprobante"><claveAcceso>${accessKey}</claveAcceso>${detail.repeat(20)}<ds:X509Certificate>${CERTIFICATE}</ds:X509Certificate></factura>`;
}
