import { lockTenant } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Payment } from './account.js';
import { type BillingDeps, changeBillingWithin } from './change-billing.js';
import {
  countProofs,
  hideProof,
  insertProof,
  listProofs,
  type NewProof,
  readProof,
  type StoredProof,
} from './proof-rows.js';
import { readBilling } from './rows.js';
import { reportPayment, requirePayment } from './settle-payment.js';

/** The files of an account that prove a transfer. */
export interface ProofReport {
  readonly files: readonly Omit<NewProof, 'id'>[];
  readonly referenceNumber: string;
}

/**
 * Adds files to a payment and reports it as transferred.
 *
 * @returns the payment, and the files of this report.
 * @throws Refusal PAYMENT_NOT_FOUND; CONFLICT when it is settled; PROOF_FILE_LIMIT_REACHED. Then nothing is stored.
 */
export async function reportWithProofs(
  parts: BillingDeps,
  tenantId: string,
  paymentId: string,
  { files, referenceNumber }: ProofReport,
): Promise<{ readonly payment: Payment; readonly proofs: readonly StoredProof[] }> {
  const reported = await parts.database.transaction(async (tables) => {
    const { account } = await changeBillingWithin(tables, parts, tenantId, (before, context) =>
      reportPayment(before, paymentId, context),
    );
    const { active, all } = await countProofs(tables, paymentId);
    if (active + files.length > MOST_PROOFS || all + files.length > MOST_KEPT) {
      throw new Refusal('PROOF_FILE_LIMIT_REACHED');
    }
    const now = parts.clock.now();
    const proofs: StoredProof[] = [];
    for (const file of files) {
      const proof = { ...file, id: parts.newId(now) };
      proofs.push(await insertProof(tables, tenantId, proof, { paymentId, referenceNumber, now }));
    }
    return { payment: requirePayment(account, paymentId), proofs };
  });
  parts.wake();
  return reported;
}

/** The files of a payment, except removed files. @throws Refusal PAYMENT_NOT_FOUND */
export function readOwnProofs(
  { database }: Pick<BillingDeps, 'database'>,
  tenantId: string,
  paymentId: string,
): Promise<readonly StoredProof[]> {
  return database.read(async (tables) => {
    await requireOwnPayment(tables, tenantId, paymentId);
    return listProofs(tables, tenantId, paymentId);
  });
}

/** Identifies a file of a payment. */
export interface ProofName {
  readonly paymentId: string;
  readonly proofId: string;
}

/** One file with its content. @throws Refusal PAYMENT_NOT_FOUND; NOT_FOUND when the payment has no such file. */
export function readOwnProof(
  { database }: Pick<BillingDeps, 'database'>,
  tenantId: string,
  name: ProofName,
): Promise<{ readonly proof: StoredProof; readonly bytes: Uint8Array }> {
  return database.read(async (tables) => {
    await requireOwnPayment(tables, tenantId, name.paymentId);
    const found = await readProof(tables, tenantId, name);
    if (!found) throw new Refusal('NOT_FOUND');
    return found;
  });
}

/**
 * Takes a file back: the account no longer sees it, the operator does.
 *
 * @throws Refusal PAYMENT_NOT_FOUND; NOT_FOUND; CONFLICT once the payment was verified, since then it is evidence.
 */
export function takeBackProof(
  { database }: Pick<BillingDeps, 'database'>,
  tenantId: string,
  name: ProofName,
): Promise<void> {
  return database.transaction(async (tables) => {
    await lockTenant(tables, tenantId);
    const { verifiedAt } = await requireOwnPayment(tables, tenantId, name.paymentId);
    if (!(await hideProof(tables, tenantId, name))) throw new Refusal('NOT_FOUND');
    if (verifiedAt !== null) throw new Refusal('CONFLICT');
  });
}

// --- internal ---

async function requireOwnPayment(tables: Tables, tenantId: string, paymentId: string): Promise<Payment> {
  const account = await readBilling(tables, tenantId);
  if (!account) throw new Refusal('PAYMENT_NOT_FOUND');
  return requirePayment(account, paymentId);
}

/** The most files of a payment that the account sees. */
const MOST_PROOFS = 10;
/** The most files with the removed files, which are kept, so that an account cannot fill the disk. */
const MOST_KEPT = 50;
