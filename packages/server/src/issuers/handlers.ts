import { DOCUMENT_TYPES } from 'sri-core';
import type { TenantCall } from '../accounts/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { required } from '../platform/http/field.js';
import { boolean, pathId, pathIdOrNone } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { warningsSchema } from '../platform/http/warnings-schema.js';
import { flag, listOf, named, okBody, oneOf, orNull, text, timestamp } from '../platform/schema-words.js';
import { addIssuer } from './add-issuer.js';
import { changeIssuer, changeLogo, reactivateIssuer, removeIssuer } from './administer-issuers.js';
import { toCertificateWarnings } from './certificate-warnings.js';
import { issuerPatchBody } from './change-fields.js';
import { logoBody, newIssuerBody, renewalBody, toIssuerRequest, toLogo, toRenewal } from './form.js';
import { requireIssuer, requireOwnIssuer } from './own-issuer.js';
import { renewCertificate } from './renew-certificate.js';
import { type IssuerState, listIssuers } from './rows.js';
import { issuerFields, issuerSchema, toIssuerBody } from './schemas.js';

const id = pathId('issuer');
const oneIssuer = okBody({ issuer: issuerSchema });
const ABSENT = ['ISSUER_NOT_FOUND', 'ISSUER_FORBIDDEN'] as const;
const UNUSABLE_CERTIFICATE = [
  'INVALID_FILE_UPLOAD',
  'CERTIFICATE_INVALID',
  'CERTIFICATE_PASSWORD_INVALID',
  'CERTIFICATE_KEY_NOT_FOUND',
  'CERTIFICATE_EXPIRED',
  'BAD_REQUEST',
] as const;

/** `GET /v1/issuers` */
export const getIssuers = routeHandler({
  operation: {
    id: 'listIssuers',
    summary: 'Lists the active issuers of the account.',
    answers: {
      200: okBody({
        issuers: listOf(
          named('ListedIssuer', 'An issuer with the document types it may issue.', {
            ...issuerFields,
            documentTypes: listOf(oneOf(DOCUMENT_TYPES, 'A type.'), 'What it may issue.'),
          }),
          'The issuers.',
        ),
      }),
    },
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const issuers = await exchange.services.database.read((tables) => listIssuers(tables, context));
    return json(200, {
      ok: true,
      issuers: issuers.map((issuer) => ({ ...toIssuerBody(issuer), documentTypes: issuer.documentTypes })),
    });
  },
});

/** `POST /v1/issuers` */
export const createIssuer = routeHandler({
  operation: {
    id: 'createIssuer',
    summary: 'Adds a branch or issue point.',
    answers: { 201: okBody({ issuer: issuerSchema, warnings: warningsSchema }) },
    refuses: [
      ...UNUSABLE_CERTIFICATE,
      'EMAIL_VERIFICATION_REQUIRED',
      'DOCUMENT_TYPE_NOT_IN_TIER',
      'BRANCH_LIMIT_REACHED',
      'ISSUE_POINT_LIMIT_REACHED',
      'SOURCE_ISSUER_NOT_FOUND',
      'CONFLICT',
    ],
  },
  body: newIssuerBody,
  answer: async ({ exchange, context }: TenantCall, { body }) => {
    const issuer = await addIssuer(exchange.services.issuers, context, toIssuerRequest(body));
    return json(201, { ok: true, issuer: toIssuerBody(issuer), ...toCertificateWarnings(issuer, exchange.language) });
  },
});

