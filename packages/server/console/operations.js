/**
 * The operations this page calls, by the names they have in the description of the interface: method, path, and whether
 * one is for an issuer. The compiler holds them to that description.
 *
 * @satisfies {Partial<import('sri-core/client').OperationPlaces>}
 */
export const OPERATIONS = /** @type {const} */ ({
  register: ['POST', '/v1/register', false],
  getTenant: ['GET', '/v1/tenants/me', false],
  getCatalog: ['GET', '/v1/catalogs/{name}', false],

  createDocument: ['POST', '/v1/documents', true],
  listDocuments: ['GET', '/v1/documents', 'unlessAll'],
  getDocumentStats: ['GET', '/v1/documents/stats', true],
  getDocument: ['GET', '/v1/documents/{accessKey}', true],
  listDocumentEvents: ['GET', '/v1/documents/{accessKey}/events', true],
  listSriResponses: ['GET', '/v1/documents/{accessKey}/sri-responses', true],
  listCreditNotes: ['GET', '/v1/documents/{accessKey}/credit-notes', true],
  sendDocument: ['POST', '/v1/documents/{accessKey}/send', true],
  retryDocument: ['POST', '/v1/documents/{accessKey}/send/retry', true],
  authorizeDocument: ['GET', '/v1/documents/{accessKey}/authorize', true],
  rebuildDocument: ['POST', '/v1/documents/{accessKey}/rebuild', true],
  voidDocument: ['POST', '/v1/documents/{accessKey}/void', true],
  retryDocumentEmail: ['POST', '/v1/documents/{accessKey}/email-retry', true],
  downloadRide: ['GET', '/v1/documents/{accessKey}/ride', true],
  downloadXml: ['GET', '/v1/documents/{accessKey}/xml', true],

  listIssuers: ['GET', '/v1/issuers', false],
  createIssuer: ['POST', '/v1/issuers', false],
  setCanIssue: ['PATCH', '/v1/issuers/{id}/can-issue', false],
  setLogo: ['PATCH', '/v1/issuers/{id}/logo', false],
  renewCertificate: ['PATCH', '/v1/issuers/{id}/certificate', false],
  enableDocumentType: ['POST', '/v1/issuers/{id}/document-types', false],
  disableDocumentType: ['DELETE', '/v1/issuers/{id}/document-types/{code}', false],
  listSequentials: ['GET', '/v1/issuers/{id}/sequentials', false],

  listKeys: ['GET', '/v1/keys', false],
  createKey: ['POST', '/v1/keys', false],
  revokeKey: ['DELETE', '/v1/keys/{id}', false],
  getKeyUsage: ['GET', '/v1/keys/{id}/usage', false],

  listWebhooks: ['GET', '/v1/webhooks', false],
  createWebhook: ['POST', '/v1/webhooks', false],
  deleteWebhook: ['DELETE', '/v1/webhooks/{id}', false],
  testWebhook: ['POST', '/v1/webhooks/{id}/test', false],
  rotateWebhookSecret: ['POST', '/v1/webhooks/{id}/rotate-secret', false],
  listDeliveries: ['GET', '/v1/webhooks/{id}/deliveries', false],
  redeliver: ['POST', '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', false],

  listNotifications: ['GET', '/v1/notifications', false],
  readNotification: ['POST', '/v1/notifications/{id}/read', false],
});
