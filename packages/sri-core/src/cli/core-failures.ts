import type { Language, LocalizedText } from '../catalogs/catalog.js';
import { describeError } from '../documents/describe-error.js';
import { describeFailure } from '../documents/describe-rule.js';
import { CertificateInvalidError, ValidationError } from '../errors.js';
import { codeOf } from './failure.js';
import type { DescribedFailure } from './run.js';

/** Describes the library's errors for people; other errors by their name. */
export function describeCoreFailure(error: unknown, language: Language): DescribedFailure {
  if (error instanceof ValidationError) {
    const errors = error.failures.map(({ field, ...failure }) => ({
      field,
      message: describeFailure(failure, language),
    }));
    return { code: error.code, detail: INVALID[language], errors };
  }
  const code = codeOf(error) || 'INTERNAL_ERROR';
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown';
  // The kind of file that was given instead of a P12.
  const found = error instanceof CertificateInvalidError ? error.found : null;
  if (found) return { code, detail: found[language], cause: message };
  const known = KNOWN[code];
  if (!known) {
    const isOther = code === 'INTERNAL_ERROR' && error instanceof Error;
    return { code, detail: isOther ? `${error.name}: ${message}` : describeError(error, language) };
  }
  // The library's messages are exact and in English. In Spanish the command prints the cause, the advice, and the position
  // in the file from the original message.
  const isExact = language === 'en' || code.startsWith('XML_');
  return { code, detail: isExact ? `${known[language]} (${message})` : known[language], cause: message };
}

// --- internal ---

const INVALID: LocalizedText = {
  es: 'El comprobante tiene datos que no se admiten.',
  en: 'The document has data that is not accepted.',
};

const KNOWN: Readonly<Record<string, LocalizedText>> = {
  CERTIFICATE_PASSWORD_INVALID: {
    es: 'La contraseña no es la de este P12. Distingue mayúsculas y tildes; pruébela abriéndolo en otro programa. Si no la recuerda, la entidad que lo emitió hace otro.',
    en: 'The password is not the one of this P12. Case and accents matter; try it by opening the file in another program. If it is lost, the authority makes a new certificate.',
  },
  CERTIFICATE_INVALID: {
    es: 'El archivo no es un P12 que se pueda abrir: está dañado, es otra cosa, o se descargó a medias.',
    en: 'The file is no P12 that can be opened: it is damaged, is something else, or was downloaded by half.',
  },
  CERTIFICATE_KEY_NOT_FOUND: {
    es: 'El P12 no trae la clave privada del certificado: se exportó sin ella. Expórtelo de nuevo «con la clave privada».',
    en: 'The P12 lacks the private key of the certificate: it was exported without it. Export it again «with the private key».',
  },
  CERTIFICATE_KEY_UNSUPPORTED: {
    es: 'La clave no sirve para el SRI: debe ser RSA de 2048 a 4096 bits y de un certificado de firma.',
    en: 'The SRI does not take this key: it must be RSA of 2048 to 4096 bits, of a certificate for signing.',
  },
  CERTIFICATE_EXPIRED: {
    es: 'El certificado está vencido: el SRI rechazaría lo que firme. Renuévelo con su entidad.',
    en: 'The certificate has expired: the SRI would refuse what it signs. Renew it with its authority.',
  },
  CERTIFICATE_NOT_YET_VALID: {
    es: 'El certificado todavía no rige. Revise la fecha y la hora de este equipo.',
    en: 'The certificate is not in force yet. Check the date and time of this machine.',
  },
  SRI_UNAVAILABLE: {
    es: 'El SRI no dio una respuesta útil. Suele ser una pausa suya: repita más tarde.',
    en: 'The SRI gave no usable answer. Usually it is a pause of its own: try again later.',
  },
  ACCESS_KEY_INVALID: { es: 'No es una clave de acceso.', en: 'This is no access key.' },
  XML_INVALID: {
    es: 'No es un XML que se pueda leer, o es de otro documento.',
    en: 'This is no XML that can be read, or it is of another document.',
  },
  XML_NOT_SIGNABLE: {
    es: 'El XML no se puede firmar como está: ya está firmado, le falta id="comprobante" en la raíz, repite un id, o declara otra codificación.',
    en: 'The XML cannot be signed as it is: it is signed already, lacks id="comprobante" on its root, repeats an id, or declares another encoding.',
  },
  IMAGE_INVALID: {
    es: 'La imagen no es un PNG, JPEG o GIF que se pueda imprimir.',
    en: 'The image is no PNG, JPEG or GIF that can be printed.',
  },
};
