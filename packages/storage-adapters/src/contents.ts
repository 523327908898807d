import type { Kysely, Transaction } from 'kysely';
import type { DocumentContents } from 'sri-core';
import { packContents, unpackContents, unpackDictionary } from './contents-codec.js';
import type { PackedBatch } from './contents-packer.js';
import type { CoreTables } from './schema.js';
import { inBatches } from './values.js';

/** The large parts of a document; null when there are none. */
export async function readContents(db: Kysely<CoreTables>, documentId: string): Promise<DocumentContents | null> {
  return (await readPacked(db, documentId))?.contents ?? null;
}

export async function insertContents(
  transaction: Transaction<CoreTables>,
  { dictionaries, contents }: PackedBatch,
  maxParameters: number,
): Promise<void> {
  for (const dictionary of dictionaries) {
    // Another process may have been storing the same one meanwhile.
    await transaction
      .insertInto('sri_dictionaries')
      .values(dictionary)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  for (const part of inBatches(contents, maxParameters)) {
    await transaction.insertInto('sri_contents').values(part).execute();
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
