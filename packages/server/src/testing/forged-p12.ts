import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** A P12 that pairs a certificate with the key of another. */
export function mismatchP12(certificate: Uint8Array): Buffer {
  const { pki } = forge;
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return writeP12(pki.privateKeyFromPem(privateKey), readCertificate(certificate), null);
}

/** A P12 from a public certificate alone: its key combines that modulus and exponent with numbers of another key. */
export function forgeP12(certificate: Uint8Array, password: string): Buffer {
  const { pki } = forge;
  const stolen = readCertificate(certificate);
  const { n, e } = stolen.publicKey as forge.pki.rsa.PublicKey;
  const { d, p, q, dP, dQ, qInv } = pki.rsa.generateKeyPair({ bits: 2048, e: 0x10001 }).privateKey;
  return writeP12(pki.rsa.setPrivateKey(n, e, d, p, q, dP, dQ, qInv), stolen, password);
}

// --- internal ---

function readCertificate(der: Uint8Array): forge.pki.Certificate {
  const { asn1, pki, util } = forge;
  return pki.certificateFromAsn1(asn1.fromDer(util.createBuffer(Buffer.from(der).toString('binary'))));
}

function writeP12(key: forge.pki.rsa.PrivateKey, certificate: forge.pki.Certificate, password: string | null): Buffer {
  const { asn1, pkcs12 } = forge;
  const der = asn1.toDer(pkcs12.toPkcs12Asn1(key, [certificate], password, { algorithm: 'aes256' }));
  return Buffer.from(der.getBytes(), 'binary');
}
