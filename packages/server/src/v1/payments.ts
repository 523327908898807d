import { changeBilling } from '../billing/change-billing.js';
import { readOwnProof, readOwnProofs, reportWithProofs, takeBackProof } from '../billing/payment-proofs.js';
import { cancelPayment, requirePayment } from '../billing/settle-payment.js';
import { attachment, json } from '../http/answer.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { toPaymentBody, toProofBody } from './billing-body.js';
import { readPathId } from './billing-params.js';
import { readProofReport } from './proof-form.js';
import { readAccount } from './subscriptions.js';

/** `GET /v1/payments` */
export const getPayments = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const { payments } = await readAccount(exchange.services, context.tenant.id);
    return json(200, { ok: true, payments: payments.toReversed().map(toPaymentBody) });
  },
});

/** `GET /v1/payments/:id` */
export const getPayment = defineHandler({
  parse: (exchange) => readPathId(exchange, 'id'),
  answer: async ({ exchange, context }: TenantCall, id) => {
    const payment = requirePayment(await readAccount(exchange.services, context.tenant.id), id);
    return json(200, { ok: true, payment: toPaymentBody(payment) });
  },
});

/** `DELETE /v1/payments/:id` */
export const deletePayment = defineHandler({
  parse: (exchange) => readPathId(exchange, 'id'),
  answer: async ({ exchange, context }: TenantCall, id) => {
    const { account } = await changeBilling(exchange.services.billing, context.tenant.id, (before, at) =>
      cancelPayment(before, id, at),
    );
    return json(200, { ok: true, payment: toPaymentBody(requirePayment(account, id)) });
  },
});

/** `PATCH /v1/payments/:id/proof` */
export const patchProof = defineHandler({
  parse: async (exchange) => ({ id: readPathId(exchange, 'id'), report: await readProofReport(exchange) }),
  answer: async ({ exchange, context }: TenantCall, { id, report }) => {
    const { payment, proofs } = await reportWithProofs(exchange.services.billing, context.tenant.id, id, report);
    return json(200, { ok: true, payment: toPaymentBody(payment), proofs: proofs.map(toProofBody) });
  },
});

/** `GET /v1/payments/:id/proofs` */
export const getProofs = defineHandler({
  parse: (exchange) => readPathId(exchange, 'id'),
  answer: async ({ exchange, context }: TenantCall, id) => {
    const proofs = await readOwnProofs(exchange.services.billing, context.tenant.id, id);
    return json(200, { ok: true, proofs: proofs.map(toProofBody) });
  },
});

/** `GET /v1/payments/:id/proofs/:proofId`: the file itself, never to be shown in place. */
export const getProof = defineHandler({
  parse: (exchange) => ({ paymentId: readPathId(exchange, 'id'), proofId: readPathId(exchange, 'proofId') }),
  answer: async ({ exchange, context }: TenantCall, name) => {
    const { proof, bytes } = await readOwnProof(exchange.services.billing, context.tenant.id, name);
    return attachment(bytes, proof.mimeType, headerName(proof.filename));
  },
});

/** `DELETE /v1/payments/:id/proofs/:proofId` */
export const deleteProof = defineHandler({
  parse: (exchange) => ({ paymentId: readPathId(exchange, 'id'), proofId: readPathId(exchange, 'proofId') }),
  answer: async ({ exchange, context }: TenantCall, name) => {
    await takeBackProof(exchange.services.billing, context.tenant.id, name);
    return json(200, { ok: true });
  },
});

/** A file's name as a header can carry it. */
export function headerName(filename: string): string {
  return filename
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '_');
}
