import { Refusal } from '../errors.js';
import { json } from '../http/answer.js';
import { requireIssuer } from '../http/require-issuer.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { toUuid } from '../http/uuid.js';
import { toIssuerBody } from './issuer-body.js';

/** `GET /v1/issuers/:id` */
export const getIssuer = defineHandler({
  parse: (exchange) => {
    const id = toUuid(exchange.params['id'] ?? '');
    // What is no UUID names no issuer.
    if (!id) throw new Refusal('NOT_FOUND', { reason: 'ISSUER_NOT_FOUND' });
    return id;
  },
  answer: async ({ exchange, context }: TenantCall, id) => {
    const issuer = await requireIssuer(exchange, context, id);
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});
