import type { Clock, Environment, Storage, Transport } from 'sri-core';
import type { ServerDatabase } from '../platform/database/tables.js';

/**
 * The built-in SRI, for sandboxes or for both worlds. Its state is in memory, while documents survive a restart. After
 * a restart it recalls received documents from the database, so that each still gets its verdict.
 */
export async function createSimulatedSri(
  opened: { readonly storage: Storage; readonly database: ServerDatabase },
  clock: Clock,
): Promise<Transport> {
  const { createSimulator } = await import('sri-core/simulator');
  return createSimulator({ clock, recall: (accessKey) => findReceived(opened, accessKey) }).handle;
}

// --- internal ---

async function findReceived(
  { storage, database }: { readonly storage: Storage; readonly database: ServerDatabase },
  accessKey: string,
): Promise<string | null> {
  const received = await database.read((tables) =>
    tables
      .selectFrom('sri_access_keys as key')
      .innerJoin('sri_documents as document', 'document.id', 'key.document_id')
      .select(['document.issuer_id', 'environment'])
      .where('key.access_key', '=', accessKey)
      .where('document.access_key', '=', accessKey)
      .where('status', '=', 'RECEIVED')
      .executeTakeFirst(),
  );
  if (!received) return null;
  const contents = await storage.readContents(
    { issuerId: received.issuer_id, environment: received.environment as Environment },
    accessKey,
  );
  return contents?.signedXml ?? null;
}
