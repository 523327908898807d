import { describeFailure, type Failure, type Language, type LocalizedText, translate } from 'sri-core';
import type { RuleFailure } from '../errors/refusal.js';

/** A broken rule with its message, as answered. The value sent is never repeated. */
export function toFailure(failure: RuleFailure, language: Language): Omit<Failure, 'params'> {
  const { field, rule, code } = failure;
  return { field, rule, message: describeRule(failure, language), code };
}

// --- internal ---

/** The message of a broken rule in a language: the server's own rules are here, rules of documents in core. */
function describeRule(failure: RuleFailure, language: Language): string {
  const text = RULES[failure.rule];
  return text ? translate(text, language, failure.params) : describeFailure(failure, language);
}

/** The rules of requests themselves. `{name}` is the rule's measure. */
const RULES: Readonly<Record<string, LocalizedText>> = {
  json: { es: 'El cuerpo no es JSON válido, en UTF-8.', en: 'The body is not valid JSON in UTF-8.' },
  object: { es: 'El cuerpo debe ser un objeto JSON.', en: 'The body has to be a JSON object.' },
  contentType: { es: 'Envíe el cuerpo como {expected}, en UTF-8.', en: 'Send the body as {expected}, in UTF-8.' },
  contentEncoding: { es: 'Envíe el cuerpo sin comprimir.', en: 'Send the body uncompressed.' },
  forbiddenKey: { es: 'Ese nombre de campo no se admite.', en: 'That field name is not allowed.' },
  maxValues: { es: 'El cuerpo tiene más de {max} valores.', en: 'The body holds more than {max} values.' },
  maxFieldNames: {
    es: 'El cuerpo tiene más de {max} nombres de campo distintos.',
    en: 'The body holds more than {max} different field names.',
  },
  depth: { es: 'El cuerpo tiene más de {max} niveles.', en: 'The body is nested deeper than {max} levels.' },
  multipart: { es: 'El cuerpo multipart está mal formado.', en: 'The multipart body is malformed.' },
  maxParts: { es: 'El formulario tiene más de {max} partes.', en: 'The form has more than {max} parts.' },
  single: { es: 'Envíelo una sola vez.', en: 'Send it only once.' },
  file: { es: 'Debe ser un archivo.', en: 'Has to be a file.' },
  text: { es: 'Contiene caracteres que no se admiten.', en: 'Contains characters that are not allowed.' },
  textPart: { es: 'Debe ser texto, no un archivo.', en: 'Has to be text, not a file.' },
  choice: { es: 'Debe ser uno de: {allowed}.', en: 'Has to be one of: {allowed}.' },
  integer: { es: 'Debe ser un número entero de {min} a {max}.', en: 'Has to be a whole number from {min} to {max}.' },
  jsonArray: { es: 'Debe ser una lista en JSON.', en: 'Has to be a list in JSON.' },
  documentType: { es: 'Tipos admitidos: {allowed}.', en: 'Supported types: {allowed}.' },
  accessKey: {
    es: 'Una clave de acceso tiene 49 dígitos, el último verificador.',
    en: 'An access key has 49 digits, the last one a check digit.',
  },
  hexToken: {
    es: 'Debe tener 64 dígitos hexadecimales: copie el enlace entero.',
    en: 'Has to be 64 hexadecimal digits: copy the whole link.',
  },
  url: {
    es: 'Debe ser una dirección {schemes} sin usuario ni contraseña.',
    en: 'Has to be an {schemes} address without user or password.',
  },
  https: { es: 'Debe ser una dirección https.', en: 'Has to be an https address.' },
  urlCredentials: { es: 'No debe llevar usuario ni contraseña.', en: 'Must not hold a user or password.' },
  urlFragment: { es: 'No debe llevar un fragmento (#).', en: 'Must not hold a fragment (#).' },
  urlPort: { es: 'El puerto debe ser 443, o 1024 o mayor.', en: 'The port has to be 443, or 1024 or above.' },
  publicHost: { es: 'Debe ser un servidor de la internet pública.', en: 'Has to be a host of the public internet.' },
  urlHost: { es: 'Ese servidor no está permitido.', en: 'That host is not allowed.' },
  base64: { es: 'Debe ser base64.', en: 'Has to be base64.' },
  uuid: { es: 'Debe ser un UUID.', en: 'Has to be a UUID.' },
  unchangeable: { es: 'No se puede cambiar.', en: 'Cannot be changed.' },
  anyOf: { es: 'Envíe al menos uno de: {allowed}.', en: 'Send at least one of: {allowed}.' },
  array: { es: 'El cuerpo debe ser una lista JSON.', en: 'The body has to be a JSON list.' },
  mandatoryNotification: { es: 'Ese aviso no se puede desactivar.', en: 'That notification cannot be switched off.' },
  placeholder: { es: 'Lugares admitidos: {allowed}.', en: 'Allowed places: {allowed}.' },
  maxBytes: { es: 'Supera {max} bytes.', en: 'Is larger than {max} bytes.' },
  notOffered: { es: 'El plan {tier} no se ofrece así.', en: 'The plan {tier} is not offered that way.' },
  notice: {
    es: 'Debe ser al menos {days} días después de publicarlo.',
    en: 'Has to be at least {days} days after it is published.',
  },
  samePrice: { es: 'Ese ya es el precio.', en: 'That is the price already.' },
  amount: {
    es: 'Debe ser un valor sin signo, de hasta 13 dígitos y dos decimales: 112.50.',
    en: 'Has to be an amount without a sign, of at most 13 digits and two decimals: 112.50.',
  },
  price: {
    es: 'Debe ser un valor en dólares mayor que cero, con hasta dos decimales.',
    en: 'Has to be an amount in dollars above zero, with at most two decimals.',
  },
  timestamp: {
    es: 'Debe ser fecha y hora en ISO 8601 con zona, por ejemplo 2027-01-31T05:00:00Z.',
    en: 'Has to be a date and time in ISO 8601 with its zone, such as 2027-01-31T05:00:00Z.',
  },
};
