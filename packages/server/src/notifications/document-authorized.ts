import { type DocumentChange, formatSequential, type StoredDocument, toIssueDate } from 'sri-core';
import type { Language } from '../language.js';
import { findOwner } from '../store/issuer-owner.js';
import { findNewest, type StoredNotification } from '../store/notifications.js';
import type { Tables } from '../store/schema.js';
import { writeNotification } from './notification-texts.js';
import { type Draft, type PublishingParts, publish } from './publish.js';

/** Documents authorized within this time of the first share a notification. */
export const AGGREGATION_WINDOW_MS = 60_000;

/** The most documents a notification names. Its count tells how many there are. */
export const MOST_NAMED_DOCUMENTS = 50;

/**
 * Tells an account of an authorization, in the transaction that stores it. Authorizations of one issuer and environment
 * within a minute are told together: the notification's count rises, and webhooks are told of each rise.
 */
export async function notifyAuthorization(
  tables: Tables,
  { document, set, at }: DocumentChange,
  parts: PublishingParts,
): Promise<void> {
  if (set.status !== 'AUTHORIZED' || document.status === 'AUTHORIZED') return;
  const owner = await findOwner(tables, document.issuerId);
  if (!owner) return;
  const { tenantId, language } = owner;
  const authorized = describe({ ...document, ...set });
  await publish(tables, { tenantId, now: at }, parts, async () => {
    const { issuerId, environment } = document;
    const open = await findNewest(tables, tenantId, {
      issuerId,
      environment,
      types: ['DOCUMENT_AUTHORIZED'],
      unread: true,
    });
    if (open && at.getTime() - open.createdAt.getTime() < AGGREGATION_WINDOW_MS)
      return enlarge(open, authorized, language);
    return { tenantId, issuerId, environment, ...content([authorized], 1, language) };
  });
}

// --- internal ---

type Described = ReturnType<typeof describe>;

function describe(document: StoredDocument) {
  const { accessKey, sequential, buyer, total, issueDate, authorization } = document;
  return {
    accessKey,
    sequential: formatSequential(sequential),
    buyerName: buyer.name,
    buyerId: buyer.id,
    total,
    issueDate: toIssueDate(issueDate),
    authorizationNumber: authorization?.number ?? accessKey,
  };
}

function enlarge(open: StoredNotification, authorized: Described, language: Language): StoredNotification {
  const { documents, count } = open.metadata as { readonly documents: readonly Described[]; readonly count: number };
  return { ...open, ...content([authorized, ...documents].slice(0, MOST_NAMED_DOCUMENTS), count + 1, language) };
}

/** Newest first. */
function content(
  documents: readonly Described[],
  count: number,
  language: Language,
): Pick<Draft, 'type' | 'severity' | 'title' | 'message' | 'metadata'> {
  const [{ sequential = '', buyerName = '' } = {}] = documents;
  return {
    type: 'DOCUMENT_AUTHORIZED',
    severity: 'INFO',
    ...(count === 1
      ? writeNotification('DOCUMENT_AUTHORIZED', language, { sequential, buyerName })
      : writeNotification('DOCUMENTS_AUTHORIZED', language, { count })),
    metadata: { documents, count },
  };
}
