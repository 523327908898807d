import { DOCUMENT_TYPES } from 'sri-core';
import type { TenantCall } from '../accounts/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { documentTypeField } from '../platform/http/document-type-field.js';
import { required } from '../platform/http/field.js';
import { choice, pathIdOrNone } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, okBody } from '../platform/schema-words.js';
import { disableDocumentType, enableDocumentType } from './administer-issuers.js';
import { requireIssuer } from './own-issuer.js';

const id = pathIdOrNone('issuer', { reason: 'ISSUER_NOT_FOUND' });
const enabledTypes = okBody({ documentTypes: listOf(documentTypeField, 'What the issuer may issue.') });

/** `GET /v1/issuers/:id/document-types` */
export const getDocumentTypes = routeHandler({
  operation: {
    id: 'listDocumentTypes',
    summary: 'Lists the document types an issuer may issue.',
    answers: { 200: enabledTypes },
    refuses: ['NOT_FOUND', 'FORBIDDEN'],
  },
  params: { id },
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const { documentTypes } = await requireIssuer(exchange, context, params.id);
    return json(200, { ok: true, documentTypes });
  },
});

/** `POST /v1/issuers/:id/document-types` */
export const postDocumentType = routeHandler({
  operation: {
    id: 'enableDocumentType',
    summary: 'Lets an issuer issue a document type.',
    answers: { 200: enabledTypes },
    refuses: ['NOT_FOUND', 'FORBIDDEN', 'DOCUMENT_TYPE_NOT_IN_TIER'],
  },
  params: { id },
  body: jsonBody({
    documentType: required(choice(DOCUMENT_TYPES, 'The type.', { nulls: 'refused', rule: 'documentType' })),
  }),
  find: ({ exchange, context }: TenantCall, { params }) => requireIssuer(exchange, context, params.id),
  answer: async ({ exchange, context }: TenantCall, { params, body: { documentType } }) => {
    const documentTypes = await enableDocumentType(exchange.services.issuers, { context, ...params }, documentType);
    return json(200, { ok: true, documentTypes });
  },
});

/** `DELETE /v1/issuers/:id/document-types/:code` */
export const deleteDocumentType = routeHandler({
  operation: {
    id: 'disableDocumentType',
    summary: 'Takes a document type from an issuer.',
    answers: { 200: enabledTypes },
    refuses: ['NOT_FOUND', 'FORBIDDEN', 'LAST_DOCUMENT_TYPE_CANNOT_BE_REMOVED'],
  },
  params: { id, code: required(choice(DOCUMENT_TYPES, 'The type.', { rule: 'documentType' })) },
  find: ({ exchange, context }: TenantCall, { params }) => requireIssuer(exchange, context, params.id),
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const target = { context, id: params.id };
    const documentTypes = await disableDocumentType(exchange.services.issuers, target, params.code);
    return json(200, { ok: true, documentTypes });
  },
});
