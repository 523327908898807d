import { isAccessKey } from 'sri-core';
import { PAYMENT_STATUSES, proofFile, proofSchema, REJECTION_REASONS, toProofBody } from '../billing/index.js';
import { invalid, ruleFailure } from '../platform/errors/refusal.js';
import { attachment, json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { optional, required } from '../platform/http/field.js';
import { choice, idField, pathIdOrNone, queryPage, textWithin } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { accessKeyText, listOf, okBody, paginationSchema } from '../platform/schema-words.js';
import { findProofs, linkInvoice, openProof, refund, reject, verify } from './administer-payments.js';
import type { OperatorCall } from './operator-route.js';
import { listPayments, listUninvoicedPayments } from './payment-rows.js';
import { invoiceLinkSchema, operatorPaymentSchema, showInvoiceLink, showPayment } from './schemas.js';

const id = pathIdOrNone('payment', { code: 'PAYMENT_NOT_FOUND' });
const onePayment = okBody({ payment: operatorPaymentSchema });
const manyPayments = okBody({ payments: listOf(operatorPaymentSchema, 'The payments.'), pagination: paginationSchema });

const invoiceKey = optional(accessKeyText('Access key of the invoice.'), (value, fail) => {
  const key = textWithin(value, 49, fail, () => fail('required'));
  if (key === null || isAccessKey(key)) return key;
  fail('accessKey');
  return null;
});

/** `GET /v1/admin/payments` */
export const getPayments = routeHandler({
  operation: {
    id: 'listAllPayments',
    summary: 'Lists the payments of every account, longest waiting first.',
    answers: { 200: manyPayments },
  },
  query: {
    status: choice(PAYMENT_STATUSES, 'Only payments that stand so.'),
    tenantId: idField('Only payments of that account.'),
    ...queryPage(),
  },
  answer: async ({ exchange }: OperatorCall, { query: filter }) => {
    const { payments, total } = await exchange.services.database.read((tables) => listPayments(tables, filter));
    const { page, limit } = filter;
    return json(200, { ok: true, payments: payments.map(showPayment), pagination: { total, page, limit } });
  },
});

/** `GET /v1/admin/payments/:id/proofs` */
export const getProofs = routeHandler({
  operation: {
    id: 'listProofsOfPayment',
    summary: 'Lists the proofs of a payment.',
    answers: { 200: okBody({ proofs: listOf(proofSchema, 'The proofs.') }) },
    refuses: ['PAYMENT_NOT_FOUND'],
  },
  params: { id },
  answer: async ({ exchange }: OperatorCall, { params }) => {
    const proofs = await findProofs(exchange.services, params.id);
    return json(200, { ok: true, proofs: proofs.map(toProofBody) });
  },
});

/** `GET /v1/admin/payments/:id/proofs/:proofId` */
export const getProof = routeHandler({
  operation: {
    id: 'downloadProofOfPayment',
    summary: 'Gives the file of a proof.',
    answers: { 200: proofFile },
    refuses: ['PAYMENT_NOT_FOUND', 'NOT_FOUND'],
  },
  params: { id, proofId: pathIdOrNone('proof') },
  parse: (_exchange, { params }) => ({ paymentId: params.id, proofId: params.proofId }),
  answer: async ({ exchange }: OperatorCall, wanted) => {
    const { id: name, mimeType, bytes } = await openProof(exchange.services, wanted);
    // The list shows the sender's file name; the header has a name of the server.
    return attachment(bytes, mimeType, `${name}.${mimeType.split('/')[1]}`);
  },
});

/** `PATCH /v1/admin/payments/:id/review` */
export const patchReview = routeHandler({
  operation: {
    id: 'reviewPayment',
    summary: 'Accepts a payment, or refuses it with a reason.',
    answers: { 200: onePayment },
    refuses: ['PAYMENT_NOT_FOUND', 'CONFLICT'],
  },
  params: { id },
  body: jsonBody({
    decision: required(choice(['VERIFIED', 'REJECTED'], 'Whether it is accepted.')),
    rejectionReasonCode: choice(REJECTION_REASONS, 'Why not: needed with REJECTED.'),
  }),
  parse: (_exchange, { params, body: { decision, rejectionReasonCode: reason } }) => {
    if (decision === 'REJECTED' && !reason) throw invalid([ruleFailure('rejectionReasonCode', 'required')]);
    return { paymentId: params.id, decision, reason: reason ?? 'OTHER' };
  },
  answer: async ({ exchange, operator }: OperatorCall, { paymentId, decision, reason }) => {
    const { services } = exchange;
    const payment =
      decision === 'VERIFIED'
        ? await verify(services, operator, paymentId)
        : await reject(services, operator, { paymentId, reason });
    return json(200, { ok: true, payment: showPayment(payment) });
  },
});

/** `PATCH /v1/admin/payments/:id/refund` */
export const patchRefund = routeHandler({
  operation: {
    id: 'refundPayment',
    summary: 'Records the refund of a payment, and withdraws what it gave.',
    answers: { 200: onePayment },
    refuses: ['PAYMENT_NOT_FOUND', 'PAYMENT_NOT_REFUNDABLE', 'CONFLICT'],
  },
  params: { id },
  answer: async ({ exchange, operator }: OperatorCall, { params }) => {
    const payment = await refund(exchange.services, operator, params.id);
    return json(200, { ok: true, payment: showPayment(payment) });
  },
});

/** `PATCH /v1/admin/subscriptions/:id/link-invoice` */
export const patchInvoice = routeHandler({
  operation: {
    id: 'linkInvoice',
    summary: 'Records the invoice of a payment.',
    answers: { 200: okBody({ invoice: invoiceLinkSchema }) },
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  params: { id: pathIdOrNone('subscription') },
  body: jsonBody({
    accessKey: required(invoiceKey),
    paymentId: idField('The payment; default the oldest verified one without an invoice.'),
  }),
  parse: (_exchange, { params, body }) => ({ subscriptionId: params.id, ...body }),
  answer: async ({ exchange, operator }: OperatorCall, wanted) => {
    const link = await linkInvoice(exchange.services, operator, wanted);
    return json(200, { ok: true, invoice: showInvoiceLink(link) });
  },
});

/** `GET /v1/admin/invoicing/pending` */
export const getUninvoiced = routeHandler({
  operation: {
    id: 'listUninvoicedPayments',
    summary: 'Lists verified payments that have no invoice yet.',
    answers: { 200: manyPayments },
  },
  query: queryPage(),
  answer: async ({ exchange }: OperatorCall, { query }) => {
    const { payments, total } = await exchange.services.database.read((tables) =>
      listUninvoicedPayments(tables, query),
    );
    const { page, limit } = query;
    return json(200, { ok: true, payments: payments.map(showPayment), pagination: { total, page, limit } });
  },
});
