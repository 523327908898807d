import type { DocumentChange } from 'sri-core';
import { findTenantsOf } from '../store/issuer-owner.js';
import { lockNotifications } from '../store/notifications.js';
import type { Tables } from '../store/schema.js';

/**
 * Locks the notifications of every account that a commit of several issuers' changes will tell something. Issuers are
 * gone through in the order of their ids, which is not that of their accounts: two processes that commit at the same
 * time would each lock what the other waits for.
 */
export async function lockNotificationsOf(tables: Tables, changes: readonly DocumentChange[]): Promise<void> {
  const told = changes.filter(mayTell).map(({ document }) => document.issuerId);
  if (new Set(told).size < 2) return;
  for (const tenantId of await findTenantsOf(tables, [...new Set(told)])) await lockNotifications(tables, tenantId);
}

// --- internal ---

/** An authorization is told; a document or a mail that is given up may be. */
function mayTell({ set, job }: DocumentChange): boolean {
  return set.status === 'AUTHORIZED' || set.mail?.status === 'FAILED' || job?.status === 'FAILED';
}
