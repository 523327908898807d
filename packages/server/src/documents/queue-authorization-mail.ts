import { type DocumentChange, mailAddresses, type StoredDocument } from 'sri-core';
import { findOwner, type IssuerOwner } from '../issuers/index.js';
import { insertMailsOnce, type OutboxMail } from '../mail/index.js';
import type { Tables } from '../platform/database/tables.js';

/**
 * Queues the mails of documents, in the transaction that makes them AUTHORIZED: one to each address that concerns a
 * document, so that no recipient sees another's. A document without an address gets no mail.
 *
 * @param owners the accounts of the issuers. A document without an account gets no mail.
 */
export async function queueMailsOfAuthorized(
  tables: Tables,
  authorized: readonly DocumentChange[],
  owners: ReadonlyMap<string, IssuerOwner>,
  newId: (now: Date) => string,
): Promise<void> {
  const mails = authorized.flatMap(({ document, set, at }) => {
    const owner = owners.get(document.issuerId);
    return owner ? authorizationMails(owner, { ...document, ...set }, { newId, now: at }) : [];
  });
  await insertMailsOnce(tables, mails);
}

/** Like `queueMailsOfAuthorized`, for a document that is authorized already. Existing mails stay. */
export async function queueAuthorizationMail(tables: Tables, document: StoredDocument, given: IdSource): Promise<void> {
  const owner = await findOwner(tables, document.issuerId);
  if (owner) await insertMailsOnce(tables, authorizationMails(owner, document, given));
}

// --- internal ---

/** Where the ids of mails come from, and their time. */
interface IdSource {
  readonly newId: (now: Date) => string;
  readonly now: Date;
}

/** The mails of a document, the counterparty's first. */
function authorizationMails(
  { tenantId, language }: IssuerOwner,
  document: StoredDocument,
  { newId, now }: IdSource,
): readonly OutboxMail[] {
  const { issuerId, environment, accessKey } = document;
  return mailAddresses(document).map((recipient) => ({
    id: newId(now),
    tenantId,
    kind: 'AUTHORIZED',
    recipient,
    language,
    data: {},
    token: null,
    document: { id: document.id, issuerId, environment, accessKey, automatic: true, requested: false },
    createdAt: now,
  }));
}
