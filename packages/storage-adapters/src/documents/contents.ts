import { setImmediate } from 'node:timers/promises';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Kysely, Transaction } from 'kysely';
import type { DocumentContents, NewDocument } from 'sri-core';
import type { ContentsTable, CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { isOneOf } from '../sql/value-lists.js';

/** The compressed parts of a document, with its scope. */
export interface PackedContents extends PackedParts {
  readonly issuer_id: string;
  readonly environment: string;
  readonly revision: number;
}

/** Compresses the contents of new documents, before the transaction holds any lock. */
export async function packAll(added: readonly NewDocument[]): Promise<readonly ContentsTable[]> {
  const rows: ContentsTable[] = [];
  for (const { document, contents } of added) {
    rows.push({ document_id: document.id, issuer_id: document.issuerId, ...packContents(contents) });
    if (rows.length % PACKED_AT_A_STRETCH === 0) await setImmediate();
  }
  return rows;
}

/** Compresses each given part alone: a row needs no other row to be read. */
export function packContents(contents: DocumentContents): PackedParts;
export function packContents(contents: Partial<DocumentContents>): Partial<PackedParts>;
export function packContents(contents: Partial<DocumentContents>): Partial<PackedParts> {
  const { signedXml, requestPayload, authorizedXml } = contents;
  return {
    ...(signedXml !== undefined && { signed_xml: compress(signedXml) }),
    ...(requestPayload !== undefined && { request_payload: compress(JSON.stringify(requestPayload)) }),
    ...(authorizedXml !== undefined && { authorized_xml: authorizedXml === null ? null : compress(authorizedXml) }),
  };
}

/** As `unpackContents`. Reading a large document takes milliseconds: one of them is read in a turn of the event loop. */
export async function unpackInTurn(packed: PackedParts): Promise<DocumentContents> {
  const size = packed.signed_xml.length + packed.request_payload.length + (packed.authorized_xml?.length ?? 0);
  if (size > LARGE) {
    lastTurn = lastTurn.then(() => setImmediate());
    await lastTurn;
  }
  return unpackContents(packed);
}

/** Decompresses the output of `packContents`. */
export function unpackContents({ signed_xml, request_payload, authorized_xml }: PackedParts): DocumentContents {
  return {
    signedXml: inflateSync(signed_xml).toString(),
    requestPayload: JSON.parse(inflateSync(request_payload).toString()),
    authorizedXml: authorized_xml && inflateSync(authorized_xml).toString(),
  };
}

/** The compressed contents of the documents with these access keys, current or former, in any scope. */
export async function findContents(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  accessKeys: readonly string[],
): Promise<ReadonlyMap<string, PackedContents>> {
  const rows = await db
    .selectFrom('sri_access_keys as key')
    .innerJoin('sri_documents as document', 'document.id', 'key.document_id')
    .innerJoin('sri_contents as contents', 'contents.document_id', 'document.id')
    .select(['key.access_key', 'document.issuer_id', 'environment', 'document.revision'])
    .select(['signed_xml', 'request_payload', 'authorized_xml'])
    .where(isOneOf(traits, 'key.access_key', accessKeys))
    .execute();
  return new Map(rows.map((row) => [row.access_key, row]));
}

/** Replaces the given parts. The caller holds the lock of the document. */
export async function updateContents(
  transaction: Transaction<CoreTables>,
  documentId: string,
  changed: Partial<DocumentContents>,
): Promise<void> {
  const parts = packContents(changed);
  if (Object.keys(parts).length === 0) return;
  const { numUpdatedRows } = await transaction
    .updateTable('sri_contents')
    .set(parts)
    .where('document_id', '=', documentId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Error('A stored document has lost its contents.');
}

// --- internal ---

type PackedParts = Pick<ContentsTable, 'signed_xml' | 'request_payload' | 'authorized_xml'>;

/**
 * Level 3 takes half the time of the usual level, for 3 % more bytes of an invoice. Small windows and buffers make no
 * document larger and leave the processor's caches to other work.
 */
const COMPRESSION = { level: 3, windowBits: 13, memLevel: 6, chunkSize: 4096 };

function compress(text: string): Buffer {
  return deflateSync(text, COMPRESSION);
}

/** Compressed bytes; some fifty lines. Smaller documents are read in a fraction of a millisecond. */
const LARGE = 10_000;
/** The turn of the large document that is read last. */
let lastTurn: Promise<void> = Promise.resolve();

/** About 3 ms of work, then the event loop turns. */
const PACKED_AT_A_STRETCH = 32;
