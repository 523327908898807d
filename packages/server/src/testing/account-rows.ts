import { createHash } from 'node:crypto';
import type { TestServer } from './test-server.js';

const TABLES = [
  'tenants',
  'issuers',
  'issuer_logos',
  'issuer_document_types',
  'issuer_certificates',
  'api_keys',
  'notifications',
  'notification_preferences',
  'webhook_endpoints',
  'verification_tokens',
  'account_recoveries',
  'tenant_events',
  'jobs',
  'subscriptions',
  'payments',
  'payment_proofs',
  'sri_documents',
  'sri_events',
  'sri_jobs',
  'sri_sequentials',
] as const;

/**
 * Digests of all rows that onboarding and administration write, to compare two moments. The use counts of keys are left
 * out.
 */
export async function accountRows(server: TestServer): Promise<Readonly<Record<string, readonly string[]>>> {
  return server.services.database.read(async (tables) => {
    const contents: Record<string, readonly string[]> = {};
    for (const table of TABLES) {
      const rows = await tables.selectFrom(table).selectAll().execute();
      contents[table] = rows.map(toDigest).toSorted();
    }
    return contents;
  });
}

// --- internal ---

function toDigest({ request_count, last_used_at, ...row }: Readonly<Record<string, unknown>>): string {
  const [name] = Object.values(row);
  return `${name} ${createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 16)}`;
}
