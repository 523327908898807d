import type { Kysely, Transaction } from 'kysely';
import type { DocumentContents } from 'sri-core';
import { packContents, unpackContents, unpackDictionary } from './contents-codec.js';
import type { ContentsTable, CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';
import { isOneOf } from './value-lists.js';

/** The large parts of a document, as they are stored. */
export interface PackedContents extends Pick<ContentsTable, 'body' | 'dictionary_id'> {
  readonly issuer_id: string;
  readonly environment: string;
}

/** The packed contents, of whatever scope, of the documents that have or once had one of the access keys, by those. */
export async function findContents(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  accessKeys: readonly string[],
): Promise<ReadonlyMap<string, PackedContents>> {
  const rows = await db
    .selectFrom('sri_access_keys as key')
    .innerJoin('sri_documents as document', 'document.id', 'key.document_id')
    .innerJoin('sri_contents as contents', 'contents.document_id', 'document.id')
    .select(['key.access_key', 'issuer_id', 'environment', 'dictionary_id', 'body'])
    .where(isOneOf(traits, 'key.access_key', accessKeys))
    .execute();
  return new Map(rows.map((row) => [row.access_key, row]));
}

/** Unpacks contents, with dictionaries that it remembers: they are never changed, and larger than what they unpack. */
export function createContentsUnpacker(): {
  unpack(db: Kysely<CoreTables>, packed: PackedContents): Promise<DocumentContents>;
} {
  const known = new Map<string, Promise<Uint8Array>>();

  function find(db: Kysely<CoreTables>, id: string): Promise<Uint8Array> {
    const found = known.get(id) ?? readDictionary(db, id);
    known.delete(id);
    known.set(id, found);
    found.catch(() => known.delete(id));
    const [oldest] = known.keys();
    if (known.size > MOST_DICTIONARIES && oldest !== undefined) known.delete(oldest);
    return found;
  }

  return {
    async unpack(db, { body, dictionary_id }) {
      return unpackContents(body, dictionary_id === null ? null : await find(db, dictionary_id));
    },
  };
}

/** Replaces the parts that are named. To be called where nobody else changes the document. */
export async function updateContents(
  transaction: Transaction<CoreTables>,
  documentId: string,
  changed: Partial<DocumentContents>,
): Promise<void> {
  const packed = await readPacked(transaction, documentId);
  if (!packed) throw new Error('A stored document has lost its contents.');
  await transaction
    .updateTable('sri_contents')
    .set({ body: packContents({ ...packed.contents, ...changed }, packed.dictionary) })
    .where('document_id', '=', documentId)
    .execute();
}

// --- internal ---

/** Some 16 kB each. */
const MOST_DICTIONARIES = 64;

async function readDictionary(db: Kysely<CoreTables>, id: string): Promise<Uint8Array> {
  const { body } = await db
    .selectFrom('sri_dictionaries')
    .select('body')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return unpackDictionary(body);
}

async function readPacked(db: Kysely<CoreTables>, documentId: string) {
  const row = await db
    .selectFrom('sri_contents as contents')
    .leftJoin('sri_dictionaries as dictionary', 'dictionary.id', 'contents.dictionary_id')
    .select(['contents.body', 'dictionary.body as dictionary_body'])
    .where('contents.document_id', '=', documentId)
    .executeTakeFirst();
  if (!row) return null;
  const dictionary = row.dictionary_body && unpackDictionary(row.dictionary_body);
  return { contents: unpackContents(row.body, dictionary), dictionary };
}
