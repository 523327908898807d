import { internal, tenant } from './accounts/account-route.js';
import { getOwnTenant, getTenantEvents, patchLanguage } from './accounts/handlers.js';
import {
  getAgreement,
  getAgreementHistory,
  getAgreements,
  getPublishedAgreement,
  listPublishedAgreements,
  postAgreements,
} from './agreements/handlers.js';
import {
  deletePayment,
  deleteProof,
  getPayment,
  getPayments,
  getProof,
  getProofs,
  patchProof,
} from './billing/payment-handlers.js';
import {
  deleteSubscription,
  getSubscriptions,
  postSeats,
  postSubscription,
  postTierChange,
} from './billing/subscription-handlers.js';
import { getTiers } from './billing/tier-handlers.js';
import { authorizeDocument, listSriResponses } from './documents/authorization-handlers.js';
import { getCatalog, listCatalogs } from './documents/catalog-handlers.js';
import { rebuildDocument, voidDocument } from './documents/correction-handlers.js';
import { getCreditNotes } from './documents/credit-note-handlers.js';
import { downloadRide, downloadXml, listDocumentEvents } from './documents/file-handlers.js';
import { createDocument, getDocument, listDocuments, sendDocument } from './documents/handlers.js';
import { retryDocumentMail, retryMails } from './documents/mail-handlers.js';
import { retryDocument, retryFailedDocuments } from './documents/retry-handlers.js';
import { getDocumentStats } from './documents/stats-handlers.js';
import type { Route } from './gate/route.js';
import { deleteDocumentType, getDocumentTypes, postDocumentType } from './issuers/document-type-handlers.js';
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
} from './issuers/handlers.js';
import { issuer } from './issuers/issuer-route.js';
import { getSequentials, patchSequential } from './issuers/sequential-handlers.js';
import { deleteKey, getKeys, getKeyUsage, postKey } from './keys/handlers.js';
import { reportMail } from './mail/handlers.js';
import { getNotifications, getPreferences, patchPreferences, readNotification } from './notifications/handlers.js';
import { postPromotion } from './onboarding/promotion-handlers.js';
import { recoverTenant } from './onboarding/recovery-handlers.js';
import { showRecoveryUndo, undoAccountRecovery } from './onboarding/recovery-undo-handlers.js';
import { registerTenant } from './onboarding/registration-handlers.js';
import { resendEmail } from './onboarding/resend-handlers.js';
import { checkEmail, confirmEmail, confirmEmailByLink } from './onboarding/verification-handlers.js';
import { onboarding, publicly, service } from './platform/http/route.js';
import {
  createWebhook,
  deleteWebhook,
  getDeliveries,
  getWebhooks,
  patchWebhook,
  postRedelivery,
  postSecret,
  postTest,
} from './webhooks/handlers.js';

/**
 * Every route of the interface with everything that is checked before its handler: who may call it, with which scope,
 * whether for one issuer, what a suspended account gets, and which limit its requests count against.
 */
