import type { Language } from '../catalogs/catalog.js';
import { CertificateInvalidError, SriError, ValidationError } from '../errors.js';
import { describeFailure } from './describe-rule.js';

/**
 * Describes an error of this library in a language. The English text is the error's own message, exact and fit for logs. The
 * Spanish text is the sentence of its code.
 *
 * @param error any value; an error of another library keeps its message.
 */
export function describeError(error: unknown, language: Language): string {
  if (error instanceof ValidationError) {
    const failures = error.failures.map((failure) => ({ ...failure, message: describeFailure(failure, language) }));
    return new ValidationError(failures, language).message;
  }
  if (error instanceof CertificateInvalidError && error.found) return error.found[language];
  if (!(error instanceof Error)) return String(error);
  const spanish = error instanceof SriError && language === 'es' ? SPANISH[error.code] : undefined;
  if (spanish === undefined) return ENGLISH.get(error) ?? error.message;
  return spanish.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(error, name)));
}

/** Translates the message of an error and returns the same error. Its stack keeps the original words. */
export function inLanguage(error: unknown, language: Language): unknown {
  if (!(error instanceof SriError)) return error;
  const message = describeError(error, language);
  if (!ENGLISH.has(error)) ENGLISH.set(error, error.message);
  error.message = message;
  return error;
}

// --- internal ---

/** The original messages of translated errors. */
const ENGLISH = new WeakMap<Error, string>();

/** One sentence per code; `{name}` is a field of the error. */
const SPANISH: Readonly<Record<string, string>> = {
  ACCESS_KEY_INVALID: 'No es una clave de acceso: fallan su longitud, un dígito, una parte o el dígito verificador.',
  DECIMAL_INVALID: 'No es un número decimal de la forma admitida, como 12.50.',
  XML_INVALID: 'No es un XML que se pueda leer: está mal formado, tiene DOCTYPE, o es demasiado grande o profundo.',
  IMAGE_INVALID: 'La imagen no es un PNG, JPEG o GIF que se pueda imprimir.',
  CERTIFICATE_INVALID: 'El archivo no es un P12 que se pueda abrir, o está dañado.',
  CERTIFICATE_PASSWORD_INVALID: 'La contraseña no es la del P12.',
  CERTIFICATE_KEY_NOT_FOUND: 'El P12 no trae la clave privada de su certificado.',
  CERTIFICATE_KEY_UNSUPPORTED:
    'La clave no sirve para el SRI: debe ser RSA de 2048 a 4096 bits y de un certificado de firma.',
  CERTIFICATE_EXPIRED: 'El certificado de firma caducó.',
  CERTIFICATE_NOT_YET_VALID: 'El certificado de firma todavía no rige.',
  XML_NOT_SIGNABLE:
    'El XML no se puede firmar como está ({reason}): ya está firmado, le falta id="comprobante", repite un id, o declara otra codificación.',
  SIGNATURE_INVALID: 'El firmante no firmó con la clave de su certificado.',
  SRI_UNAVAILABLE: 'No llegó una respuesta útil del SRI ({httpStatus}).',
  ISSUER_NOT_FOUND: 'No hay un emisor con ese identificador.',
  ISSUER_ISSUING_PAUSED: 'Este emisor está en pausa.',
  DOCUMENT_TYPE_NOT_ENABLED: 'Este emisor no ha habilitado ese tipo de documento.',
  DOCUMENT_NOT_FOUND: 'No hay un documento con esa clave de acceso.',
  INVALID_STATE_TRANSITION: 'El documento está en estado {status}, que no admite la operación.',
  DOCUMENT_NOT_AUTHORIZED: 'Solo se anula un documento autorizado.',
  DOCUMENT_VOID_CONFIRMATION_REQUIRED: 'Para anular hace falta confirmar que el SRI anuló el documento.',
  NOTHING_TO_RETRY: 'Ningún intento de este documento falló: no hay nada que repetir.',
  IDEMPOTENCY_CONFLICT: 'Esta clave de idempotencia ya se usó con otro contenido.',
  SEQUENTIAL_EXHAUSTED: 'Al contador no le quedan números: un secuencial tiene nueve dígitos.',
  SEQUENTIAL_CANNOT_DECREASE: 'El contador ya pasó ese número: solo avanza.',
  CONCURRENT_CHANGE: 'El documento cambió mientras tanto demasiadas veces; repita la llamada.',
  ENGINE_BUSY: 'Ya hay demasiadas creaciones en curso; no cambió nada. Repita la llamada.',
  STORAGE_UNAVAILABLE: 'La base de datos no se puede usar en este momento; no cambió nada.',
  WEBHOOK_VERIFICATION_FAILED: 'La entrega del webhook no es de fiar ({fault}).',
};
