import { checkDigit } from '../../access-key.js';
import type { LocalizedText } from '../../catalogs/catalog.js';

/** Explains why an access key is invalid, with the correct check digit. */
export function whatIsWrongWithKey(accessKey: string): LocalizedText {
  if (!/^\d{49}$/.test(accessKey)) {
    return {
      es: `La clave de acceso tiene ${accessKey.length} caracteres; son 49 dígitos.`,
      en: `The access key has ${accessKey.length} characters; it is 49 digits.`,
    };
  }
  const right = checkDigit(accessKey.slice(0, 48));
  if (right !== Number(accessKey[48])) {
    return {
      es: `El dígito verificador de la clave es ${accessKey[48]} y debe ser ${right}.`,
      en: `The check digit of the key is ${accessKey[48]} and must be ${right}.`,
    };
  }
  return {
    es: 'La clave empieza con un día que no existe, o su ambiente no es 1 ni 2.',
    en: 'The key begins with a day that does not exist, or its environment is neither 1 nor 2.',
  };
}
