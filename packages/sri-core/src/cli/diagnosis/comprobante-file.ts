import { decodeStrictly } from '../../decode-text.js';
import { openComprobante } from '../../documents/open-comprobante.js';
import { XmlError } from '../../errors.js';
import { toEntry } from '../../sri/authorization.js';
import { otherEncoding } from '../../sri/rules/submission.js';
import type { SriMessage } from '../../storage.js';
import { CommandFailure } from '../failure.js';
import { type Finding, object } from './finding.js';
import { findInAnswer } from './sri-message.js';

/** The SRI's answer about a comprobante. */
export interface FiledAuthorization {
  readonly estado: string;
  readonly number: string | null;
  readonly date: string | null;
  readonly messages: readonly SriMessage[];
}

/** A comprobante read from a file. */
export interface ComprobanteFile {
  /** Without a byte order mark. */
  readonly xml: string;
  /** The SRI's answer, when the file is an authorization. */
  readonly authorization: FiledAuthorization | null;
  /** Findings about the bytes of the file. */
  readonly findings: readonly Finding[];
}

/**
 * Reads the bytes of a file as a comprobante, bare or inside the SRI's `<autorizacion>`.
 *
 * @returns `xml` null when the file is no text; the findings name the kind of file.
 */
export function readComprobanteFile(bytes: Uint8Array): ComprobanteFile | { readonly findings: readonly Finding[] } {
  const other = kindOf(bytes);
  if (other) return { findings: [object('fail', 'file', { message: other })] };
  const findings: Finding[] = [];
  const text = decode(bytes, findings);
  try {
    const { xml, authorization } = openComprobante(text);
    if (!authorization) return { xml: text, authorization: null, findings };
    const { status, number, date, messages } = toEntry(authorization);
    // The wrapper's own bytes never reached the SRI, so their faults do not count.
    return { xml, authorization: { estado: status, number, date, messages: messages ?? [] }, findings: [] };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    if (!ANSWER.test(text)) return { xml: text, authorization: null, findings };
    return { findings: AUTHORIZATION.test(text) ? [unreadable(error)] : findInAnswer(text) };
  }
}

/**
 * As `readComprobanteFile`, for commands that need the document.
 *
 * @throws CommandFailure XML_INVALID
 */
export function requireComprobanteFile(bytes: Uint8Array): ComprobanteFile {
  const file = readComprobanteFile(bytes);
  if ('xml' in file) return file;
  throw new CommandFailure('XML_INVALID', file.findings[0]?.message ?? 'XML');
}

// --- internal ---

/** A file that begins with an authorization, or with an answer of the SRI. */
const ANSWER = /^\s*(<\?xml[^>]*>\s*)?<([\w.-]+:)?(autorizacion|Respuesta|Envelope)/;
const AUTHORIZATION = /<([\w.-]+:)?autorizacion[\s>]/;

function unreadable({ message }: XmlError): Finding {
  return object('fail', 'file', {
    message: {
      es: `El archivo parece una autorización del SRI, pero no se puede leer: ${message}`,
      en: `The file looks like an authorization of the SRI, but cannot be read: ${message}`,
    },
  });
}

function decode(bytes: Uint8Array, findings: Finding[]): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    findings.push(object('fail', 'file', { sriCode: '35', ...BOM }));
  }
  const text = decodeStrictly(bytes);
  if (text === null) {
    findings.push(object('fail', 'file', { sriCode: '35', message: NOT_UTF8, advice: ENCODING_ADVICE }));
    return new TextDecoder('windows-1252').decode(bytes);
  }
  const other = otherEncoding(text);
  if (other) findings.push(declaredOtherwise(text, other));
  return text;
}

/** ASCII bytes are the same in most encodings. Any other bytes are misread. */
function declaredOtherwise(text: string, { name, singleByte }: { name: string; singleByte: boolean }): Finding {
  const message = {
    es: `El archivo está en UTF-8 pero declara encoding="${name}".`,
    en: `The file is UTF-8 but declares encoding="${name}".`,
  };
  const advised = { message, advice: ENCODING_ADVICE };
  if (!singleByte) return object('fail', 'file', { sriCode: '35', ...advised });
  const isSame = /^[\0-\x7f]*$/.test(text);
  return isSame ? object('warn', 'file', advised) : object('fail', 'file', { sriCode: '39', ...advised });
}

const BOM = {
  message: {
    es: 'El archivo empieza con una marca BOM (tres bytes invisibles, EF BB BF).',
    en: 'The file begins with a byte order mark (three invisible bytes, EF BB BF).',
  },
  advice: {
    es: 'La agrega un editor (el Bloc de notas) o un programa que escribe «UTF-8 con BOM». Guárdelo como UTF-8 sin BOM, o envíe los bytes originales.',
    en: 'An editor (Notepad) adds it, or a program that writes «UTF-8 with BOM». Save it as UTF-8 without BOM, or send the original bytes.',
  },
};
const NOT_UTF8 = {
  es: 'El archivo no está en UTF-8: las tildes y la ñ están en otra codificación (ISO-8859-1 o Windows-1252).',
  en: 'The file is not UTF-8: its accented letters are in another encoding (ISO-8859-1 or Windows-1252).',
};
const ENCODING_ADVICE = {
  es: 'Escriba el XML en UTF-8, declárelo así y fírmelo de nuevo. Si ya estaba firmado, recupere el archivo tal como salió del firmador: volver a codificarlo invalida la firma.',
  en: 'Write the XML in UTF-8, declare it so, and sign it again. If it was signed already, get the file back as the signer made it: encoding it again breaks the signature.',
};

function kindOf(bytes: Uint8Array) {
  const head = Buffer.from(bytes.subarray(0, 4));
  if (head.toString('latin1') === '%PDF') {
    return {
      es: 'Es un PDF (quizá el RIDE), no el XML del comprobante.',
      en: 'This is a PDF (perhaps the RIDE), not the XML of the comprobante.',
    };
  }
  if (head.toString('latin1').startsWith('PK')) {
    return { es: 'Es un archivo ZIP: extraiga primero el XML.', en: 'This is a ZIP file: take the XML out first.' };
  }
  if (head[0] === 0x30 && (head[1] ?? 0) >= 0x80) {
    return {
      es: 'Es un certificado o un P12, no un comprobante. Para verlo: cert inspect.',
      en: 'This is a certificate or a P12, not a comprobante. To look at it: cert inspect.',
    };
  }
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) {
    return {
      es: 'El archivo está en UTF-16. El SRI recibe UTF-8: genérelo y fírmelo de nuevo así.',
      en: 'The file is UTF-16. The SRI takes UTF-8: produce and sign it again so.',
    };
  }
  return bytes.subarray(0, 4096).includes(0)
    ? { es: 'No es un archivo de texto, y por tanto no un XML.', en: 'This is not a text file, and so no XML.' }
    : null;
}
