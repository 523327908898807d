import forge from 'node-forge';

/**
 * A P12 that a thief makes of somebody's certificate alone, as it stands in every XML: its key shows the certificate's
 * modulus and exponent, and all its other numbers are the thief's.
 */
export function forgeP12(certificate: Uint8Array, password: string): Buffer {
  const { asn1, pki, pkcs12, util } = forge;
  const stolen = pki.certificateFromAsn1(asn1.fromDer(util.createBuffer(Buffer.from(certificate).toString('binary'))));
  const { n, e } = stolen.publicKey as forge.pki.rsa.PublicKey;
  const { d, p, q, dP, dQ, qInv } = pki.rsa.generateKeyPair({ bits: 2048, e: 0x10001 }).privateKey;
  const key = pki.rsa.setPrivateKey(n, e, d, p, q, dP, dQ, qInv);
  const der = asn1.toDer(pkcs12.toPkcs12Asn1(key, [stolen], password, { algorithm: 'aes256' }));
  return Buffer.from(der.getBytes(), 'binary');
}
