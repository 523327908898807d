import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAccessKey } from 'sri-core';
import {
  findPayments,
  findProofs,
  findUninvoiced,
  linkInvoice,
  openProof,
  refund,
  reject,
  verify,
} from '../admin/payment-administration.js';
import { showInvoiceLink, showPayment } from '../admin/shown.js';
import { PAYMENT_STATUSES, REJECTION_REASONS } from '../billing/account.js';
import type { OwnedPayment } from '../store/operator-payments.js';
import { toProofBody } from '../v1/billing-body.js';
import { type Command, type CommandResult, UsageError } from './command.js';
import {
  chooseFrom,
  findTenantId,
  PAGE_OPTIONS,
  readArgument,
  readPage,
  readText,
  requireId,
  requireText,
} from './read-options.js';
import { toLines, toTable } from './table.js';
import { operatorOf } from './tenant-commands.js';

const PAYMENT = { name: 'payment', description: 'Its id' };

/** Commands about payments and the operator's invoices for them. */
export const PAYMENT_COMMANDS: readonly Command[] = [
  {
    name: 'admin payments list',
    summary: 'List payments, those that have waited longest first',
    options: {
      status: {
        type: 'string',
        value: 'status',
        description: `${PAYMENT_STATUSES.join(', ')}; REPORTED waits for you`,
      },
      account: { type: 'string', value: 'account', description: 'Of that account: its id, RUC or e-mail address' },
      ...PAGE_OPTIONS,
    },
    async run(call) {
      const text = readText(call, 'status');
      const status = text === null ? null : chooseFrom('--status', text, PAYMENT_STATUSES);
      const pagination = readPage(call);
      const { services } = await call.open();
      const account = readText(call, 'account');
      const tenantId = account === null ? null : await findTenantId(services, account);
      const { payments, total } = await findPayments(services, { status, tenantId, ...pagination });
      return listed(payments, { total, ...pagination });
    },
  },
  {
    name: 'admin payments verify',
    summary: 'Take a payment for made, and give the account what it is for',
    args: [PAYMENT],
    async run(call) {
      const id = requireId('A payment', readArgument(call, 0));
      return one(await verify((await call.open()).services, operatorOf(call), id));
    },
  },
  {
    name: 'admin payments reject',
    summary: 'Refuse a payment; the account is told why and may report it again',
    args: [PAYMENT],
    options: { reason: { type: 'string', value: 'reason', description: REJECTION_REASONS.join(', ') } },
    async run(call) {
      const paymentId = requireId('A payment', readArgument(call, 0));
      const reason = chooseFrom('--reason', requireText(call, 'reason'), REJECTION_REASONS);
      return one(await reject((await call.open()).services, operatorOf(call), { paymentId, reason }));
    },
  },
  {
    name: 'admin payments refund',
    summary: 'Note that a verified payment was given back, and take back what it gave',
    about: 'Only the payment that was applied last can be given back. The transfer itself is yours to make.',
    args: [PAYMENT],
    async run(call) {
      const id = requireId('A payment', readArgument(call, 0));
      return one(await refund((await call.open()).services, operatorOf(call), id));
    },
  },
  {
    name: 'admin payments proofs',
    summary: 'List the proofs of a payment, or save their files',
    args: [PAYMENT],
    options: { save: { type: 'string', value: 'folder', description: 'Writes each file there, under its id' } },
    async run(call) {
      const paymentId = requireId('A payment', readArgument(call, 0));
      const folder = readText(call, 'save');
      const { services } = await call.open();
      const proofs = await findProofs(services, paymentId);
      const saved: Record<string, string> = {};
      if (folder !== null) {
        await mkdir(folder, { recursive: true });
        for (const { id: proofId } of proofs) {
          const { id, mimeType, bytes } = await openProof(services, { paymentId, proofId });
          const path = join(folder, `${id}.${mimeType.split('/')[1]}`);
          await writeFile(path, bytes, { mode: 0o600 });
          saved[id] = path;
        }
      }
      const shown = proofs.map((proof) => ({
        ...toProofBody(proof),
        ...(saved[proof.id] ? { savedAs: saved[proof.id] } : {}),
      }));
      return {
        json: { ok: true, proofs: shown },
        text: toTable(
          ['id', 'reference', 'file', 'type', 'bytes', 'sent', 'taken back', 'saved as'],
          shown.map((proof) => [
            proof.id,
            proof.referenceNumber,
            proof.filename,
            proof.mimeType,
            proof.sizeBytes,
            proof.createdAt,
            proof.active ? 'no' : 'yes',
            saved[proof.id],
          ]),
        ),
      };
    },
  },
  {
    name: 'admin invoices pending',
    summary: 'List verified payments for which you have yet to write an invoice',
    options: PAGE_OPTIONS,
    async run(call) {
      const pagination = readPage(call);
      const { payments, total } = await findUninvoiced((await call.open()).services, pagination);
      return listed(payments, { total, ...pagination });
    },
  },
  {
    name: 'admin invoices link',
    summary: 'Note the invoice you wrote for a payment of a subscription',
    args: [
      { name: 'subscription', description: 'Its id' },
      { name: 'access-key', description: 'The 49 digits of the invoice' },
    ],
    options: {
      payment: { type: 'string', value: 'id', description: 'The payment; default: the one that has waited longest' },
    },
    async run(call) {
      const subscriptionId = requireId('A subscription', readArgument(call, 0));
      const accessKey = readArgument(call, 1);
      if (!isAccessKey(accessKey)) throw new UsageError('An access key has 49 digits, the last one a check digit.');
      const payment = readText(call, 'payment');
      const paymentId = payment === null ? null : requireId('--payment', payment);
      const wanted = { subscriptionId, accessKey, paymentId };
      const invoice = showInvoiceLink(await linkInvoice((await call.open()).services, operatorOf(call), wanted));
      return { json: { ok: true, invoice }, text: toLines(invoice) };
    },
  },
];

// --- internal ---

function listed(
  payments: readonly OwnedPayment[],
  pagination: { readonly total: number; readonly page: number; readonly limit: number },
): CommandResult {
  const rows = payments.map((payment) => [
    payment.id,
    payment.subscriptionId,
    payment.status,
    payment.purpose,
    payment.targetTier,
    payment.totalAmount,
    payment.paymentCode,
    payment.email,
    payment.reportedAt?.toISOString(),
  ]);
  return {
    json: { ok: true, payments: payments.map(showPayment), pagination },
    text: toTable(['id', 'subscription', 'status', 'purpose', 'tier', 'USD', 'code', 'account', 'reported'], rows),
  };
}

function one(payment: OwnedPayment): CommandResult {
  const { id, status, purpose, targetTier, totalAmount, paymentCode, rejectionReason, email } = payment;
  return {
    json: { ok: true, payment: showPayment(payment) },
    text: toLines({ id, account: email, status, purpose, targetTier, totalAmount, paymentCode, rejectionReason }),
  };
}
