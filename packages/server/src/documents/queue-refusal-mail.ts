import { formatSequential, parseAccessKey } from 'sri-core';
import { findTenant } from '../accounts/index.js';
import { findOwner } from '../issuers/index.js';
import { insertMail, safeName } from '../mail/index.js';
import { countSince, listPreferences } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import { formatDay } from '../platform/formats.js';
import { wordsOf } from './document-words.js';
import type { DocumentRefusal, RefusalType } from './notify-of-refusal.js';
import type { RefusalMailData } from './refusal-mail.js';
import { toAdvice } from './sri-advice.js';

/** The most refusal mails of an issuer within 24 hours; every refusal has its notification. */
export const MOST_REFUSAL_MAILS = 50;

/**
 * Queues the mail about a refusal, in the transaction that stores it and after its notification. It goes to the
 * account's verified address, unless the account has switched such mails off.
 */
export async function queueRefusalMail(
  tables: Tables,
  { type, document, messages, reason, at }: DocumentRefusal,
  newId: (now: Date) => string,
): Promise<void> {
  const { issuerId, environment, accessKey, counterparty, issueDate } = document;
  const owner = await findOwner(tables, issuerId);
  const tenant = owner && (await findTenant(tables, owner.tenantId));
  if (!tenant || tenant.status === 'PENDING_VERIFICATION') return;
  const { id: tenantId, email: recipient, language } = tenant;
  const preferences = await listPreferences(tables, tenantId);
  if (preferences.some((set) => set.type === type && set.channel === 'EMAIL' && !set.enabled)) return;
  const since = new Date(at.getTime() - DAY_MS);
  const sent = await countSince(tables, tenantId, { issuerId, types: REFUSALS, since, atMost: MOST_REFUSAL_MAILS + 1 });
  if (sent > MOST_REFUSAL_MAILS) return;
  const { branchCode, issuePointCode } = parseAccessKey(accessKey);
  const data: RefusalMailData = {
    ...wordsOf(document, language),
    number: `${branchCode}-${issuePointCode}-${formatSequential(document.sequential)}`,
    accessKey,
    // Customers type their names themselves, and the account trusts this mail.
    buyerName: safeName(counterparty.name),
    issueDate: formatDay(issueDate, language),
    reason: reason(language),
    action: [...new Set(messages.map((message) => toAdvice(message, language).action))].join(' '),
    environment,
  };
  await insertMail(tables, {
    id: newId(at),
    tenantId,
    kind: type,
    recipient,
    language,
    data,
    token: null,
    createdAt: at,
  });
}

// --- internal ---

const REFUSALS: readonly RefusalType[] = ['DOCUMENT_RETURNED', 'DOCUMENT_NOT_AUTHORIZED'];
const DAY_MS = 86_400_000;
