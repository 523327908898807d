import type { Language, LocalizedText } from '../catalogs/catalog.js';
import type { Validity, ValidityStatus } from '../received/validity.js';

/** The SRI's word on a document as a sentence. */
export function describeValidity({ status, source }: Validity, language: Language): string {
  const text = STATUSES[status][language];
  return status === 'AUTHORIZED' && source === 'authorization' ? `${text} ${OLD[language]}` : text;
}

// --- internal ---

const STATUSES: Readonly<Record<ValidityStatus, LocalizedText>> = {
  AUTHORIZED: { es: 'El SRI lo tiene AUTORIZADO.', en: 'The SRI has it as authorized.' },
  PENDING_ANNULMENT: {
    es: 'Está PENDIENTE DE ANULAR: su emisor pidió anularlo y falta que el receptor acepte.',
    en: 'Its annulment is pending: the issuer asked for it, and the receiver has not accepted yet.',
  },
  ANNULLED: { es: 'Está ANULADO: ya no vale.', en: 'It is annulled: it is not valid any more.' },
  NOT_AUTHORIZED: {
    es: 'El SRI NO lo AUTORIZÓ: nunca valió.',
    en: 'The SRI did not authorize it: it was never valid.',
  },
  NOT_FOUND: {
    es: 'El SRI no muestra ningún comprobante autorizado con esa clave: es falso, o todavía no llegó al SRI.',
    en: 'The SRI shows no authorized document under that key: it is false, or has not reached the SRI yet.',
  },
};

const OLD: LocalizedText = {
  es: 'Por su fecha ya no se puede preguntar si después se anuló: eso lo dice el portal.',
  en: 'Because of its date it cannot be asked any more whether it was annulled since: the portal tells.',
};
