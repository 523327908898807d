import type { Route } from '../http/route.js';
import { authorizeDocument, listSriResponses } from './document-authorization.js';
import { downloadRide, downloadXml, listDocumentEvents } from './document-files.js';
import { createDocument, getDocument, listDocuments, sendDocument } from './documents.js';
import { getIssuer } from './issuers.js';
import { registerTenant } from './register.js';
import { getOwnTenant, getTenantEvents } from './tenants.js';
import { checkEmail, confirmEmail, confirmEmailByLink } from './verify-email.js';

/**
 * Every route of the interface with everything that is checked before its handler: who may call it, with which scope,
 * whether for one issuer, what a suspended account gets, and which limit its requests count against.
 */
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/register', access: 'onboarding', limit: 'onboarding', handler: registerTenant },
  { method: 'GET', path: '/v1/verify-email/check', access: 'public', limit: null, handler: checkEmail },
  { method: 'POST', path: '/v1/verify-email', access: 'onboarding', limit: null, handler: confirmEmail },
  { method: 'GET', path: '/v1/verify-email', access: 'onboarding', limit: null, handler: confirmEmailByLink },

  {
    method: 'GET',
    path: '/v1/tenants/me',
    access: 'tenant',
    scope: null,
    suspended: 'served',
    limit: 'tenantsMe',
    handler: getOwnTenant,
  },
  {
    method: 'GET',
    path: '/v1/tenants/events',
    access: 'tenant',
    scope: null,
    suspended: 'served',
    limit: 'tenantsEvents',
    handler: getTenantEvents,
  },
  {
    method: 'GET',
    path: '/v1/issuers/:id',
    access: 'tenant',
    scope: 'issuers:read',
    suspended: 'served',
    limit: null,
    handler: getIssuer,
  },

  {
    method: 'POST',
    path: '/v1/documents',
    access: 'issuer',
    scope: 'documents:write',
    suspended: 'refused',
    limit: null,
    handler: createDocument,
  },
  {
    method: 'GET',
    path: '/v1/documents',
    access: 'issuer',
    scope: 'documents:read',
    suspended: 'served',
    limit: null,
    handler: listDocuments,
  },
  {
    method: 'GET',
    path: '/v1/documents/:accessKey',
    access: 'issuer',
    scope: 'documents:read',
    suspended: 'served',
    limit: null,
    handler: getDocument,
  },
  {
    method: 'POST',
    path: '/v1/documents/:accessKey/send',
    access: 'issuer',
    scope: 'documents:write',
    suspended: 'refused',
    limit: null,
    handler: sendDocument,
  },
  {
    method: 'GET',
    path: '/v1/documents/:accessKey/authorize',
    access: 'issuer',
    scope: 'documents:write',
    suspended: 'refused',
    limit: null,
    handler: authorizeDocument,
  },
  {
    method: 'GET',
    path: '/v1/documents/:accessKey/sri-responses',
    access: 'issuer',
    scope: 'documents:read',
    suspended: 'served',
    limit: null,
    handler: listSriResponses,
  },
  {
    method: 'GET',
    path: '/v1/documents/:accessKey/ride',
    access: 'issuer',
    scope: 'documents:read',
    suspended: 'served',
    limit: null,
    handler: downloadRide,
  },
  {
    method: 'GET',
    path: '/v1/documents/:accessKey/xml',
    access: 'issuer',
    scope: 'documents:read',
    suspended: 'served',
    limit: null,
    handler: downloadXml,
  },
  {
    method: 'GET',
    path: '/v1/documents/:accessKey/events',
    access: 'issuer',
    scope: 'documents:read',
    suspended: 'served',
    limit: null,
    handler: listDocumentEvents,
  },
];
