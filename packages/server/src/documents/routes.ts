import { type TenantRoute, tenant } from '../accounts/index.js';
import { type IssuerRoute, type IssuersRoute, issuer, issuers } from '../issuers/index.js';
import { authorizeDocument, listSriResponses } from './authorization-handlers.js';
import { getCatalog, listCatalogs } from './catalog-handlers.js';
import { rebuildDocument, voidDocument } from './correction-handlers.js';
import { getCreditNotes } from './credit-note-handlers.js';
import { exportDocuments } from './export-handler.js';
import { downloadRide, downloadXml, listDocumentEvents } from './file-handlers.js';
import { createDocument, getDocument, sendDocument } from './handlers.js';
import { listDocuments } from './list-handlers.js';
import { retryDocumentMail, retryMails } from './mail-handlers.js';
import { previewDocument } from './preview-handler.js';
import { retryDocument, retryFailedDocuments } from './retry-handlers.js';
import { getDocumentStats } from './stats-handlers.js';

/** Routes about documents, their files, answers of the SRI, mails and catalogs. */
export const DOCUMENTS_ROUTES: readonly (IssuerRoute | IssuersRoute | TenantRoute)[] = [
  tenant('POST', '/v1/tenants/retry-failed-documents', 'documents:write', retryFailedDocuments, {
    unverified: 'sandbox',
  }),
  issuer('POST', '/v1/documents', 'documents:write', createDocument, { slots: 'issuing' }),
  issuer('POST', '/v1/documents/preview', 'documents:write', previewDocument, {
    slots: 'issuing',
    storesNothing: true,
  }),
  issuers('/v1/documents', listDocuments),
  issuers('/v1/documents/export', exportDocuments),
  issuers('/v1/documents/stats', getDocumentStats),
  issuer('GET', '/v1/documents/:accessKey', 'documents:read', getDocument),
  issuer('POST', '/v1/documents/:accessKey/send', 'documents:write', sendDocument, { slots: 'issuing' }),
  issuer('GET', '/v1/documents/:accessKey/authorize', 'documents:write', authorizeDocument, {
    suspended: 'refused',
    slots: 'apart',
  }),
  issuer('GET', '/v1/documents/:accessKey/sri-responses', 'documents:read', listSriResponses),
  issuer('GET', '/v1/documents/:accessKey/ride', 'documents:read', downloadRide, { slots: 'apart' }),
  issuer('GET', '/v1/documents/:accessKey/xml', 'documents:read', downloadXml),
  issuer('GET', '/v1/documents/:accessKey/events', 'documents:read', listDocumentEvents),
  issuer('POST', '/v1/documents/:accessKey/send/retry', 'documents:write', retryDocument),
  issuer('POST', '/v1/documents/:accessKey/rebuild', 'documents:write', rebuildDocument),
  // The contract names a separate scope here, which cannot be granted; writing includes it.
  issuer('POST', '/v1/documents/:accessKey/void', 'documents:write', voidDocument, { scopeRefusal: 'FORBIDDEN' }),
  issuer('GET', '/v1/documents/:accessKey/credit-notes', 'documents:read', getCreditNotes),
  issuer('POST', '/v1/documents/email-retry', 'documents:write', retryMails, { slots: 'mailing' }),
  issuer('POST', '/v1/documents/:accessKey/email-retry', 'documents:write', retryDocumentMail, { slots: 'mailing' }),
  tenant('GET', '/v1/catalogs', null, listCatalogs),
  tenant('GET', '/v1/catalogs/:name', null, getCatalog),
];
