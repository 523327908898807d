import { DOCUMENT_TYPES, type DocumentType, isDocumentType } from 'sri-core';
import { invalid, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import { requireIssuer } from '../http/require-issuer.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { disableDocumentType, enableDocumentType } from '../tenancy/issuer-administration.js';
import { findIssuerId } from './issuer-id-param.js';

/** `GET /v1/issuers/:id/document-types` */
export const getDocumentTypes = defineHandler({
  parse: findIssuerId,
  answer: async ({ exchange, context }: TenantCall, id) => {
    const { documentTypes } = await requireIssuer(exchange, context, id);
    return json(200, { ok: true, documentTypes });
  },
});

/** `POST /v1/issuers/:id/document-types` */
export const postDocumentType = defineHandler({
  parse: async (exchange) => {
    const id = findIssuerId(exchange);
    const { documentType } = await exchange.json();
    return { id, documentType: requireDocumentType('documentType', documentType) };
  },
  answer: async ({ exchange, context }: TenantCall, { id, documentType }) => {
    const documentTypes = await enableDocumentType(exchange.services.issuers, { context, id }, documentType);
    return json(200, { ok: true, documentTypes });
  },
});

/** `DELETE /v1/issuers/:id/document-types/:code` */
export const deleteDocumentType = defineHandler({
  parse: (exchange) => ({
    id: findIssuerId(exchange),
    documentType: requireDocumentType('path:code', exchange.params['code']),
  }),
  answer: async ({ exchange, context }: TenantCall, { id, documentType }) => {
    const documentTypes = await disableDocumentType(exchange.services.issuers, { context, id }, documentType);
    return json(200, { ok: true, documentTypes });
  },
});

/** A supported document type. @throws Refusal VALIDATION_FAILED */
export function requireDocumentType(field: string, value: unknown): DocumentType {
  if (typeof value === 'string' && isDocumentType(value)) return value;
  const allowed = DOCUMENT_TYPES.join(', ');
  throw invalid([
    value === undefined ? ruleFailure(field, 'required') : ruleFailure(field, 'documentType', { allowed }),
  ]);
}
