// Client of the server's HTTP interface. It imports nothing else of the library.

export type {
  ApiKey,
  CreditNoteInput,
  Dispatch,
  Document,
  InvoiceInput,
  Issuer,
  ListedDocument,
  ListedIssuer,
  Notification,
  Operations,
  Tenant,
  Warning,
  WebhookDelivery,
  WebhookEndpoint,
} from './client/api.js';
export { ApiError, type ApiErrorDetails, type FieldFailure } from './client/api-error.js';
export type {
  Api,
  CallOptions,
  OperationAnswer,
  OperationEndpoints,
  OperationInput,
  OperationName,
} from './client/call-operation.js';
export { type Client, type ClientOptions, createClient } from './client/client.js';
export type {
  CreatedDocument,
  DocumentCalls,
  DocumentFilter,
  DocumentInput,
  ExportFilter,
  IssueOptions,
  VoidedAnswer,
} from './client/document-calls.js';
export { readRefusal, type SriRefusal } from './client/read-refusal.js';
