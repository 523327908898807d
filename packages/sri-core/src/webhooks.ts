// For programs that receive or send webhooks.
export { type WebhookFault, WebhookVerificationError } from './errors.js';
export { createWebhookSecret, signWebhook, type WebhookSignatureInput } from './webhooks/sign-webhook.js';
export { type ReceivedWebhook, verifyWebhook, type WebhookHeaders } from './webhooks/verify-webhook.js';
export {
  type AuthorizedDocument,
  type CertificateEvent,
  type DocumentAuthorizedEvent,
  type DocumentRefusedEvent,
  isCertificateEvent,
  isDocumentAuthorized,
  isDocumentRefused,
  type OtherEvent,
  type WebhookEvent,
  type WebhookNotification,
} from './webhooks/webhook-event.js';
