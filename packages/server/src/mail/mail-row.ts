import type { Selectable } from 'kysely';
import type { Environment } from 'sri-core';
import type { MailedDocument } from './outbox-mail.js';
import type { MailOutboxTable } from './tables.js';

/** Columns that wipe a mail's secret, once it is sent or given up. */
export const NO_SECRET = { master_key_id: null, wrapped_key: null, sealed_token: null };

/** The document of a mail; null for a mail about the account. */
export function toMailedDocument(row: Selectable<MailOutboxTable>): MailedDocument | null {
  const { document_id: id, issuer_id: issuerId, environment, access_key: accessKey } = row;
  if (id === null || issuerId === null || environment === null || accessKey === null) return null;
  return {
    id,
    issuerId,
    environment: environment as Environment,
    accessKey,
    automatic: row.authorization_of !== null,
    requested: row.requested === 1,
  };
}
