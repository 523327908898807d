import type { Language, Logger } from 'sri-core';
import { FIRST_ID } from 'sri-storage-adapters';
import {
  type Draft,
  dismissNotifications,
  findNewest,
  lockNotifications,
  type PublicationDecision,
  type PublishingDeps,
  publish,
  type StoredNotification,
  writeNotification,
} from '../notifications/index.js';
import type { ServerDatabase, Tables } from '../platform/database/tables.js';
import { createAccountAttempts } from '../platform/jobs/account-attempts.js';
import {
  type ExpiringCertificate,
  findExpiringCertificate,
  listExpiringCertificates,
} from './expiring-certificate-rows.js';

/** Dependencies of notifying of certificates. */
export interface CertificateNoticeDeps {
  readonly database: ServerDatabase;
  readonly publishing: PublishingDeps;
  readonly logger: Logger;
}

/**
 * Notifies every account of certificates that end within 30 days or have ended. Each issuer has at most one unread
 * notice, whose content follows the days. After a read notice, a new one follows only for a higher severity or another
 * certificate. A repeat notifies nothing twice. A failure for one account is logged and retried in the next round.
 *
 * @returns how many certificates were looked at.
 */
export async function noticeCertificates(
  { database, publishing, logger }: CertificateNoticeDeps,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  const until = noticedUntil(now);
  const accounts = createAccountAttempts(logger, 'an account was not notified of a certificate', signal);
  let looked = 0;
  for (let after: string = FIRST_ID; ; ) {
    const listed = await database.read((tables) => listExpiringCertificates(tables, { until, after, limit: 100 }));
    const last = listed.at(-1);
    if (!last) return looked;
    // Most have their notice. One transaction for all: as the work of a timer, it prolongs the lease.
    const looking = database.transaction(async (tables) => {
      const unnoticed: ExpiringCertificate[] = [];
      for (const certificate of listed) if (await decide(tables, certificate, now)) unnoticed.push(certificate);
      return unnoticed;
    });
    // Where one of them fails, each is tried by itself.
    const due = await looking.catch(() => listed);
    for (const certificate of due) {
      if (signal?.aborted) return looked;
      await accounts.attempt(certificate.tenantId, () =>
        database.transaction((tables) => noticeCertificate(tables, certificate, publishing, now)),
      );
    }
    if (signal?.aborted) return looked;
    looked += listed.length;
    after = last.issuerId;
  }
}

/** Hides the notices of an issuer after a renewal, if more than 30 days are left. */
export async function dismissCertificateNotices(
  tables: Tables,
  tenantId: string,
  renewed: { readonly issuerId: string; readonly validTo: Date; readonly now: Date },
): Promise<void> {
  const { issuerId, validTo, now } = renewed;
  if (validTo.getTime() - now.getTime() <= NOTICE_DAYS * DAY_MS) return;
  // With the lock, a concurrent notice is either visible here, or was made with the new certificate.
  await lockNotifications(tables, tenantId);
  await dismissNotifications(tables, tenantId, { issuerId, types: CERTIFICATE_TYPES, now });
}

// --- internal ---

/** The days before a certificate's end of the first notice and of the urgent one. */
const NOTICE_DAYS = 30;
const URGENT_DAYS = 7;

const DAY_MS = 86_400_000;
const CERTIFICATE_TYPES = ['CERT_EXPIRING', 'CERT_EXPIRED'] as const;

function noticedUntil(now: Date): Date {
  return new Date(now.getTime() + NOTICE_DAYS * DAY_MS);
}

async function noticeCertificate(
  tables: Tables,
  { tenantId, issuerId }: ExpiringCertificate,
  parts: PublishingDeps,
  now: Date,
): Promise<void> {
  await publish(tables, { tenantId, now }, parts, async () => {
    // The certificate may have been renewed since it was listed.
    const certificate = await findExpiringCertificate(tables, issuerId, noticedUntil(now));
    return certificate && decide(tables, certificate, now);
  });
}

async function decide(tables: Tables, certificate: ExpiringCertificate, now: Date): Promise<PublicationDecision> {
  const { tenantId, issuerId } = certificate;
  const draft = describe(certificate, now);
  const known = await findNewest(tables, tenantId, { issuerId, types: CERTIFICATE_TYPES });
  if (!known || isHidden(known, now)) return draft;
  if (known.readAt === null) return sameMetadata(known, draft) ? null : { ...known, ...draft };
  return known.severity === draft.severity && known.type === draft.type && sameCertificate(known, draft) ? null : draft;
}

function describe(certificate: ExpiringCertificate, now: Date): Draft {
  const { tenantId, issuerId, language, branchCode, issuePointCode, validTo } = certificate;
  const left = validTo.getTime() - now.getTime();
  const daysRemaining = Math.max(0, Math.ceil(left / DAY_MS));
  const type = left > 0 ? 'CERT_EXPIRING' : 'CERT_EXPIRED';
  const text = type === 'CERT_EXPIRING' && daysRemaining === 1 ? 'CERT_EXPIRING_TOMORROW' : type;
  return {
    tenantId,
    issuerId,
    environment: null,
    type,
    severity: daysRemaining > URGENT_DAYS ? 'WARNING' : 'ERROR',
    ...writeNotification(text, language as Language, { branchCode, issuePointCode, daysRemaining }),
    metadata: { issuerId, certExpiry: validTo.toISOString(), daysRemaining, branchCode, issuePointCode },
  };
}

function isHidden({ expiresAt }: StoredNotification, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function sameMetadata(known: StoredNotification, draft: Draft): boolean {
  return known.type === draft.type && JSON.stringify(known.metadata) === JSON.stringify(draft.metadata);
}

function sameCertificate(known: StoredNotification, draft: Draft): boolean {
  return known.metadata?.['certExpiry'] === draft.metadata?.['certExpiry'];
}
