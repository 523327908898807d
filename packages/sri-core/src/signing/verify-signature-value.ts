import { constants, type KeyObject, publicDecrypt, verify } from 'node:crypto';
import { canonicalize } from '../xml/c14n.js';
import { childrenNamed, elementAt, plainText } from '../xml/elements.js';
import { readBase64 } from './base64.js';
import { whyPartDiffers } from './digest-causes.js';
import type { Findings } from './findings.js';
import { readKeyValue, rsaNumbers, type SignatureCertificate } from './signature-certificate.js';
import type { SignatureParts } from './signature-parts.js';
import { DS, EXCLUSIVE_C14N, SIGNATURE_METHODS } from './xmldsig.js';

/** Checks the certificate's key, its copy in KeyInfo, and the signature value against it. */
export function checkSignatureValue(parts: SignatureParts, signer: SignatureCertificate, findings: Findings): void {
  checkKey(signer, findings);
  checkKeyValue(parts, signer, findings);
  checkValue(parts, signer, findings);
}

// --- internal ---

function checkKey({ publicKey }: SignatureCertificate, findings: Findings): void {
  const { modulusLength: bits = 0, publicExponent } = publicKey?.asymmetricKeyDetails ?? {};
  if (publicExponent === 1n) {
    const detail = 'The exponent of the certificate’s key is 1: its signatures need no private key.';
    findings.fail('certificate', detail, 'keyNotSupported');
  } else if (publicKey?.asymmetricKeyType === 'rsa' && bits >= 2048 && bits <= 4096) {
    findings.pass('certificate', `KeyInfo holds a certificate with an RSA key of ${bits} bits.`);
  } else {
    const kind = publicKey?.asymmetricKeyType ?? 'unknown';
    findings.fail(
      'certificate',
      `The key of the certificate is ${kind}${bits ? ` of ${bits} bits` : ''}.`,
      'keyNotSupported',
    );
  }
}

function checkKeyValue({ keyInfo }: SignatureParts, { publicKey }: SignatureCertificate, findings: Findings): void {
  if (childrenNamed(keyInfo, DS, 'KeyValue').length === 0) return; // optional in XMLDSig
  const written = readKeyValue(keyInfo);
  const real = publicKey && rsaNumbers(publicKey);
  if (written && real?.modulus.equals(written.modulus) && real.exponent.equals(written.exponent)) {
    findings.pass('keyValue', 'RSAKeyValue is the key of the certificate.');
  } else findings.fail('keyValue', 'KeyValue is not the key of the certificate.');
}

function checkValue(
  { signedInfo, signatureValue }: SignatureParts,
  { publicKey }: SignatureCertificate,
  findings: Findings,
): void {
  const uri = elementAt(signedInfo, DS, 'SignatureMethod')?.getAttribute('Algorithm');
  const method = Object.values(SIGNATURE_METHODS).find((candidate) => candidate.uri === uri);
  if (!method || publicKey?.asymmetricKeyType !== 'rsa') return; // already a failed check of algorithms or certificate
  const value = signatureValue && readBase64(plainText(signatureValue));
  if (!value) {
    findings.fail('signatureValue', 'SignatureValue is missing or is not base64.', 'structure');
    return;
  }
  const canonicalization = elementAt(signedInfo, DS, 'CanonicalizationMethod')?.getAttribute('Algorithm');
  const canonical = canonicalize(signedInfo, { exclusive: canonicalization === EXCLUSIVE_C14N });
  if (verify(method.digest.hash, Buffer.from(canonical), publicKey, value)) {
    findings.pass('signatureValue', 'The signature value is right for SignedInfo and the key of the certificate.');
    return;
  }
  const digest = recoverDigest(publicKey, value);
  if (!digest) {
    findings.fail(
      'signatureValue',
      'The signature value was not made with the key of the certificate.',
      'signedWithOtherKey',
    );
    return;
  }
  const cause = whyPartDiffers(signedInfo, digest) ?? 'signatureValue';
  findings.fail('signatureValue', 'The signature value was made with the right key, over something else.', cause);
}

/** The digest inside an RSASSA-PKCS1-v1_5 signature; null when another key made it. */
function recoverDigest(publicKey: KeyObject, value: Buffer): Buffer | null {
  try {
    const info = publicDecrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, value);
    // DigestInfo ends with the digest. Only the forms of SHA-1 and SHA-256 match.
    return info.length === 35 || info.length === 51 ? info.subarray(info.length === 35 ? 15 : 19) : Buffer.alloc(0);
  } catch {
    return null;
  }
}
