import { type DocumentChange, formatSequential, type Language, type StoredDocument, toIssueDate } from 'sri-core';
import type { IssuerOwner } from '../issuers/index.js';
import {
  type Draft,
  findNewest,
  type PublishingDeps,
  publishInTurn,
  type StoredNotification,
  writeNotification,
} from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { wordsOf } from './document-words.js';

/**
 * Notifies accounts of authorizations, in the transaction that stores them. Authorizations of one issuer and
 * environment within a minute share one notification. Its count rises, and each rise triggers the webhooks.
 *
 * @param owners the accounts of their issuers. An issuer without an account gets no notification.
 */
export async function notifyAuthorizations(
  tables: Tables,
  authorized: readonly DocumentChange[],
  owners: ReadonlyMap<string, IssuerOwner>,
  parts: PublishingDeps,
): Promise<void> {
  const groups = Map.groupBy(authorized, ({ document }) => `${document.issuerId} ${document.environment}`);
  for (const changes of groups.values()) {
    const { issuerId = '', environment = 'sandbox' } = changes[0]?.document ?? {};
    const owner = owners.get(issuerId);
    if (!owner) continue;
    const { tenantId, language } = owner;
    const causes = changes.map(({ document, set, at }) => ({ now: at, document: describe({ ...document, ...set }) }));
    await publishInTurn(tables, { tenantId, causes }, parts, async ({ now, document }, before) => {
      const since = new Date(now.getTime() - AGGREGATION_WINDOW_MS);
      const wanted = { issuerId, environment, types: ['DOCUMENT_AUTHORIZED'], unread: true, since } as const;
      const open = before ?? (await findNewest(tables, tenantId, wanted));
      // One from far ahead is of a clock that was since corrected.
      if (open && Math.abs(now.getTime() - open.createdAt.getTime()) < AGGREGATION_WINDOW_MS)
        return enlarge(open, document, language);
      return { tenantId, issuerId, environment, ...content([document], 1, language) };
    });
  }
}

// --- internal ---

/** The most documents a notification names. Its count is the total. */
const MOST_NAMED_DOCUMENTS = 50;

/** Documents authorized within this time of the first share a notification. */
const AGGREGATION_WINDOW_MS = 60_000;

type Described = ReturnType<typeof describe>;

function describe(document: StoredDocument) {
  const { accessKey, documentType, sequential, counterparty, total, issueDate, authorization } = document;
  return {
    accessKey,
    documentType,
    sequential: formatSequential(sequential),
    buyerName: counterparty.name,
    buyerId: counterparty.id,
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
  const [newest] = documents;
  return {
    type: 'DOCUMENT_AUTHORIZED',
    severity: 'INFO',
    ...(count === 1 && newest
      ? writeNotification('DOCUMENT_AUTHORIZED', language, {
          sequential: newest.sequential,
          documentType: wordsOf(newest, language).typeName,
          buyerName: newest.buyerName,
        })
      : writeNotification('DOCUMENTS_AUTHORIZED', language, { count })),
    metadata: { documents, count },
  };
}
