/**
 * Base of every error of this library. `message` is for people and may change. `code` is the contract: match it rather than
 * the class, because two copies of a package have two classes of one name.
 */
export abstract class SriError extends Error {
  /** Stable, UPPER_SNAKE, never translated and never reused. */
  abstract readonly code: string;
  /** True when the same call may succeed later, unchanged. */
  readonly retryable: boolean = false;

  override get name(): string {
    return this.constructor.name;
  }
}

/** One failure of an input: the field, the rule and the remedy, in the requested language. */
export interface Failure {
  /** Path of the field: `items[0].taxes[1].rate`. */
  readonly field: string;
  /** The broken rule: `required`, `maxLength`, `decimal` … Never translated. */
  readonly rule: string;
  /** `field` without array positions: `items.taxes.rate`. */
  readonly code: string;
  readonly message: string;
  /** The parameters of the rule (`{ max: 300 }`), so that the message can be written in another language. */
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The input breaks rules. Every broken rule is listed; nothing was stored or numbered. */
export class ValidationError extends SriError {
  readonly code = 'VALIDATION_FAILED';
  readonly failures: readonly Failure[];

  /** @param language of `message`, the same as that of the failures. */
  constructor(failures: readonly Failure[], language: 'es' | 'en' = 'es') {
    const [first, ...others] = failures;
    const more = others.length > 0 ? MORE_FAILURES[language](others.length) : '';
    super(first ? `${first.field}: ${first.message}${more}` : NOT_VALID[language]);
    this.failures = failures;
  }
}

const MORE_FAILURES: Readonly<Record<'es' | 'en', (count: number) => string>> = {
  es: (count) => ` (y ${count} más)`,
  en: (count) => ` (and ${count} more)`,
};
const NOT_VALID: Readonly<Record<'es' | 'en', string>> = {
  es: 'La entrada no es válida.',
  en: 'The input is not valid.',
};

/** The 49 digits are not an access key: length, a digit, a part or the check digit is wrong. */
export class AccessKeyError extends SriError {
  readonly code = 'ACCESS_KEY_INVALID';
}

/** The text is not a decimal number of the allowed shape. */
export class DecimalError extends SriError {
  readonly code = 'DECIMAL_INVALID';
}

/** The bytes are not XML that this library accepts: malformed, with a DOCTYPE, too large or too deep. */
export class XmlError extends SriError {
  readonly code = 'XML_INVALID';
}

/** The bytes are not a printable PNG, JPEG or GIF: another format, damaged, too many bytes or pixels. */
export class ImageInvalidError extends SriError {
  readonly code = 'IMAGE_INVALID';
}

// --- certificates -------------------------------------------------------------------------------

/** The file is not a PKCS#12 container, is damaged, or needs more work to open than is allowed. */
export class CertificateInvalidError extends SriError {
  readonly code = 'CERTIFICATE_INVALID';
  /** The kind of file it is instead of a P12, and the remedy; null when unknown. */
  readonly found: Readonly<Record<'es' | 'en', string>> | null;

  constructor(message: string, found: CertificateInvalidError['found'] = null) {
    super(message);
    this.found = found;
  }
}

/** The container is intact; the password is wrong. */
export class CertificatePasswordError extends SriError {
  readonly code = 'CERTIFICATE_PASSWORD_INVALID';
}

/** The container opens but holds no private key with its certificate. */
export class CertificateKeyNotFoundError extends SriError {
  readonly code = 'CERTIFICATE_KEY_NOT_FOUND';
}

/** The key is not RSA of 2048 to 4096 bits, or its certificate may not sign. The SRI accepts no other. */
export class CertificateKeyUnsupportedError extends SriError {
  readonly code = 'CERTIFICATE_KEY_UNSUPPORTED';
}

/** The only usable certificate has expired. */
export class CertificateExpiredError extends SriError {
  readonly code = 'CERTIFICATE_EXPIRED';
}

/** The only usable certificate is not valid yet. */
export class CertificateNotYetValidError extends SriError {
  readonly code = 'CERTIFICATE_NOT_YET_VALID';
}

// --- signing -------------------------------------------------------------------------------------

/** Why an XML cannot be signed as a comprobante. */
export type NotSignableReason = 'alreadySigned' | 'comprobanteIdMissing' | 'duplicateId' | 'encodingNotUtf8';

/** The XML is well formed but cannot be signed as it stands; `reason` says why. */
export class XmlNotSignableError extends SriError {
  readonly code = 'XML_NOT_SIGNABLE';
  readonly reason: NotSignableReason;