/** `GET /v1/issuers/:id` */
export const getIssuer = routeHandler({
  operation: {
    id: 'getIssuer',
    summary: 'Gives an issuer.',
    answers: { 200: oneIssuer },
    refuses: ['NOT_FOUND', 'FORBIDDEN'],
  },
  params: { id: pathIdOrNone('issuer', { reason: 'ISSUER_NOT_FOUND' }) },
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const issuer = await requireIssuer(exchange, context, params.id);
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH /v1/issuers/:id` */
export const patchIssuer = routeHandler({
  operation: {
    id: 'updateIssuer',
    summary: 'Changes the data of an issuer.',
    answers: { 200: oneIssuer },
    refuses: ABSENT,
  },
  params: { id },
  body: issuerPatchBody,
  find: (call: TenantCall, { params }) => findOwnIssuer(call, params.id),
  answer: async ({ exchange, context }: TenantCall, { params, body: patch }) => {
    const target = { context, ...params };
    const issuer = await changeIssuer(exchange.services.issuers, target, patch.changes, patch.check);
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH /v1/issuers/:id/logo` */
export const patchLogo = routeHandler({
  operation: {
    id: 'setLogo',
    summary: 'Sets or removes the logo of an issuer.',
    answers: { 200: oneIssuer },
    refuses: [...ABSENT, 'INVALID_FILE_UPLOAD'],
  },
  params: { id },
  body: logoBody,
  parse: (_exchange, { params, body }) => ({ ...params, logo: toLogo(body) }),
  find: (call: TenantCall, { id }) => findOwnIssuer(call, id),
  answer: async ({ exchange, context }: TenantCall, { id, logo }) => {
    const issuer = await changeLogo(exchange.services.issuers, { context, id }, logo);
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH /v1/issuers/:id/can-issue` */
export const patchCanIssue = routeHandler({
  operation: {
    id: 'setCanIssue',
    summary: 'Pauses an issuer or lets it issue again.',
    answers: { 200: okBody({ canIssue: flag('As it stands now.'), issuer: issuerSchema }) },
    refuses: ABSENT,
  },
  params: { id },
  body: jsonBody({ canIssue: required(boolean('Whether it may issue.')) }),
  find: (call: TenantCall, { params }) => findOwnIssuer(call, params.id),
  answer: async ({ exchange, context }: TenantCall, { params, body: { canIssue } }) => {
    const issuer = await changeIssuer(exchange.services.issuers, { context, ...params }, { canIssue });
    return json(200, { ok: true, canIssue, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH` and `POST /v1/issuers/:id/certificate` */
export const putCertificate = routeHandler({
  operation: {
    id: 'renewCertificate',
    summary: 'Gives an issuer, or all of them, a new certificate.',
    answers: {
      200: okBody({
        certFingerprint: orNull(text('SHA-256 of the certificate, hex.', '3f'.repeat(32))),
        certExpiry: orNull(timestamp('Until when it holds.', '2027-12-31T00:00:00.000Z')),
        issuer: issuerSchema,
        warnings: warningsSchema,
      }),
    },
    refuses: [...ABSENT, ...UNUSABLE_CERTIFICATE],
  },
  params: { id },
  body: renewalBody,
  parse: (_exchange, { params, body }) => ({ id: params.id, renewal: toRenewal(body) }),
  find: (call: TenantCall, { id: issuerId }) => findOwnIssuer(call, issuerId, 'any'),
  answer: async ({ exchange, context }: TenantCall, { id: issuerId, renewal }) => {
    const target = { context, id: issuerId };
    const renewed = await renewCertificate(exchange.services.issuers, target, renewal);
    const issuer = toIssuerBody(renewed);
    const { certFingerprint, certExpiry } = issuer;
    const warnings = toCertificateWarnings(renewed, exchange.language);
    return json(200, { ok: true, certFingerprint, certExpiry, issuer, ...warnings });
  },
});

/** `DELETE /v1/issuers/:id` */
export const deleteIssuer = routeHandler({
  operation: {
    id: 'deleteIssuer',
    summary: 'Removes an issuer that has no documents.',
    answers: { 200: okBody({}) },
    refuses: [...ABSENT, 'LAST_ISSUER_CANNOT_BE_REMOVED', 'ISSUER_HAS_DOCUMENTS'],
  },
  params: { id },
  find: (call: TenantCall, { params }) => findOwnIssuer(call, params.id),
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    await removeIssuer(exchange.services.issuers, { context, ...params });
    return json(200, { ok: true });
  },
});

/** `PATCH /v1/issuers/:id/activate` */
export const activateIssuer = routeHandler({
  operation: {
    id: 'activateIssuer',
    summary: 'Brings a removed issuer back.',
    answers: { 200: oneIssuer },
    refuses: [...ABSENT, 'CERTIFICATE_INVALID', 'BRANCH_LIMIT_REACHED', 'ISSUE_POINT_LIMIT_REACHED'],
  },
  params: { id },
  find: (call: TenantCall, { params }) => findOwnIssuer(call, params.id, 'removed'),
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const issuer = await reactivateIssuer(exchange.services.issuers, { context, ...params });
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

// --- internal ---

function findOwnIssuer({ exchange, context }: TenantCall, issuerId: string, state: IssuerState = 'active') {
  return exchange.services.database.read((tables) => requireOwnIssuer(tables, context, issuerId, { state }));
}
