import { Type } from '@sinclair/typebox';
import type { TenantCall } from '../accounts/index.js';
import { attachment, json } from '../platform/http/answer.js';
import { pathId } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, okBody } from '../platform/schema-words.js';
import { changeBilling } from './change-billing.js';
import { PROOF_TYPES } from './proof-file.js';
import { proofBody } from './proof-form.js';
import { paymentSchema, proofSchema, toPaymentBody, toProofBody } from './schemas.js';
import { cancelPayment, requirePayment } from './settle-payment.js';
import { readAccount } from './subscription-handlers.js';
import { readOwnProof, readOwnProofs, reportWithProofs, takeBackProof } from './upload-proof.js';

const id = pathId('payment');
const proofId = pathId('proof');
/** A proof as a file. */
export const proofFile = {
  about: 'The file.',
  headers: ['Content-Disposition'],
  content: Object.fromEntries(PROOF_TYPES.map((type) => [type, Type.String({ contentMediaType: type })])),
} as const;
const onePayment = okBody({ payment: paymentSchema });

/** `GET /v1/payments` */
export const getPayments = routeHandler({
  operation: {
    id: 'listPayments',
    summary: 'Lists the payments of the account, newest first.',
    answers: { 200: okBody({ payments: listOf(paymentSchema, 'The payments.') }) },
    refuses: ['NOT_FOUND'],
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const { payments } = await readAccount(exchange.services, context.tenant.id);
    return json(200, { ok: true, payments: payments.toReversed().map(toPaymentBody) });
  },
});

/** `GET /v1/payments/:id` */
export const getPayment = routeHandler({
  operation: {
    id: 'getPayment',
    summary: 'Gives a payment.',
    answers: { 200: onePayment },
    refuses: ['PAYMENT_NOT_FOUND', 'NOT_FOUND'],
  },
  params: { id },
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const payment = requirePayment(await readAccount(exchange.services, context.tenant.id), params.id);
    return json(200, { ok: true, payment: toPaymentBody(payment) });
  },
});

/** `DELETE /v1/payments/:id` */
export const deletePayment = routeHandler({
  operation: {
    id: 'cancelPayment',
    summary: 'Cancels a payment that was not made.',
    answers: { 200: onePayment },
    refuses: ['PAYMENT_NOT_FOUND', 'PAYMENT_NOT_CANCELLABLE', 'NOT_FOUND'],
  },
  params: { id },
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const { account } = await changeBilling(exchange.services.billing, context.tenant.id, (before, at) =>
      cancelPayment(before, params.id, at),
    );
    return json(200, { ok: true, payment: toPaymentBody(requirePayment(account, params.id)) });
  },
});

/** `PATCH /v1/payments/:id/proof` */
export const patchProof = routeHandler({
  operation: {
    id: 'reportPayment',
    summary: 'Reports that a transfer was made, with proofs.',
    answers: { 200: okBody({ payment: paymentSchema, proofs: listOf(proofSchema, 'Its proofs.') }) },
    refuses: ['PAYMENT_NOT_FOUND', 'INVALID_FILE_UPLOAD', 'PROOF_FILE_LIMIT_REACHED', 'CONFLICT', 'NOT_FOUND'],
  },
  params: { id },
  body: proofBody,
  answer: async ({ exchange, context }: TenantCall, { params, body: report }) => {
    const { billing } = exchange.services;
    const { payment, proofs } = await reportWithProofs(billing, context.tenant.id, params.id, report);
    return json(200, { ok: true, payment: toPaymentBody(payment), proofs: proofs.map(toProofBody) });
  },
});

/** `GET /v1/payments/:id/proofs` */
export const getProofs = routeHandler({
  operation: {
    id: 'listProofs',
    summary: 'Lists the proofs of a payment.',
    answers: { 200: okBody({ proofs: listOf(proofSchema, 'The proofs.') }) },
    refuses: ['PAYMENT_NOT_FOUND', 'NOT_FOUND'],
  },
  params: { id },
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const proofs = await readOwnProofs(exchange.services.billing, context.tenant.id, params.id);
    return json(200, { ok: true, proofs: proofs.map(toProofBody) });
  },
});

/** `GET /v1/payments/:id/proofs/:proofId`: the file itself, always as a download. */
export const getProof = routeHandler({
  operation: {
    id: 'downloadProof',
    summary: 'Gives the file of a proof, never to be shown in place.',
    answers: { 200: proofFile },
    refuses: ['PAYMENT_NOT_FOUND', 'NOT_FOUND'],
  },
  params: { id, proofId },
  parse: (_exchange, { params }) => ({ paymentId: params.id, proofId: params.proofId }),
  answer: async ({ exchange, context }: TenantCall, name) => {
    const { proof, bytes } = await readOwnProof(exchange.services.billing, context.tenant.id, name);
    return attachment(bytes, proof.mimeType, headerName(proof.filename));
  },
});

/** `DELETE /v1/payments/:id/proofs/:proofId` */
export const deleteProof = routeHandler({
  operation: {
    id: 'deleteProof',
    summary: 'Takes a proof back.',
    answers: { 200: okBody({}) },
    refuses: ['PAYMENT_NOT_FOUND', 'CONFLICT', 'NOT_FOUND'],
  },
  params: { id, proofId },
  parse: (_exchange, { params }) => ({ paymentId: params.id, proofId: params.proofId }),
  answer: async ({ exchange, context }: TenantCall, name) => {
    await takeBackProof(exchange.services.billing, context.tenant.id, name);
    return json(200, { ok: true });
  },
});

// --- internal ---

/** A file name in the form of a header value. */
function headerName(filename: string): string {
  return filename
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '_');
}
