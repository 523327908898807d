import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { LocalizedText } from '../catalogs/catalog.js';

/**
 * Names the kind of a file that was given instead of a P12, with advice; null for an unknown kind. The text quotes nothing
 * of the file.
 */
export function whatItIsInstead(bytes: Buffer): LocalizedText | null {
  const head = bytes
    .toString('latin1', 0, 1024)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  const byText = KINDS_BY_TEXT.find(({ begin }) => begin.test(head));
  if (byText) return byText.message;
  if (isBase64(bytes)) return BASE64;
  return bytes[0] === 0x30 ? whatDerIsInstead(bytes) : null;
}

// --- internal ---

const KINDS_BY_TEXT: readonly { readonly begin: RegExp; readonly message: LocalizedText }[] = [
  {
    begin: /^(Bag Attributes|-----BEGIN )/,
    message: {
      es: 'El archivo está en PEM, que es texto: el P12 lo hace openssl pkcs12 -export con el certificado y su clave.',
      en: 'The file is PEM, which is text: openssl pkcs12 -export makes the P12 of the certificate and its key.',
    },
  },
  {
    begin: /^<(!doctype\s+html|html|head|body)\b/i,
    message: {
      es: 'El archivo es una página web, como la que deja una descarga que falló: descárguelo otra vez.',
      en: 'The file is a web page, as a failed download leaves it: download it again.',
    },
  },
  {
    begin: /^(<|[{[]")/,
    message: { es: 'El archivo es XML o JSON, no un P12.', en: 'The file is XML or JSON, not a P12.' },
  },
  { begin: /^%PDF/, message: { es: 'El archivo es un PDF, no un P12.', en: 'The file is a PDF, not a P12.' } },
  {
    begin: /^PK\x03\x04/,
    message: { es: 'El archivo es un ZIP: extraiga el P12.', en: 'The file is a ZIP: take the P12 out of it.' },
  },
  {
    begin: /^\xfe\xed\xfe\xed/,
    message: {
      es: 'El archivo es un almacén JKS de Java: keytool -importkeystore lo pasa a PKCS12.',
      en: 'The file is a JKS store of Java: keytool -importkeystore makes a PKCS12 of it.',
    },
  },
];

const BASE64: LocalizedText = {
  es: 'El archivo es texto en base64: decodifíquelo una vez, o envíelo sin convertirlo.',
  en: 'The file is base64 text: decode it once, or send it unconverted.',
};
const SAVED_AS_TEXT: LocalizedText = {
  es: 'El archivo se guardó como texto, y así se pierde: cópielo o súbalo en binario.',
  en: 'The file was saved as text, which destroys it: copy or upload it as binary.',
};
const CERTIFICATE_ALONE: LocalizedText = {
  es: 'El archivo es un certificado sin su clave privada: se necesita el P12 que lleva los dos.',
  en: 'The file is a certificate without its private key: the P12 that holds both is needed.',
};
const CERTIFICATES_ALONE: LocalizedText = {
  es: 'El archivo es PKCS#7 (.p7b), certificados sin clave privada: se necesita el P12.',
  en: 'The file is PKCS#7 (.p7b), certificates without a private key: the P12 is needed.',
};
const KEY_ALONE: LocalizedText = {
  es: 'El archivo es una clave privada sin su certificado: openssl pkcs12 -export los une en un P12.',
  en: 'The file is a private key without its certificate: openssl pkcs12 -export joins both into a P12.',
};

/** The OBJECT IDENTIFIER signedData at the start of a PKCS#7 file. */
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex');

/** Base64 of bytes that start with a SEQUENCE, also as a data URL; line ends are allowed. */
function isBase64(bytes: Buffer): boolean {
  const text = bytes
    .toString('latin1')
    .replace(/^data:[^,]{0,100};base64,/, '')
    .replace(/[ \t\r\n]+/g, '');
  return /^M[A-P][A-Za-z0-9+/_-]+={0,2}$/.test(text);
}

function whatDerIsInstead(bytes: Buffer): LocalizedText | null {
  // The output of a program that decodes the bytes as UTF-8 or Latin-1.
  if (/^\x30(\xef\xbf\xbd|\xc2[\x80-\x84])/.test(bytes.toString('latin1', 0, 4))) return SAVED_AS_TEXT;
  const { header, whole } = statedLengths(bytes);
  if (whole > bytes.length) {
    return {
      es: `El archivo está cortado: tiene ${bytes.length} de sus ${whole} bytes. Descárguelo otra vez.`,
      en: `The file is cut off: it has ${bytes.length} of its ${whole} bytes. Download it again.`,
    };
  }
  if (bytes.subarray(header, header + SIGNED_DATA.length).equals(SIGNED_DATA)) return CERTIFICATES_ALONE;
  if (isRead(() => new X509Certificate(bytes))) return CERTIFICATE_ALONE;
  const asKey = (type: 'pkcs8' | 'pkcs1' | 'sec1') => () => createPrivateKey({ key: bytes, format: 'der', type });
  return isRead(asKey('pkcs8')) || isRead(asKey('pkcs1')) || isRead(asKey('sec1')) ? KEY_ALONE : null;
}

/** The length of the header, and the declared length of the whole outer value; 0 when it is not declared. */
function statedLengths(bytes: Buffer): { readonly header: number; readonly whole: number } {
  const first = bytes[1] ?? 0x80;
  if (first < 0x80) return { header: 2, whole: 2 + first };
  const octets = first & 0x7f;
  const header = 2 + octets;
  const isSaid = octets >= 1 && octets <= 4 && bytes.length >= header;
  return { header, whole: isSaid ? header + bytes.readUIntBE(2, octets) : 0 };
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
