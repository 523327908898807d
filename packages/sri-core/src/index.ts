// --- documents ---
export {
  type AccessKey,
  type AccessKeyParts,
  buildAccessKey,
  checkDigit,
  isAccessKey,
  parseAccessKey,
} from './access-key.js';
export {
  ECUADOR_TIME_ZONE,
  ecuadorDate,
  ecuadorTimestamp,
  type IsoDate,
  type IssueDate,
  momentOf,
  toIsoDate,
  toIssueDate,
} from './calendar.js';
export {
  type CatalogEntry,
  isInForce,
  type Language,
  type LocalizedText,
} from './catalogs/catalog.js';
export { countries } from './catalogs/countries.js';
export { documentTypes } from './catalogs/document-types.js';
export { idTypes } from './catalogs/id-types.js';
export { paymentMethods } from './catalogs/payment-methods.js';
export { supportCodes } from './catalogs/support-codes.js';
export { supportDocumentTypes } from './catalogs/support-document-types.js';
export { type TaxRate, taxRates } from './catalogs/tax-rates.js';
export { taxTypes } from './catalogs/tax-types.js';
export { termUnits } from './catalogs/term-units.js';
export { transferReasons } from './catalogs/transfer-reasons.js';
export { findWithholdingCodes, type WithholdingCode, withholdingCodes } from './catalogs/withholding-codes.js';
export { withholdingTaxes } from './catalogs/withholding-taxes.js';
// --- ports ---
export { type Clock, systemClock } from './clock.js';
export type { PrepareContext } from './documents/context.js';
export type { CreditNoteBody } from './documents/credit-note/body.js';
export { creditNoteSchema, creditNoteWithSumsSchema } from './documents/credit-note/body.js';
export type { PreparedCreditNote } from './documents/credit-note/prepare.js';
export type { DebitNoteBody, ReasonBody } from './documents/debit-note/body.js';
export { debitNoteSchema } from './documents/debit-note/body.js';
export type { PreparedDebitNote } from './documents/debit-note/prepare.js';
export type {
  CarrierBody,
  DeliveryGuideBody,
  GoodsBody,
  RecipientBody,
  TransferSupportBody,
} from './documents/delivery-guide/body.js';
export { deliveryGuideSchema } from './documents/delivery-guide/body.js';
export type { PreparedDeliveryGuide } from './documents/delivery-guide/prepare.js';
export { describeError } from './documents/describe-error.js';
export { describeFailure, describeWarning } from './documents/describe-rule.js';
export {
  COUNTERPARTY_ROLES,
  type Counterparty,
  type CounterpartyRole,
  type Effect,
} from './documents/document-type.js';
export type { InvoiceBody } from './documents/invoice/body.js';
export { invoiceSchema, invoiceWithSumsSchema } from './documents/invoice/body.js';
export type { PreparedInvoice } from './documents/invoice/prepare.js';
export type {
  AdvanceWithholdingBody,
  DestinationBody,
  ExportBody,
  NegotiableBody,
  ThirdPartyChargeBody,
  TransportBody,
  TransportCarrierBody,
} from './documents/invoice/variant-bodies.js';
export type { Issuer } from './documents/issuer.js';
export { issuerSchema, validateIssuer } from './documents/issuer-check.js';
export { createFailure, WARNING_CODES, type Warning, type WarningCode } from './documents/messages.js';
export type {
  BuyerBody,
  ItemBody,
  MeasuredItemBody,
  NameValueBody,
  OriginalDocumentBody,
  PaymentBody,
  TaxBody,
} from './documents/parts/bodies.js';
export type { ReimbursementBody } from './documents/parts/reimbursements.js';
export type { TaxFigures } from './documents/parts/tax-figures.js';
export { prepareDocument } from './documents/prepare.js';
export type { PurchaseSettlementBody, SupplierBody } from './documents/purchase-settlement/body.js';
export { purchaseSettlementSchema } from './documents/purchase-settlement/body.js';
export type { PreparedPurchaseSettlement } from './documents/purchase-settlement/prepare.js';
export { readComprobante } from './documents/read-comprobante.js';
export { readFigures } from './documents/read-figures.js';
export {
  type Comprobante,
  DEFAULT_DOCUMENT_TYPE,
  DOCUMENT_TYPES,
  DOCUMENTS,
  type DocumentBody,
  type DocumentTypeCode as DocumentType,
  documentTypeOf,
  isDocumentType,
  type PreparedDocument,
  uncheckedBody,
} from './documents/registry.js';
export { isWritableText, normalizeText } from './documents/text.js';
export type {
  BananasBody,
  DividendBody,
  SubjectBody,
  SupportingDocumentBody,
  SupportPagoBody,
  SupportPaymentBody,
  SupportTaxBody,
  WithheldBody,
  WithholdingBody,
  WithholdingVersion,
} from './documents/withholding/body.js';
export { withholdingSchema } from './documents/withholding/body.js';
export type { PreparedWithholding } from './documents/withholding/prepare.js';
export { type Numbering, writeComprobante } from './documents/write-comprobante.js';
// --- the life cycle ---
export { createEngine, type Engine } from './engine.js';
export type { EngineOptions } from './engine-options.js';
export {
  ENVIRONMENTS,
  type Environment,
  fromAmbiente,
  toAmbiente,
} from './environment.js';
// --- errors ---
export {
  AccessKeyError,
  CertificateExpiredError,
  CertificateInvalidError,
  CertificateKeyNotFoundError,
  CertificateKeyUnsupportedError,
  CertificateNotYetValidError,
  CertificatePasswordError,
  ConcurrentChangeError,
  DecimalError,
  DocumentNotAuthorizedError,
  DocumentNotFoundError,
  DocumentTypeNotEnabledError,
  EngineBusyError,
  type Failure,
  IdempotencyConflictError,
  ImageInvalidError,
  InvalidTransitionError,
  IssuerNotFoundError,
  IssuerPausedError,
  NothingToRetryError,
  SequentialCannotDecreaseError,
  SequentialExhaustedError,
  SignatureError,
  SriError,
  SriUnavailableError,
  StorageUnavailableError,
  ValidationError,
  VoidConfirmationRequiredError,
  XmlError,
  XmlNotSignableError,
} from './errors.js';
export {
  type CheckDigitVerdict,
  checkCedula,
  checkRuc,
} from './identification.js';
export type { AuthorizationCheck } from './lifecycle/authorize.js';
export type { CreditBalance } from './lifecycle/credit-balance.js';
export type { EngineEvents } from './lifecycle/engine-events.js';
export { type HistoryPosition, historyId } from './lifecycle/history.js';
export { type Created, mailAddresses } from './lifecycle/issue.js';
export type { EngineIssuer, IssuerSource } from './lifecycle/issuer-source.js';
export { payloadHash } from './lifecycle/payload-hash.js';
export type { Preview, PreviewedDocument, PreviewOptions } from './lifecycle/preview.js';
export type { RebuildOptions } from './lifecycle/rebuild.js';
export type { RetriedDocuments } from './lifecycle/retry.js';
export { DEFAULT_SCHEDULE, type Schedule } from './lifecycle/schedule.js';
export {
  type SignDocumentOptions,
  type SignedDocument,
  signDocument,
} from './lifecycle/sign-document.js';
export type { SriStanding } from './lifecycle/sri-hosts.js';
export {
  DOCUMENT_STATUSES,
  type DocumentStatus,
  nextStatus,
  TRANSITIONS,
  type Trigger,
} from './lifecycle/status.js';
export type { Annulment } from './lifecycle/void.js';
export { type Logger, silentLogger } from './logger.js';
export {
  formatDecimal,
  MONEY_SCALE,
  parseDecimal,
  QUANTITY_SCALE,
  roundHalfUp,
  type Scaled,
  sum,
} from './money.js';
export type { Occupancies, Occupancy } from './occupancy.js';
export {
  createUuidSource,
  type Random,
  randomDigits,
  systemRandom,
  uuidOf,
} from './random.js';
// --- received documents ---
export { describeListProblem } from './received/describe-problem.js';
export {
  type FetchedAuthorized,
  type FetchedDocument,
  type FetchedNothing,
  type FetchedRefusal,
  fetchAuthorized,
} from './received/fetch-authorized.js';
export type { ListField } from './received/list-layout.js';
export {
  LIST_MAX_BYTES,
  type ListProblem,
  type ListRule,
  parseReceivedList,
  type ReceivedList,
  type ReceivedRow,
} from './received/received-list.js';
export { checkValidity, type Validity, type ValidityStatus } from './received/validity.js';
export {
  type WithholdableComprobante,
  type WithholdingDraft,
  type WithholdingDraftBody,
  withholdingDraft,
} from './received/withholding-draft.js';
// --- the printed form ---
export {
  LOGO_MAX_BYTES,
  LOGO_MAX_SIDE,
  type Logo,
  readLogo,
} from './ride/logo.js';
export { type RideInput, renderRide } from './ride/pdf.js';
export { RIDE_FORMATS, type RideFormat } from './ride/ride-format.js';
export { foldCase, readSearchText, type SearchText, toLowerAscii } from './search-text.js';
export {
  FIRST_SEQUENTIAL,
  formatDocumentNumber,
  formatSequential,
  isDocumentNumber,
  LAST_SEQUENTIAL,
} from './sequential.js';
// --- certificates and signatures ---
export { toSigningCertificate } from './signing/certificate.js';
export {
  createKeySigner,
  type KeySigner,
  type KeySignerOptions,
} from './signing/key-signer.js';
export {
  type CertificateChoice,
  type OpenedP12,
  type OpenP12Options,
  openP12,
  signerFromP12,
} from './signing/p12.js';
export { P12_THREADS } from './signing/p12-thread.js';
export { signXml } from './signing/sign-xml.js';
export type {
  SignatureAlgorithm,
  Signer,
  SigningCertificate,
} from './signing/signer.js';
export type {
  Advice,
  Check,
  CheckName,
  SignerFacts,
  VerificationReport,
  VerificationWarning,
} from './signing/verification.js';
export { verifyXml } from './signing/verify.js';
export {
  type SigningOptions,
  signCanonicalXml,
  signCanonicalXmlSync,
} from './signing/xades.js';
// --- the SRI ---
export type { AuthorizationAnswer } from './sri/authorization.js';
export {
  type AuthorizationFile,
  readAuthorizationFile,
  writeAuthorization,
} from './sri/authorization-file.js';
export { describeSriCode, SRI_CODES, type SriCode } from './sri/codes.js';
export type { ConsultationAnswer } from './sri/consultation.js';
export { describeFailedAttempt } from './sri/failed-attempt.js';
export { NotConnectedError } from './sri/network-failure.js';
export type { ReceptionAnswer } from './sri/reception.js';
export {
  createSriClient,
  SRI_URLS,
  type SriClient,
  type SriClientOptions,
} from './sri/soap-client.js';
export type { Transport } from './sri/transport.js';
export {
  type ClosableTransport,
  type UndiciTransportOptions,
  undiciTransport,
} from './sri/undici-transport.js';
export type {
  ClaimedJob,
  Counter,
  DocumentChange,
  DocumentContents,
  DocumentEvent,
  DocumentFigure,
  DocumentFilter,
  DocumentQuery,
  FigureQuery,
  IssuersScope,
  Job,
  JobLease,
  JobOperation,
  MailStatus,
  NewDocument,
  NewDocuments,
  QueueingChange,
  Scope,
  SriMessage,
  SriResponse,
  Storage,
  StoredContents,
  StoredDocument,
  StoreOutcome,
  WalkCursor,
} from './storage.js';
export { translate } from './translate.js';
export type { CanonicalXml } from './xml/canonical-xml.js';
