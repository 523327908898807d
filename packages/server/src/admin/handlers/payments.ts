import { isAccessKey } from 'sri-core';
import { PAYMENT_STATUSES, REJECTION_REASONS } from '../../billing/account.js';
import { attachment, json } from '../../http/answer.js';
import { QueryReader } from '../../http/parse-query.js';
import { defineHandler, type OperatorCall } from '../../http/route.js';
import { toUuid } from '../../http/uuid.js';
import { toProofBody } from '../../v1/billing-body.js';
import {
  findPayments,
  findProofs,
  findUninvoiced,
  linkInvoice,
  openProof,
  refund,
  reject,
  verify,
} from '../payment-administration.js';
import { showInvoiceLink, showPayment } from '../shown.js';
import { BodyReader, readId, readPage, readQueryId } from './read-request.js';

/** `GET /v1/admin/payments` */
export const getPayments = defineHandler({
  parse: (exchange) => {
    const query = new QueryReader(exchange.search);
    const filter = {
      status: query.choice('status', PAYMENT_STATUSES),
      tenantId: readQueryId(query, 'tenantId'),
      ...readPage(query),
    };
    query.done();
    return filter;
  },
  answer: async ({ exchange }: OperatorCall, filter) => {
    const { payments, total } = await findPayments(exchange.services, filter);
    const { page, limit } = filter;
    return json(200, { ok: true, payments: payments.map(showPayment), pagination: { total, page, limit } });
  },
});

/** `GET /v1/admin/payments/:id/proofs` */
export const getProofs = defineHandler({
  parse: (exchange) => readId(exchange, 'id', 'PAYMENT_NOT_FOUND'),
  answer: async ({ exchange }: OperatorCall, id) => {
    const proofs = await findProofs(exchange.services, id);
    return json(200, { ok: true, proofs: proofs.map(toProofBody) });
  },
});

/** `GET /v1/admin/payments/:id/proofs/:proofId` */
export const getProof = defineHandler({
  parse: (exchange) => ({
    paymentId: readId(exchange, 'id', 'PAYMENT_NOT_FOUND'),
    proofId: readId(exchange, 'proofId'),
  }),
  answer: async ({ exchange }: OperatorCall, wanted) => {
    const { id, mimeType, bytes } = await openProof(exchange.services, wanted);
    // The name somebody gave it is shown in the list; a header takes our own.
    return attachment(bytes, mimeType, `${id}.${mimeType.split('/')[1]}`);
  },
});

/** `PATCH /v1/admin/payments/:id/review` */
export const patchReview = defineHandler({
  parse: async (exchange) => {
    const paymentId = readId(exchange, 'id', 'PAYMENT_NOT_FOUND');
    const body = new BodyReader(await exchange.json());
    const decision = body.choice('decision', ['VERIFIED', 'REJECTED']);
    const required = decision === 'REJECTED';
    const reason = body.choice('rejectionReasonCode', REJECTION_REASONS, { required });
    return { ...body.done({ paymentId, decision }), reason: reason ?? 'OTHER' };
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
export const patchRefund = defineHandler({
  parse: (exchange) => readId(exchange, 'id', 'PAYMENT_NOT_FOUND'),
  answer: async ({ exchange, operator }: OperatorCall, id) => {
    const payment = await refund(exchange.services, operator, id);
    return json(200, { ok: true, payment: showPayment(payment) });
  },
});

/** `PATCH /v1/admin/subscriptions/:id/link-invoice` */
export const patchInvoice = defineHandler({
  parse: async (exchange) => {
    const subscriptionId = readId(exchange);
    const body = new BodyReader(await exchange.json());
    const accessKey = body.text('accessKey', { max: 49 });
    if (accessKey !== null && !isAccessKey(accessKey)) body.fail('accessKey', 'accessKey');
    const given = body.value('paymentId');
    const paymentId = typeof given === 'string' ? toUuid(given) : null;
    if (given !== undefined && paymentId === null) body.fail('paymentId', 'uuid');
    return { ...body.done({ subscriptionId, accessKey }), paymentId };
  },
  answer: async ({ exchange, operator }: OperatorCall, wanted) => {
    const link = await linkInvoice(exchange.services, operator, wanted);
    return json(200, { ok: true, invoice: showInvoiceLink(link) });
  },
});

/** `GET /v1/admin/invoicing/pending` */
export const getUninvoiced = defineHandler({
  parse: (exchange) => {
    const query = new QueryReader(exchange.search);
    const page = readPage(query);
    query.done();
    return page;
  },
  answer: async ({ exchange }: OperatorCall, { page, limit }) => {
    const { payments, total } = await findUninvoiced(exchange.services, { page, limit });
    return json(200, { ok: true, payments: payments.map(showPayment), pagination: { total, page, limit } });
  },
});
