import { type TenantRoute, tenant } from '../accounts/index.js';
import { deleteDocumentType, getDocumentTypes, postDocumentType } from './document-type-handlers.js';
import {
  activateIssuer,
  createIssuer,
  deleteIssuer,
  getIssuer,
  getIssuers,
  patchCanIssue,
  patchIssuer,
  patchLogo,
  putCertificate,
} from './handlers.js';
import { getSequentials, patchSequential } from './sequential-handlers.js';

/** Routes about issuers, their certificates, logos, document types and counters. */
export const ISSUERS_ROUTES: readonly TenantRoute[] = [
  tenant('GET', '/v1/issuers', 'issuers:read', getIssuers),
  tenant('POST', '/v1/issuers', 'issuers:write', createIssuer, { slots: 'uploading' }),
  tenant('GET', '/v1/issuers/:id', 'issuers:read', getIssuer),
  tenant('PATCH', '/v1/issuers/:id', 'issuers:write', patchIssuer),
  tenant('DELETE', '/v1/issuers/:id', 'issuers:write', deleteIssuer),
  tenant('PATCH', '/v1/issuers/:id/activate', 'issuers:write', activateIssuer),
  tenant('PATCH', '/v1/issuers/:id/can-issue', 'issuers:write', patchCanIssue),
  tenant('PATCH', '/v1/issuers/:id/logo', 'issuers:write', patchLogo, { slots: 'uploading' }),
  tenant('PATCH', '/v1/issuers/:id/certificate', 'issuers:write', putCertificate, { slots: 'uploading' }),
  tenant('POST', '/v1/issuers/:id/certificate', 'issuers:write', putCertificate, { slots: 'uploading' }),
  tenant('GET', '/v1/issuers/:id/document-types', 'issuers:read', getDocumentTypes),
  tenant('POST', '/v1/issuers/:id/document-types', 'issuers:write', postDocumentType),
  tenant('DELETE', '/v1/issuers/:id/document-types/:code', 'issuers:write', deleteDocumentType),
  tenant('GET', '/v1/issuers/:id/sequentials', 'issuers:read', getSequentials, { limit: 'sequentials' }),
  tenant('PATCH', '/v1/issuers/:id/sequentials/:documentType', 'issuers:write', patchSequential, {
    limit: 'sequentials',
  }),
];
