import { type DocumentChange, mailAddresses, type StoredDocument } from 'sri-core';
import { findOwner, type IssuerOwner } from '../issuers/index.js';
import { insertMailsOnce, type OutboxMail } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';

/**
 * Queues the mails to the counterparties, in the transaction that makes the documents AUTHORIZED. A document without an
 * address gets no mail.
 *
 * @param owners the accounts of the issuers. A document whose issuer has none gets no mail.
 */
export async function queueMailsOfAuthorized(
  tables: Tables,
  authorized: readonly DocumentChange[],
  owners: ReadonlyMap<string, IssuerOwner>,
  newId: (now: Date) => string,
): Promise<void> {
  const mails = authorized.flatMap(({ document, set, at }) => {
    const owner = owners.get(document.issuerId);
    return owner ? authorizationMails(owner, { ...document, ...set }, { id: newId(at), now: at }) : [];
  });
  await insertMailsOnce(tables, mails);
}

/** Like `queueMailsOfAuthorized`, for a document that is authorized already. An existing mail stays. */
export async function queueAuthorizationMail(
  tables: Tables,
  document: StoredDocument,
  given: { readonly id: string; readonly now: Date },
): Promise<void> {
  const owner = await findOwner(tables, document.issuerId);
  if (owner) await insertMailsOnce(tables, authorizationMails(owner, document, given));
}

// --- internal ---

/** The mail of a document; empty without an address. Further addresses are added when it is written. */
function authorizationMails(
  { tenantId, language }: IssuerOwner,
  document: StoredDocument,
  { id, now }: { readonly id: string; readonly now: Date },
): readonly OutboxMail[] {
  const { issuerId, environment, accessKey } = document;
  const [recipient] = mailAddresses(document);
  if (recipient === undefined) return [];
  const mail: OutboxMail = {
    id,
    tenantId,
    kind: 'AUTHORIZED',
    recipient,
    language,
    data: {},
    token: null,
    document: { id: document.id, issuerId, environment, accessKey, automatic: true, requested: false },
    createdAt: now,
  };
  return [mail];
}
