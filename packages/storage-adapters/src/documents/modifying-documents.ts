import type { Kysely } from 'kysely';
import type { DocumentType, Environment, StoredDocument } from 'sri-core';
import type { CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { toStoredDocument } from './document-rows.js';
import { documentsWithJobs, isStorable } from './find-documents.js';

/** Authorized documents of these types, of any of these issuers, that modify a document; newest created first. */
export async function findDocumentsThatModify(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  issuerIds: readonly string[],
  modified: { readonly environment: Environment; readonly documentType: string; readonly number: string },
  types: readonly DocumentType[],
): Promise<readonly StoredDocument[]> {
  const { environment, documentType, number } = modified;
  if (!isStorable(number) || types.length === 0) return [];
  const found: StoredDocument[] = [];
  const batch = traits.maxParameters - OTHER_PARAMETERS;
  for (let start = 0; start < issuerIds.length; start += batch) {
    const rows = await documentsWithJobs(db)
      .where('document.issuer_id', 'in', issuerIds.slice(start, start + batch))
      .where('document.environment', '=', environment)
      .where('document.modifies_number', '=', number)
      .where('document.modifies_type', '=', documentType)
      .where('document.document_type', 'in', types)
      .where('document.status', '=', 'AUTHORIZED')
      .execute();
    found.push(...rows.map(toStoredDocument));
  }
  return found.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
}

// --- internal ---

/** Room for the parameters other than the issuers, with a margin. */
const OTHER_PARAMETERS = 16;
