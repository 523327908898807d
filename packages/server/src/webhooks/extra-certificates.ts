import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { LocalizedText } from 'sri-core';
import { ConfigError } from '../platform/config-values.js';

/**
 * Reads the file of extra root certificates for receivers.
 *
 * @param path null for none.
 * @returns PEM, or null for none.
 * @throws ConfigError when it cannot be read, holds no certificate, or is broken.
 */
export async function readExtraCertificates(path: string | null): Promise<string | null> {
  if (path === null) return null;
  const refuse = (texts: LocalizedText) => new ConfigError([{ variable: 'WEBHOOK_CA_FILE', texts }]);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw refuse({ es: `el archivo no se puede leer (${code}).`, en: `the file cannot be read (${code}).` });
  }
  const certificates = text.match(PEM_CERTIFICATE) ?? [];
  if (certificates.length === 0)
    throw refuse({
      es: 'el archivo no tiene un certificado en PEM (-----BEGIN CERTIFICATE-----).',
      en: 'the file holds no certificate in PEM (-----BEGIN CERTIFICATE-----).',
    });
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch {
    throw refuse({ es: 'un certificado del archivo está dañado.', en: 'a certificate in the file is broken.' });
  }
  // Drops the rest of the file, such as a private key.
  return certificates.join('\n');
}

// --- internal ---

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
