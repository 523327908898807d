import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from 'sri-core';
import { type CommandResult, textOption, toLines, toTable } from 'sri-core/cli';
import { PAYMENT_STATUSES, REJECTION_REASONS } from '../billing/account.js';
import { toProofBody } from '../billing/schemas.js';
import { findProofs, linkInvoice, openProof, refund, reject, verify } from '../operator/administer-payments.js';
import type { Operator } from '../operator/operator.js';
import { findPayment, listPayments, listUninvoicedPayments, type OwnedPayment } from '../operator/payment-rows.js';
import { showInvoiceLink, showPayment } from '../operator/schemas.js';
import { Refusal } from '../platform/errors/refusal.js';
import { formatAmount } from '../platform/formats.js';
import type { Services } from '../platform/http/services.js';
import { requireAccessKey } from './client/documents.js';
import { defineServerCommand, operatorOf, type ServerCall } from './frame/command.js';
import { type Intent, requireConfirmation, YES_OPTION } from './frame/confirmation.js';
import { chooseFrom, findTenantId, PAGE_OPTIONS, readPage, requireId, requireText } from './frame/read-options.js';

const PAYMENT = { name: 'payment', description: { es: 'Su id', en: 'Its id' } };

/** Commands about payments and the operator's invoices for them. */
export const PAYMENT_COMMANDS = {
  list: defineServerCommand({
    options: {
      status: textOption('status', {
        es: `${PAYMENT_STATUSES.join(', ')}; REPORTED espera por usted`,
        en: `${PAYMENT_STATUSES.join(', ')}; REPORTED waits for you`,
      }),
      account: textOption('account', {
        es: 'De esa cuenta: su id, RUC o correo',
        en: 'Of that account: its id, RUC or e-mail address',
      }),
      ...PAGE_OPTIONS,
    },
    async run(call) {
      const text = call.options.status;
      const status = text === null ? null : chooseFrom('--status', text, PAYMENT_STATUSES);
      const pagination = readPage(call);
      const { services } = await call.open();
      const account = call.options.account;
      const tenantId = account === null ? null : await findTenantId(services, account);
      const filter = { status, tenantId, ...pagination };
      const { payments, total } = await services.database.read((tables) => listPayments(tables, filter));
      return listed(payments, { total, ...pagination }, call.language);
    },
  }),
  verify: defineServerCommand({ args: [PAYMENT], run: (call) => changePayment(call, verify) }),
  reject: defineServerCommand({
    args: [PAYMENT],
    options: { reason: textOption('reason', REJECTION_REASONS.join(', ')) },
    async run(call) {
      const reason = chooseFrom('--reason', requireText('--reason', call.options.reason), REJECTION_REASONS);
      return changePayment(call, (services, operator, paymentId) => reject(services, operator, { paymentId, reason }));
    },
  }),
  refund: defineServerCommand({
    about: {
      es: 'Solo se devuelve el último pago aplicado. La transferencia la hace usted.',
      en: 'Only the payment that was applied last can be given back. The transfer itself is yours to make.',
    },
    args: [PAYMENT],
    options: YES_OPTION,
    async run(call) {
      await requireConfirmation(call, () => describeRefund(call));
      return changePayment(call, refund);
    },
  }),
  proofs: defineServerCommand({
    args: [PAYMENT],
    options: {
      save: textOption('folder', {
        es: 'Escribe allí cada archivo, con su id por nombre',
        en: 'Writes each file there, under its id',
      }),
    },
    async run(call) {
      const paymentId = namedPayment(call);
      const folder = call.options.save;
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
          call.language,
        ),
      };
    },
  }),
  pendingInvoices: defineServerCommand({
    options: PAGE_OPTIONS,
    async run(call) {
      const pagination = readPage(call);
      const { database } = (await call.open()).services;
      const { payments, total } = await database.read((tables) => listUninvoicedPayments(tables, pagination));
      return listed(payments, { total, ...pagination }, call.language);
    },
  }),
  linkInvoice: defineServerCommand({
    args: [
      { name: 'subscription', description: { es: 'Su id', en: 'Its id' } },
      { name: 'access-key', description: { es: 'Los 49 dígitos de la factura', en: 'The 49 digits of the invoice' } },
    ],
    options: {
      payment: textOption('id', {
        es: 'El pago; si no, el que más ha esperado',
        en: 'The payment; default: the one that has waited longest',
      }),
    },
    async run(call) {
      const subscriptionId = requireId({ es: 'Una suscripción', en: 'A subscription' }, call.args[0] ?? '');
      const accessKey = requireAccessKey(call.args[1]);
      const payment = call.options.payment;
      const paymentId = payment === null ? null : requireId('--payment', payment);
      const wanted = { subscriptionId, accessKey, paymentId };
      const invoice = showInvoiceLink(await linkInvoice((await call.open()).services, operatorOf(call), wanted));
      return { json: { ok: true, invoice }, text: toLines(invoice, call.language) };
    },
  }),
} as const;

// --- internal ---

function listed(
  payments: readonly OwnedPayment[],
  pagination: { readonly total: number; readonly page: number; readonly limit: number },
  language: Language,
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
    text: toTable(
      ['id', 'subscription', 'status', 'purpose', 'tier', 'USD', 'code', 'account', 'reported'],
      rows,
      language,
    ),
  };
}

function namedPayment(call: ServerCall): string {
  return requireId({ es: 'Un pago', en: 'A payment' }, call.args[0] ?? '');
}

/** What recording a refund reverts. */
async function describeRefund(call: ServerCall): Promise<Intent> {
  const id = namedPayment(call);
  const { services } = await call.open();
  const payment = await services.database.read((tables) => findPayment(tables, id));
  if (!payment) throw new Refusal('PAYMENT_NOT_FOUND');
  const { status, targetTier, totalAmount, email } = payment;
  const summary = {
    es: `El pago ${id} (${formatAmount(totalAmount)} por ${targetTier}, ${status}) se anota como devuelto, y la cuenta ${email} pierde lo que le dio.`,
    en: `The payment ${id} (${formatAmount(totalAmount)} for ${targetTier}, ${status}) is noted as given back, and the account ${email} loses what it gave.`,
  };
  return { summary: [summary], word: id.slice(-6) };
}

async function changePayment(
  call: ServerCall,
  change: (services: Services, operator: Operator, paymentId: string) => Promise<OwnedPayment>,
): Promise<CommandResult> {
  const paymentId = namedPayment(call);
  const { services } = await call.open();
  const payment = await change(services, operatorOf(call), paymentId);
  const { id, status, purpose, targetTier, totalAmount, paymentCode, rejectionReason, email: account } = payment;
  const shown = { id, account, status, purpose, targetTier, totalAmount, paymentCode, rejectionReason };
  return { json: { ok: true, payment: showPayment(payment) }, text: toLines(shown, call.language) };
}
