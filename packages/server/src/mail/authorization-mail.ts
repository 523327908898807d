import type { DocumentChange, StoredDocument } from 'sri-core';
import type { Language } from '../language.js';
import { insertMailOnce } from '../store/mail-outbox.js';
import type { Tables } from '../store/schema.js';

/** Puts the mail to the buyer into the outbox, in the very transaction that makes a document AUTHORIZED. */
export async function queueMailOfChange(
  tables: Tables,
  { document, set, at }: DocumentChange,
  newId: (now: Date) => string,
): Promise<void> {
  if (set.status !== 'AUTHORIZED' || document.status === 'AUTHORIZED') return;
  await queueAuthorizationMail(tables, { ...document, ...set }, { id: newId(at), now: at });
}

/** As `queueMailOfChange`, for a document that is authorized already. One that has its mail keeps it. */
export async function queueAuthorizationMail(
  tables: Tables,
  document: StoredDocument,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  const owner = await tables
    .selectFrom('issuers')
    .innerJoin('tenants', 'tenants.id', 'issuers.tenant_id')
    .select(['tenants.id', 'tenants.language'])
    .where('issuers.id', '=', document.issuerId)
    .executeTakeFirst();
  if (!owner) return;
  const { issuerId, environment, accessKey } = document;
  await insertMailOnce(tables, {
    id,
    tenantId: owner.id,
    kind: 'AUTHORIZED',
    recipient: document.buyer.email,
    language: owner.language as Language,
    data: {},
    token: null,
    document: { id: document.id, issuerId, environment, accessKey, automatic: true, requested: false },
    createdAt: now,
  });
}
