import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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
  const refuse = (message: string) => new ConfigError([{ variable: 'WEBHOOK_CA_FILE', message }]);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw refuse(`the file cannot be read (${code}).`);
  }
  const certificates = text.match(PEM_CERTIFICATE) ?? [];
  if (certificates.length === 0) throw refuse('the file holds no certificate in PEM (-----BEGIN CERTIFICATE-----).');
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch {
    throw refuse('a certificate in the file is broken.');
  }
  // Drops the rest of the file, such as a private key.
  return certificates.join('\n');
}

// --- internal ---

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