  constructor(reason: NotSignableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The signer returned a value that is not a signature by its certificate's key. */
export class SignatureError extends SriError {
  readonly code = 'SIGNATURE_INVALID';
}

// --- the SRI -------------------------------------------------------------------------------------

/** No usable answer: timeout, connection refused, TLS failure, or an answer that is not the expected SOAP. */
export class SriUnavailableError extends SriError {
  readonly code = 'SRI_UNAVAILABLE';
  override readonly retryable = true;
  /** The status of the record of the failed call, `HTTP_<status>`: 504 timeout, 503 no connection, 502 not SOAP. */
  readonly httpStatus: `HTTP_${number}`;
  /** True when the request may have reached the SRI: query it before sending again. */
  readonly mayHaveArrived: boolean;
  /** True when no HTTP answer came at all: such a call is retried within the same attempt. */
  readonly network: boolean;

  constructor(
    message: string,
    details: { httpStatus: `HTTP_${number}`; mayHaveArrived: boolean; network: boolean; cause?: unknown },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.httpStatus = details.httpStatus;
    this.mayHaveArrived = details.mayHaveArrived;
    this.network = details.network;
  }
}

// --- issuing -------------------------------------------------------------------------------------

/** No issuer has that id. */
export class IssuerNotFoundError extends SriError {
  readonly code = 'ISSUER_NOT_FOUND';
}

/** The issuer is paused: it may not create or rebuild. Existing documents continue. */
export class IssuerPausedError extends SriError {
  readonly code = 'ISSUER_ISSUING_PAUSED';
}

/** The issuer has not enabled this document type. */
export class DocumentTypeNotEnabledError extends SriError {
  readonly code = 'DOCUMENT_TYPE_NOT_ENABLED';
}

/** No document with that access key in this issuer and environment. */
export class DocumentNotFoundError extends SriError {
  readonly code = 'DOCUMENT_NOT_FOUND';
}

/** The document's status does not allow the operation. */
export class InvalidTransitionError extends SriError {
  readonly code = 'INVALID_STATE_TRANSITION';
  readonly status: string;
  readonly operation: string;

  constructor(operation: string, status: string) {
    super(`A document that is ${status} cannot ${operation}.`);
    this.operation = operation;
    this.status = status;
  }
}

/** Only an authorized document can be voided. */
export class DocumentNotAuthorizedError extends SriError {
  readonly code = 'DOCUMENT_NOT_AUTHORIZED';
}

/** Voiding needs the caller's confirmation that the document was annulled at the SRI. */
export class VoidConfirmationRequiredError extends SriError {
  readonly code = 'DOCUMENT_VOID_CONFIRMATION_REQUIRED';
}

/** No operation of this document has failed, so there is nothing to retry. */
export class NothingToRetryError extends SriError {
  readonly code = 'NOTHING_TO_RETRY';
}

/** The idempotency key already belongs to another payload. */
export class IdempotencyConflictError extends SriError {
  readonly code = 'IDEMPOTENCY_CONFLICT';
}

/** The counter is at 999999999; no number is left. */
export class SequentialExhaustedError extends SriError {
  readonly code = 'SEQUENTIAL_EXHAUSTED';
}

/** A counter only moves forward: the requested number is already passed. */
export class SequentialCannotDecreaseError extends SriError {
  readonly code = 'SEQUENTIAL_CANNOT_DECREASE';
}

/** Other changes to the document won too many races; repeat the call. */
export class ConcurrentChangeError extends SriError {
  readonly code = 'CONCURRENT_CHANGE';
  override readonly retryable = true;
}

/** The engine has as many creates running as it takes at a time; nothing was changed. */
export class EngineBusyError extends SriError {
  readonly code = 'ENGINE_BUSY';
  override readonly retryable = true;
}

/** The storage cannot be used right now (locked, full, no connection); nothing was changed. */
export class StorageUnavailableError extends SriError {
  readonly code = 'STORAGE_UNAVAILABLE';
  override readonly retryable = true;
}

/** Why a delivery is rejected: a header is missing, no signature fits, it is too old, or it holds no event. */
export type WebhookFault = 'headers' | 'signature' | 'age' | 'body';

/** A webhook delivery has no valid signature, is too old, or holds no event. Answer it with 400. */
export class WebhookVerificationError extends SriError {
  readonly code = 'WEBHOOK_VERIFICATION_FAILED';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault) {
    super(WEBHOOK_FAULTS[fault]);
    this.fault = fault;
  }
}

const WEBHOOK_FAULTS: Readonly<Record<WebhookFault, string>> = {
  headers: 'The headers of the signature are missing or malformed.',
  signature: 'No signature of the delivery was made with this secret.',
  age: 'The delivery was sent too long ago.',
  body: 'The body is no event.',
};