export const ROUTES: readonly Route[] = [
  onboarding('POST', '/v1/register', registerTenant, { limit: 'onboarding', places: 'uploading' }),
  onboarding('POST', '/v1/recover', recoverTenant, { limit: 'onboarding', places: 'uploading' }),
  onboarding('POST', '/v1/resend-verification', resendEmail, { limit: 'onboarding' }),
  publicly('GET', '/v1/recover/undo', showRecoveryUndo),
  publicly('POST', '/v1/recover/undo', undoAccountRecovery, { limit: 'publicWork' }),
  publicly('GET', '/v1/verify-email/check', checkEmail),
  onboarding('POST', '/v1/verify-email', confirmEmail, { limit: 'publicWork' }),
  onboarding('GET', '/v1/verify-email', confirmEmailByLink, { limit: 'publicWork' }),

  tenant('GET', '/v1/tenants/me', null, getOwnTenant, { limit: 'tenantsMe' }),
  tenant('GET', '/v1/tenants/events', null, getTenantEvents, { limit: 'tenantsEvents' }),
  tenant('PATCH', '/v1/tenants/language', 'tenant:manage', patchLanguage),
  tenant('GET', '/v1/tenants/agreements', null, getAgreements),
  internal('POST', '/v1/tenants/agreements', 'tenant:manage', postAgreements),
  tenant('GET', '/v1/tenants/agreements/history', null, getAgreementHistory),
  tenant('GET', '/v1/tenants/agreements/:type', null, getAgreement),
  internal('POST', '/v1/tenants/promote', 'tenant:promote', postPromotion),
  tenant('POST', '/v1/tenants/retry-failed-documents', 'documents:write', retryFailedDocuments, {
    unverified: 'sandbox',
  }),

  publicly('GET', '/v1/agreements', listPublishedAgreements),
  publicly('GET', '/v1/agreements/:type', getPublishedAgreement),

  tenant('GET', '/v1/issuers', 'issuers:read', getIssuers),
  tenant('POST', '/v1/issuers', 'issuers:write', createIssuer, { places: 'uploading' }),
  tenant('GET', '/v1/issuers/:id', 'issuers:read', getIssuer),
  tenant('PATCH', '/v1/issuers/:id', 'issuers:write', patchIssuer),
  tenant('DELETE', '/v1/issuers/:id', 'issuers:write', deleteIssuer),
  tenant('PATCH', '/v1/issuers/:id/activate', 'issuers:write', activateIssuer),
  tenant('PATCH', '/v1/issuers/:id/can-issue', 'issuers:write', patchCanIssue),
  tenant('PATCH', '/v1/issuers/:id/logo', 'issuers:write', patchLogo, { places: 'uploading' }),
  tenant('PATCH', '/v1/issuers/:id/certificate', 'issuers:write', putCertificate, { places: 'uploading' }),
  tenant('POST', '/v1/issuers/:id/certificate', 'issuers:write', putCertificate, { places: 'uploading' }),
  tenant('GET', '/v1/issuers/:id/document-types', 'issuers:read', getDocumentTypes),
  tenant('POST', '/v1/issuers/:id/document-types', 'issuers:write', postDocumentType),
  tenant('DELETE', '/v1/issuers/:id/document-types/:code', 'issuers:write', deleteDocumentType),
  tenant('GET', '/v1/issuers/:id/sequentials', 'issuers:read', getSequentials, { limit: 'sequentials' }),
  tenant('PATCH', '/v1/issuers/:id/sequentials/:documentType', 'issuers:write', patchSequential, {
    limit: 'sequentials',
  }),

  tenant('GET', '/v1/keys', 'keys:manage', getKeys),
  tenant('POST', '/v1/keys', 'keys:manage', postKey),
  tenant('DELETE', '/v1/keys/:id', 'keys:manage', deleteKey, { unverified: 'served' }),
  tenant('GET', '/v1/keys/:id/usage', 'keys:manage', getKeyUsage),

  issuer('POST', '/v1/documents', 'documents:write', createDocument, { places: 'issuing' }),
  issuer('GET', '/v1/documents', 'documents:read', listDocuments),
  issuer('GET', '/v1/documents/stats', 'documents:read', getDocumentStats),
  issuer('GET', '/v1/documents/:accessKey', 'documents:read', getDocument),
  issuer('POST', '/v1/documents/:accessKey/send', 'documents:write', sendDocument, { places: 'issuing' }),
  issuer('GET', '/v1/documents/:accessKey/authorize', 'documents:write', authorizeDocument, {
    suspended: 'refused',
    places: 'apart',
  }),
  issuer('GET', '/v1/documents/:accessKey/sri-responses', 'documents:read', listSriResponses),
  issuer('GET', '/v1/documents/:accessKey/ride', 'documents:read', downloadRide, { places: 'apart' }),
  issuer('GET', '/v1/documents/:accessKey/xml', 'documents:read', downloadXml),
  issuer('GET', '/v1/documents/:accessKey/events', 'documents:read', listDocumentEvents),
  issuer('POST', '/v1/documents/:accessKey/send/retry', 'documents:write', retryDocument),
  issuer('POST', '/v1/documents/:accessKey/rebuild', 'documents:write', rebuildDocument),
  // The contract speaks of a scope of its own here, which cannot be granted; writing includes it.
  issuer('POST', '/v1/documents/:accessKey/void', 'documents:write', voidDocument, { scopeRefusal: 'FORBIDDEN' }),
  issuer('GET', '/v1/documents/:accessKey/credit-notes', 'documents:read', getCreditNotes),
  issuer('POST', '/v1/documents/email-retry', 'documents:write', retryMails, { places: 'mailing' }),
  issuer('POST', '/v1/documents/:accessKey/email-retry', 'documents:write', retryDocumentMail, { places: 'mailing' }),

  tenant('GET', '/v1/notifications', null, getNotifications),
  tenant('POST', '/v1/notifications/:id/read', null, readNotification),
  tenant('GET', '/v1/notifications/preferences', null, getPreferences),
  tenant('PATCH', '/v1/notifications/preferences', null, patchPreferences),

  tenant('POST', '/v1/webhooks', 'webhooks:manage', createWebhook),
  tenant('GET', '/v1/webhooks', 'webhooks:manage', getWebhooks),
  // Switching one off is open to all; what else it changes asks for a verified address itself.
  tenant('PATCH', '/v1/webhooks/:id', 'webhooks:manage', patchWebhook, { unverified: 'served' }),
  tenant('DELETE', '/v1/webhooks/:id', 'webhooks:manage', deleteWebhook, { unverified: 'served' }),
  tenant('GET', '/v1/webhooks/:id/deliveries', 'webhooks:manage', getDeliveries),
  tenant('POST', '/v1/webhooks/:id/deliveries/:deliveryId/redeliver', 'webhooks:manage', postRedelivery),
  tenant('POST', '/v1/webhooks/:id/test', 'webhooks:manage', postTest, { limit: 'webhookTests' }),
  tenant('POST', '/v1/webhooks/:id/rotate-secret', 'webhooks:manage', postSecret),

  tenant('GET', '/v1/catalogs', null, listCatalogs),
  tenant('GET', '/v1/catalogs/:name', null, getCatalog),

  publicly('GET', '/v1/tiers', getTiers),
  tenant('GET', '/v1/subscriptions/me', 'billing:manage', getSubscriptions),
  internal('POST', '/v1/subscriptions', 'billing:manage', postSubscription, { pastDue: 'served' }),
  internal('POST', '/v1/subscriptions/change-tier', 'billing:manage', postTierChange),
  internal('POST', '/v1/subscriptions/seats', 'billing:manage', postSeats),
  internal('DELETE', '/v1/subscriptions', 'billing:manage', deleteSubscription),
  internal('GET', '/v1/payments', 'billing:manage', getPayments),
  internal('GET', '/v1/payments/:id', 'billing:manage', getPayment),
  internal('DELETE', '/v1/payments/:id', 'billing:manage', deletePayment),
  internal('PATCH', '/v1/payments/:id/proof', 'billing:manage', patchProof, { pastDue: 'served', places: 'uploading' }),
  tenant('GET', '/v1/payments/:id/proofs', 'billing:manage', getProofs),
  tenant('GET', '/v1/payments/:id/proofs/:proofId', 'billing:manage', getProof),
  internal('DELETE', '/v1/payments/:id/proofs/:proofId', 'billing:manage', deleteProof),

  service('POST', '/v1/internal/email-events', reportMail),
];
