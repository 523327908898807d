import type { DocumentChange } from 'sri-core';
import { findOwners, findTenantsOf } from '../issuers/index.js';
import { lockNotifications } from '../notifications/index.js';
import { byCode } from '../platform/by-code.js';
import type { Tables } from '../platform/database/tables.js';

/**
 * Locks the notifications of every account that a commit of several issuers' changes will notify. Issuers are processed
 * in the order of their ids, which is not the order of their accounts. Without these locks, two processes that commit
 * at the same time could deadlock.
 */
export async function lockNotificationsOf(tables: Tables, changes: readonly DocumentChange[]): Promise<void> {
  const toNotify = changes.filter(mayNotify).map(({ document }) => document.issuerId);
  if (new Set(toNotify).size < 2) return;
  for (const tenantId of await findTenantsOf(tables, [...new Set(toNotify)])) await lockNotifications(tables, tenantId);
}

/** Changes of several issuers in the order of their accounts, in which the writes beside them lock the accounts. */
export async function inOrderOfAccounts(
  tables: Tables,
  changes: readonly DocumentChange[],
): Promise<readonly DocumentChange[]> {
  const issuerIds = new Set(changes.map(({ document }) => document.issuerId));
  if (issuerIds.size < 2) return changes;
  const owners = await findOwners(tables, issuerIds);
  const accountOf = ({ document }: DocumentChange) => owners.get(document.issuerId)?.tenantId ?? '';
  return changes.toSorted((a, b) => byCode(accountOf(a), accountOf(b)));
}

// --- internal ---

/** A verdict makes a notification; a failed document or mail may make one. */
function mayNotify({ set, job }: DocumentChange): boolean {
  return VERDICTS.has(set.status) || set.mail?.status === 'FAILED' || job?.status === 'FAILED';
}

const VERDICTS: ReadonlySet<DocumentChange['set']['status']> = new Set(['AUTHORIZED', 'RETURNED', 'NOT_AUTHORIZED']);
