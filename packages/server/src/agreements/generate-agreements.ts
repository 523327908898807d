import { createHash } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { ecuadorDate, type Logger } from 'sri-core';
import { FIRST_ID } from 'sri-storage-adapters';
import { findTenant, type Tenant } from '../accounts/index.js';
import { readBusinessName } from '../issuers/index.js';
import type { Tables } from '../platform/database/tables.js';
import { createAccountAttempts } from '../platform/jobs/account-attempts.js';
import { fillAgreement } from './fill-agreement.js';
import type { AgreementDeps } from './publish-agreements.js';
import {
  areAgreementsDue,
  currentAgreements,
  listAgreementsDue,
  listTenantAgreements,
  markAgreementsDone,
  putPendingAgreement,
  readAgreementTexts,
  supersedePendingAgreements,
} from './rows.js';

/**
 * Gives every account without copies of the published agreements its copies. Runs until all are done or `signal` stops
 * it between two accounts. A failure for one account is logged and retried in the next round.
 *
 * @returns how many accounts were looked at.
 */
export async function generateDueAgreements(
  parts: AgreementDeps,
  logger: Logger,
  signal?: AbortSignal,
): Promise<number> {
  if (!parts.agreementsEnabled) return 0;
  const accounts = createAccountAttempts(logger, 'an account did not get its copies of the agreements', signal);
  let count = 0;
  for (let after: string = FIRST_ID; ; ) {
    const due = await parts.database.read((tables) => listAgreementsDue(tables, { after, limit: BATCH }));
    const last = due.at(-1);
    if (last === undefined) return count;
    after = last;
    for (const tenantId of due) {
      if (signal?.aborted) return count;
      await accounts.attempt(tenantId, () =>
        parts.database.transaction((tables) => generateAgreements(parts, tables, tenantId)),
      );
      count += 1;
      // SQLite answers without leaving the thread: without this, requests would wait for the whole batch.
      await othersTurn();
    }
  }
}

/** Generates the copies of one account before a request reads them, unless the server is read-only. */
export async function generateAgreementsOf(parts: AgreementDeps, tenantId: string): Promise<void> {
  if (!parts.agreementsEnabled || parts.readOnly) return;
  if (!(await parts.database.read((tables) => areAgreementsDue(tables, tenantId)))) return;
  await parts.database.transaction((tables) => generateAgreements(parts, tables, tenantId));
}

/**
 * Brings an account's copies up to date in the transaction of `tables`: one of each published version in the account's
 * language. Earlier copies that were not accepted are superseded; accepted copies stay.
 */
export async function generateAgreements(
  { clock, newId }: Pick<AgreementDeps, 'clock' | 'newId'>,
  tables: Tables,
  tenantId: string,
): Promise<void> {
  await markAgreementsDone(tables, tenantId);
  const tenant = await findTenant(tables, tenantId);
  if (!tenant) return;
  const copies = await listTenantAgreements(tables, tenantId);
  const businessName = (await readBusinessName(tables, tenantId)) ?? tenant.ruc;
  const now = clock.now();
  for (const published of await currentAgreements(tables)) {
    await supersedePendingAgreements(tables, tenantId, published);
    const { documentType, version } = published;
    const own = copies.find((copy) => copy.documentType === documentType && copy.templateVersion === version);
    if (own && (own.status === 'ACCEPTED' || (own.status === 'PENDING' && own.language === tenant.language))) continue;
    const texts = await readAgreementTexts(tables, published.id);
    const content = fillAgreement(texts[tenant.language], { ...valuesOf(tenant, businessName, now), version });
    await putPendingAgreement(tables, tenantId, {
      id: newId(now),
      documentType,
      templateVersion: version,
      language: tenant.language,
      content,
      contentSha256: createHash('sha256').update(content).digest('hex'),
      generatedAt: now,
    });
  }
}

// --- internal ---

const BATCH = 100;

function valuesOf(tenant: Tenant, businessName: string, now: Date) {
  const date = ecuadorDate(now).split('-').reverse().join('/');
  return { businessName, ruc: tenant.ruc, email: tenant.email, date };
}
