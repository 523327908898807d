import type { Kysely, Transaction } from 'kysely';
import type { DocumentContents } from 'sri-core';
import { packContents, unpackContents, unpackDictionary } from './contents-codec.js';
import type { CoreTables, DictionariesTable } from './schema.js';

/** The large parts of a document; null when there are none. */
export async function readContents(db: Kysely<CoreTables>, documentId: string): Promise<DocumentContents | null> {
  return (await readPacked(db, documentId))?.contents ?? null;
}

/** Dictionaries, before the contents that refer to them. */
export async function insertDictionaries(
  transaction: Transaction<CoreTables>,
  dictionaries: readonly DictionariesTable[],
): Promise<void> {
  for (const dictionary of dictionaries) {
    // Another process may have been storing the same one meanwhile.
    await transaction
      .insertInto('sri_dictionaries')
      .values(dictionary)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
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
