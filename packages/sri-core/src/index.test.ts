import { describe, expect, it } from 'vitest';
import * as client from './client.js';
import * as core from './index.js';
import * as simulator from './simulator.js';
import * as testing from './testing/index.js';

const names = (entry: object) => Object.keys(entry).toSorted();

// Removing a name breaks callers: a change of a list below needs a line in the changelog.
describe('what the package exports', () => {
  it('as sri-core', () => {
    expect(names(core)).toMatchInlineSnapshot(`
      [
        "AccessKeyError",
        "COUNTERPARTY_ROLES",
        "CertificateExpiredError",
        "CertificateInvalidError",
        "CertificateKeyNotFoundError",
        "CertificateKeyUnsupportedError",
        "CertificateNotYetValidError",
        "CertificatePasswordError",
        "ConcurrentChangeError",
        "DEFAULT_DOCUMENT_TYPE",
        "DEFAULT_SCHEDULE",
        "DOCUMENTS",
        "DOCUMENT_STATUSES",
        "DOCUMENT_TYPES",
        "DecimalError",
        "DocumentNotAuthorizedError",
        "DocumentNotFoundError",
        "DocumentTypeNotEnabledError",
        "ECUADOR_TIME_ZONE",
        "ENVIRONMENTS",
        "FIRST_SEQUENTIAL",
        "IdempotencyConflictError",
        "ImageInvalidError",
        "InvalidTransitionError",
        "IssuerNotFoundError",
        "IssuerPausedError",
        "LAST_SEQUENTIAL",
        "LOGO_MAX_BYTES",
        "LOGO_MAX_SIDE",
        "MONEY_SCALE",
        "NotConnectedError",
        "NothingToRetryError",
        "P12_THREADS",
        "QUANTITY_SCALE",
        "SRI_CODES",
        "SRI_URLS",
        "SequentialCannotDecreaseError",
        "SequentialExhaustedError",
        "SignatureError",
        "SriError",
        "SriUnavailableError",
        "StorageUnavailableError",
        "TRANSITIONS",
        "ValidationError",
        "VoidConfirmationRequiredError",
        "WARNING_CODES",
        "XmlError",
        "XmlNotSignableError",
        "buildAccessKey",
        "checkCedula",
        "checkDigit",
        "checkRuc",
        "countries",
        "createEngine",
        "createFailure",
        "createKeySigner",
        "createSriClient",
        "createUuidSource",
        "creditNoteSchema",
        "creditNoteWithSumsSchema",
        "debitNoteSchema",
        "deliveryGuideSchema",
        "describeError",
        "describeFailure",
        "describeSriCode",
        "describeWarning",
        "documentTypes",
        "ecuadorDate",
        "ecuadorTimestamp",
        "foldCase",
        "formatDecimal",
        "formatDocumentNumber",
        "formatSequential",
        "fromAmbiente",
        "idTypes",
        "invoiceSchema",
        "invoiceWithSumsSchema",
        "isAccessKey",
        "isDocumentNumber",
        "isDocumentType",
        "isInForce",
        "isWritableText",
        "issuerSchema",
        "nextStatus",
        "normalizeText",
        "openP12",
        "parseAccessKey",
        "parseDecimal",
        "payloadHash",
        "paymentMethods",
        "prepareDocument",
        "randomDigits",
        "readAuthorizationFile",
        "readComprobante",
        "readLogo",
        "renderRide",
        "roundHalfUp",
        "signCanonicalXml",
        "signCanonicalXmlSync",
        "signDocument",
        "signXml",
        "signerFromP12",
        "silentLogger",
        "sum",
        "systemClock",
        "systemRandom",
        "taxRates",
        "taxTypes",
        "termUnits",
        "toAmbiente",
        "toIsoDate",
        "toIssueDate",
        "toSigningCertificate",
        "uncheckedBody",
        "undiciTransport",
        "validateIssuer",
        "verifyXml",
        "writeAuthorization",
        "writeComprobante",
      ]
    `);
  });

  it('as sri-core/client', () => {
    expect(names(client)).toMatchInlineSnapshot(`
      [
        "ApiError",
        "createClient",
      ]
    `);
  });

  it('as sri-core/simulator', () => {
    expect(names(simulator)).toMatchInlineSnapshot(`
      [
        "MAGIC_BUYERS",
        "SimulatedNetworkError",
        "createSimulator",
        "toNodeListener",
      ]
    `);
  });

  it('as sri-core/testing', () => {
    expect(names(testing)).toMatchInlineSnapshot(`
      [
        "createMemoryStorage",
        "createTestClock",
        "createTestIdentity",
        "createTestP12",
        "createTestSigner",
        "drillOutage",
        "sriHandlers",
        "storageConformance",
      ]
    `);
  });
});
