import {
  type Clock,
  type DocumentStatus,
  type DocumentType,
  ecuadorDate,
  type Scope,
  systemClock,
  toIssueDate,
  uncheckedBody,
} from 'sri-core';
import { CommandFailure } from 'sri-core/cli';
import { findTenant } from '../../accounts/rows.js';
import type { Config } from '../../config/config.js';
import { fillSums } from '../../documents/fill-sums.js';
import { createSimulatedSri } from '../../documents/simulated-sri.js';
import { findOwner } from '../../issuers/owner-rows.js';
import { readIssuer } from '../../issuers/rows.js';
import { REFUSAL_MAIL_KINDS } from '../../mail/outbox-mail.js';
import { markWaitingMailsSkipped } from '../../mail/rows.js';
import { skipDueMails } from '../../mail/skipped-mails.js';
import type { Services } from '../../platform/http/services.js';
import { numberOf } from '../documents/document-words.js';
import { openOperatorAccess } from '../frame/operator-access.js';
import { type EarlierInvoice, type PlannedDocument, planMonth } from './month-plan.js';

/** What to fill an account with. */
export interface FillRequest {
  /** Null for the only issuer of the database. */
  readonly issuerId: string | null;
  readonly count: number;
  readonly seed: number;
  /** Aborts between two documents. */
  readonly stop: AbortSignal;
}

/** The documents that an account was filled with. */
export interface FilledAccount {
  readonly issuerId: string;
  /** Days of the first and the last document, DD/MM/YYYY. */
  readonly from: string;
  readonly to: string;
  readonly documents: readonly { readonly documentType: DocumentType; readonly status: DocumentStatus }[];
}

/**
 * Fills a sandbox account with a month of documents that the simulated SRI judges. They are issued by the engine on their
 * own days: numbered, signed, stored and authorized as any other. No mail leaves.
 *
 * @throws CommandFailure ISSUER_UNKNOWN, ISSUER_AMBIGUOUS, NOT_SANDBOX; what creating a document throws.
 */
export async function fillAccount(config: Config, request: FillRequest): Promise<FilledAccount> {
  const clock = createFillClock();
  const to = clock.now();
  const access = await openOperatorAccess(config, { clock, sandbox: (opened) => createSimulatedSri(opened, clock) });
  try {
    const { services } = access;
    const { issuer, tenantId } = await findSandboxIssuer(services, request.issuerId);
    const { signer } = await services.openIssuer(issuer);
    const from = new Date(Math.max(to.getTime() - MONTH_MS, signer.certificate.validFrom.getTime() + DAY_MS));
    const planned = planMonth({ ...request, from, to, types: issuer.documentTypes });
    const documents = await issueAll(services, { planned, clock, to, issuerId: issuer.id, stop: request.stop });
    clock.set(to);
    await skipDueMails(services.outbox, { issuerId: issuer.id });
    await services.database.transaction((tables) => markWaitingMailsSkipped(tables, tenantId, REFUSAL_MAIL_KINDS));
    const days = planned.slice(0, documents.length).map(({ at }) => toIssueDate(ecuadorDate(at)));
    return { issuerId: issuer.id, from: days[0] ?? '', to: days.at(-1) ?? '', documents };
  } finally {
    await access.close();
  }
}

// --- internal ---

const DAY_MS = 24 * 3_600_000;
const MONTH_MS = 30 * DAY_MS;

async function findSandboxIssuer({ database }: Services, issuerId: string | null) {
  return database.read(async (tables) => {
    const rows = await tables.selectFrom('issuers').select('id').where('active', '=', 1).limit(2).execute();
    if (issuerId === null && rows.length > 1) {
      throw new CommandFailure('ISSUER_AMBIGUOUS', {
        es: 'Hay varios emisores: nombre uno con --issuer.',
        en: 'There are several issuers: name one with --issuer.',
      });
    }
    const issuer = await readIssuer(tables, issuerId ?? rows[0]?.id ?? '');
    const owner = issuer && (await findOwner(tables, issuer.id));
    const tenant = owner && (await findTenant(tables, owner.tenantId));
    if (!issuer || !tenant) {
      throw new CommandFailure('ISSUER_UNKNOWN', {
        es: 'No hay tal emisor en esta base de datos.',
        en: 'There is no such issuer in this database.',
      });
    }
    if (tenant.environment !== 'sandbox') {
      throw new CommandFailure('NOT_SANDBOX', {
        es: 'La cuenta está en producción: solo se llenan cuentas en pruebas.',
        en: 'The account is in production: only sandbox accounts are filled.',
      });
    }
    return { issuer, tenantId: tenant.id };
  });
}

interface Month {
  readonly planned: readonly PlannedDocument[];
  readonly clock: FillClock;
  readonly to: Date;
  readonly issuerId: string;
  readonly stop: AbortSignal;
}

/** Issues documents in sequence, since later documents refer to earlier documents. */
async function issueAll({ engine }: Services, { planned, clock, to, issuerId, stop }: Month) {
  const scope: Scope = { issuerId, environment: 'sandbox' };
  const invoices: EarlierInvoice[] = [];
  const documents: FilledAccount['documents'][number][] = [];
  for (const { at, fate, write } of planned) {
    if (stop.aborted) break;
    clock.set(at);
    const today = ecuadorDate(at);
    const issueDate = toIssueDate(today);
    const body = write(issueDate, invoices);
    const whole = uncheckedBody(fillSums(body, 'es', today));
    const timeoutMs = fate === 'waiting' ? SHORT_WAIT_MS : LONG_WAIT_MS;
    const { document } =
      fate === 'unsent' ? await engine.create(scope, whole) : await engine.issue(scope, whole, { timeoutMs });
    const { accessKey, documentType } = document;
    let { status } = document;
    if (fate === 'voided' && status === 'AUTHORIZED') {
      clock.set(new Date(Math.min(at.getTime() + DAY_MS, to.getTime())));
      ({ status } = await engine.void(scope, accessKey, { confirmedSriVoid: true, reason: 'Emitida por error' }));
    }
    const sequential = String(document.sequential).padStart(9, '0');
    if (status === 'AUTHORIZED' && documentType === '01' && document.counterparty.idType !== '07') {
      const invoice = body as unknown as EarlierInvoice['body'];
      invoices.push({ number: numberOf({ accessKey, sequential }), accessKey, issueDate, body: invoice });
    }
    documents.push({ documentType: documentType as DocumentType, status });
  }
  return documents;
}

/** Ends before the first question about an authorization. */
const SHORT_WAIT_MS = 1_000;
const LONG_WAIT_MS = 60_000;

/** A clock that continues from a given moment. Waiting for a due time takes no real time. */
interface FillClock extends Clock {
  set(moment: Date): void;
}

/** Creates such a clock. Deadlines, which can be cancelled, keep their real length. */
function createFillClock(): FillClock {
  let offsetMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    async sleep(ms, signal) {
      if (signal) await systemClock.sleep(ms, signal);
      else offsetMs += ms;
    },
    set(moment) {
      offsetMs = moment.getTime() - systemClock.now().getTime();
    },
  };
}
