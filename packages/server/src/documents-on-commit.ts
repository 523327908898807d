import type { Clock, DocumentChange } from 'sri-core';
import type { Commit, JoinCommit } from 'sri-storage-adapters';
import type { CountedDocuments, DocumentCounter } from './billing/document-quota.js';
import { notifyQuota } from './billing/notify-of-quota.js';
import { inOrderOfAccounts, lockNotificationsOf } from './documents/lock-order.js';
import { notifyAuthorizations } from './documents/notify-of-authorization.js';
import { notifyMailFailure, notifySubmissionFailure } from './documents/notify-of-failures.js';
import { notifyRefusal, refusalOf } from './documents/notify-of-refusal.js';
import { queueMailsOfAuthorized } from './documents/queue-authorization-mail.js';
import { queueRefusalMail } from './documents/queue-refusal-mail.js';
import { findOwners } from './issuers/owner-rows.js';
import type { PublishingDeps } from './notifications/publish.js';
import type { ServerTables, Tables } from './platform/database/tables.js';
import type { AlsoWrites } from './server-database.js';

/** The parameters of joining. */
export interface JoiningDeps {
  readonly publishing: PublishingDeps;
  readonly documentCounter: DocumentCounter;
  /** Whether the types that the contract reserves for later are created as well. */
  readonly reservedNotifications: boolean;
  readonly alsoWrites: AlsoWrites;
  readonly clock: Clock;
  readonly newId: (now: Date) => string;
}

/**
 * The server's writes in core's commits: quota use, mails to buyers, notifications with their webhooks, and any
 * addition of a caller.
 */
export function createJoinCommit(parts: JoiningDeps): JoinCommit<ServerTables> {
  return async (commits, tables) => {
    await joinStored(tables, commits, parts);
    const changes = commits.flatMap(({ change }) => change ?? []);
    // These may lock an account, which every other transaction locks before its notifications.
    const accompanied = changes.filter((change) => parts.alsoWrites.has(change));
    for (const change of await inOrderOfAccounts(tables, accompanied)) {
      await parts.alsoWrites.get(change)?.(tables);
    }
    await lockNotificationsOf(tables, changes);
    await joinAuthorized(tables, changes.filter(isAuthorization), parts);
    for (const change of changes) {
      const refusal = refusalOf(change);
      if (refusal) {
        await notifyRefusal(tables, refusal, parts.publishing);
        await queueRefusalMail(tables, refusal, parts.newId);
      }
      if (parts.reservedNotifications) {
        await notifySubmissionFailure(tables, change, parts.publishing);
        await notifyMailFailure(tables, change, parts.publishing);
      }
    }
  };
}

// --- internal ---

async function joinStored(
  tables: Tables,
  commits: readonly Commit[],
  { publishing, documentCounter, reservedNotifications, clock }: JoiningDeps,
): Promise<void> {
  const stored = commits.flatMap(({ stored = [] }) => stored.map(({ document }) => document));
  const used = await documentCounter.count(tables, countByScope(stored));
  if (!reservedNotifications) return;
  for (const use of used) await notifyQuota(tables, use, { ...publishing, now: clock.now() });
}

/** Works on the whole batch: rows that many documents of a commit change are read, locked and written once. */
async function joinAuthorized(
  tables: Tables,
  authorized: readonly DocumentChange[],
  { publishing, newId }: JoiningDeps,
): Promise<void> {
  if (authorized.length === 0) return;
  const owners = await findOwners(tables, new Set(authorized.map(({ document }) => document.issuerId)));
  await queueMailsOfAuthorized(tables, authorized, owners, newId);
  await notifyAuthorizations(tables, authorized, owners, publishing);
}

function isAuthorization({ document, set }: DocumentChange): boolean {
  return set.status === 'AUTHORIZED' && document.status !== 'AUTHORIZED';
}

function countByScope(documents: readonly Pick<CountedDocuments, 'issuerId' | 'environment'>[]) {
  const counts = new Map<string, CountedDocuments>();
  for (const { issuerId, environment } of documents) {
    const name = `${issuerId} ${environment}`;
    counts.set(name, { issuerId, environment, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
