import type { DocumentChange } from 'sri-core';
import { findTenantsOf } from '../issuers/index.js';
import { lockNotifications } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';

/**
 * Locks the notifications of every account that a commit of several issuers' changes will notify. Issuers are processed
 * in the order of their ids, which is not the order of their accounts. Without these locks, two processes that commit
 * at the same time could deadlock.
 */
export async function lockNotificationsOf(tables: Tables, changes: readonly DocumentChange[]): Promise<void> {
  const told = changes.filter(mayTell).map(({ document }) => document.issuerId);
  if (new Set(told).size < 2) return;
  for (const tenantId of await findTenantsOf(tables, [...new Set(told)])) await lockNotifications(tables, tenantId);
}

// --- internal ---

/** A verdict makes a notification; a failed document or mail may make one. */
function mayTell({ set, job }: DocumentChange): boolean {
  return VERDICTS.has(set.status) || set.mail?.status === 'FAILED' || job?.status === 'FAILED';
}

const VERDICTS: ReadonlySet<DocumentChange['set']['status']> = new Set(['AUTHORIZED', 'RETURNED', 'NOT_AUTHORIZED']);
