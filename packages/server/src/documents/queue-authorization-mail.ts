import type { DocumentChange, StoredDocument } from 'sri-core';
import { findOwner, type IssuerOwner } from '../issuers/index.js';
import { insertMailsOnce, type OutboxMail } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';

/**
 * Puts the mails to the buyers into the outbox, in the very transaction that makes documents AUTHORIZED.
 *
 * @param owners the accounts of their issuers. A document whose issuer has none gets no mail.
 */
export async function queueMailsOfAuthorized(
  tables: Tables,
  authorized: readonly DocumentChange[],
  owners: ReadonlyMap<string, IssuerOwner>,
  newId: (now: Date) => string,
): Promise<void> {
  const mails = authorized.flatMap(({ document, set, at }) => {
    const owner = owners.get(document.issuerId);
    return owner ? [authorizationMail(owner, { ...document, ...set }, { id: newId(at), now: at })] : [];
  });
  await insertMailsOnce(tables, mails);
}

/** As `queueMailsOfAuthorized`, for a document that is authorized already. One that has its mail keeps it. */
export async function queueAuthorizationMail(
  tables: Tables,
  document: StoredDocument,
  given: { readonly id: string; readonly now: Date },
): Promise<void> {
  const owner = await findOwner(tables, document.issuerId);
  if (owner) await insertMailsOnce(tables, [authorizationMail(owner, document, given)]);
}

// --- internal ---

function authorizationMail(
  { tenantId, language }: IssuerOwner,
  document: StoredDocument,
  { id, now }: { readonly id: string; readonly now: Date },
): OutboxMail {
  const { issuerId, environment, accessKey } = document;
  return {
    id,
    tenantId,
    kind: 'AUTHORIZED',
    recipient: document.buyer.email,
    language,
    data: {},
    token: null,
    document: { id: document.id, issuerId, environment, accessKey, automatic: true, requested: false },
    createdAt: now,
  };
}
