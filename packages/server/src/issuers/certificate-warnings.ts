import { type Language, type LocalizedText, translate } from 'sri-core';
import type { warningsSchema } from '../platform/http/warnings-schema.js';
import type { Shown } from '../platform/schema-words.js';
import type { IssuerRecord } from './issuer-record.js';

/**
 * The `warnings` member of an answer about an issuer whose certificate names another taxpayer: the SRI refuses its
 * documents with code 39. Omitted without warnings.
 */
export function toCertificateWarnings(
  issuer: IssuerRecord,
  language: Language,
): { warnings?: Shown<typeof warningsSchema> } {
  const { certificate } = issuer;
  if (!certificate || certificate.ruc === issuer.ruc) return {};
  if (certificate.ruc === null) return warn('CERTIFICATE_WITHOUT_RUC', translate(WITHOUT_RUC, language));
  const params = { named: certificate.ruc, own: issuer.ruc };
  return warn('CERTIFICATE_OF_ANOTHER_RUC', translate(OF_ANOTHER, language, params));
}

// --- internal ---

const WITHOUT_RUC: LocalizedText = {
  es: 'El certificado no lleva RUC: el SRI rechaza lo que firme (código 39).',
  en: 'The certificate holds no RUC: the SRI refuses what it signs (code 39).',
};
const OF_ANOTHER: LocalizedText = {
  es: 'El certificado es del RUC {named} y el emisor es {own}: el SRI rechaza lo que firme (código 39).',
  en: 'The certificate is for RUC {named} and the issuer is {own}: the SRI refuses what it signs (code 39).',
};

function warn(code: string, message: string) {
  return { warnings: [{ code, field: 'cert', message }] };
}
