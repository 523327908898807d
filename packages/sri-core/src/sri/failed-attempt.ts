import type { Language } from '../catalogs/catalog.js';

/**
 * Why an attempt with the SRI failed, in a language. Jobs (`lastError`) and ERROR events (`message`) store the English
 * sentences. What the SRI says itself stays, such as the text of a SOAP fault.
 */
export function describeFailedAttempt(stored: string, language: Language): string {
  if (language === 'en') return stored;
  for (const [english, spanish] of SENTENCES) {
    const found = readSentence(stored, english);
    if (!found) continue;
    const sentence = spanish.replace('{}', () => found.part);
    return found.rest === '' ? sentence : `${sentence} ${describeFailedAttempt(found.rest, language)}`;
  }
  return stored;
}

// --- internal ---

/** A sentence at the beginning of a text, and its Spanish. `{}` stands for the part that differs. */
const SENTENCES = Object.entries({
  'The SRI answered HTTP {}.': 'El SRI respondió HTTP {}.',
  'SOAP fault: {}': 'Fallo SOAP: {}',
  "The SRI's answer cannot be used.": 'La respuesta del SRI no sirve.',
  'The answer is not text of a known encoding.': 'No es texto de una codificación conocida.',
  'The answer is not a SOAP envelope.': 'No es un sobre SOAP.',
  'The envelope does not hold {}.': 'El sobre no contiene {}.',
  // A web page in place of the answer begins with a DOCTYPE. What the parser says is for programmers.
  'XML with a DOCTYPE or an entity declaration is refused.': 'Trae un DOCTYPE o una entidad, como una página web.',
  'The XML is malformed: {}': 'No es un XML bien formado.',
  'The XML has no root element.': 'El XML no tiene elemento raíz.',
  'The XML is nested too deeply.': 'El XML tiene demasiados niveles.',
  'The XML has more than {} nodes.': 'El XML tiene más de {} nodos.',
  'The XML {} a character that XML forbids.': 'El XML trae un carácter que XML prohíbe.',
  'The SRI answered without end.': 'La respuesta del SRI no terminaba.',
  'The SRI did not answer in time ({}).': 'El SRI no respondió a tiempo ({}).',
  'No connection to the SRI was made in time ({}).': 'No se logró a tiempo la conexión con el SRI ({}).',
  'The connection to the SRI broke before it answered ({}).':
    'La conexión con el SRI se cortó antes de su respuesta ({}).',
  'The SRI could not be reached ({}).': 'No se pudo llegar al SRI ({}).',
  'The SRI answered, but not about this document.': 'El SRI respondió, pero no sobre este documento.',
  'The SRI answered about another access key; that answer was not taken.':
    'El SRI respondió sobre otra clave de acceso; esa respuesta no se tomó.',
  "The SRI's answer has {} more than once; it was not taken.":
    'La respuesta del SRI trae {} más de una vez; no se tomó.',
  "The SRI's answer has no estado; it was not taken.": 'La respuesta del SRI no trae estado; no se tomó.',
  'The SRI answered with an unknown estado, {}; it was not taken.':
    'El SRI respondió con un estado desconocido, {}; no se tomó.',
  'The SRI answered for another ambiente than that of the access key; the answer was not taken.':
    'El SRI respondió por otro ambiente que el de la clave de acceso; la respuesta no se tomó.',
  'The SRI answered AUTORIZADO with a numeroAutorizacion that is not the access key; it was not taken.':
    'El SRI respondió AUTORIZADO con un numeroAutorizacion que no es la clave de acceso; no se tomó.',
  'The SRI answered AUTORIZADO without a fechaAutorizacion; it was not taken.':
    'El SRI respondió AUTORIZADO sin fechaAutorizacion; no se tomó.',
  'The SRI answered AUTORIZADO with a fechaAutorizacion that is no date; it was not taken.':
    'El SRI respondió AUTORIZADO con una fechaAutorizacion que no es una fecha; no se tomó.',
  'The SRI has authorized another document under this access key.':
    'El SRI autorizó otro documento con esta clave de acceso.',
  'Look for an earlier submission of your own first; if another system used the number, rebuild under a new one.':
    'Busque primero un envío propio anterior; si otro sistema usó el número, corrija el comprobante con uno nuevo.',
  'The SRI authorized the document and sent a text with it that is not the signed file. The signed file is kept.':
    'El SRI autorizó el documento y envió con él un texto que no es el archivo firmado. Se conserva el firmado.',
  'The SRI had not decided about the document by the last automatic attempt.':
    'El SRI no se había pronunciado sobre el documento en el último intento automático.',
  'The attempt broke off inside the service.': 'El intento se interrumpió dentro del servicio.',
});

/** Reads a sentence at the beginning of a text: the part in the place of `{}`, and what follows. Null if it is another. */
function readSentence(text: string, sentence: string): { readonly part: string; readonly rest: string } | null {
  const [before = '', after = ''] = sentence.split('{}');
  if (!text.startsWith(before)) return null;
  const end = sentence.endsWith('{}') ? text.length : text.indexOf(after, before.length);
  return end < 0 ? null : { part: text.slice(before.length, end), rest: text.slice(end + after.length).trim() };
}
