import { describe, expect, it } from 'vitest';
import { hasSchemas, schemaComplaints } from '../testing/official-schemas.js';
import { createTestCertificate } from '../testing/test-certificate.js';
import { createTestIdentity } from '../testing/test-p12.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import { createKeySigner } from './key-signer.js';
import type { SignatureAlgorithm } from './signer.js';
import { signCanonicalXml } from './xades.js';

const { certificate, privateKey } = await createTestIdentity();
const { publicKey } = createKeySigner({ certificate, privateKey }).certificate.x509;
const name = [
  { type: '2.5.4.6', text: 'EC' },
  { type: '2.5.4.3', text: 'AC DE PRUEBA, S.A.' },
];
const der = createTestCertificate({
  subject: name,
  publicKey,
  issuer: { name, privateKey },
  validFrom: new Date('2026-01-01'),
  validTo: new Date('2028-01-01'),
  serialNumber: 123_456_789_012_345_678_901_234n, // libxml2 tests integers up to 24 digits
});
const signer = createKeySigner({ certificate: der, privateKey });
const xml = '<factura id="comprobante"></factura>' as CanonicalXml;

describe.skipIf(!hasSchemas())('the schemas of XMLDSig and XAdES 1.3.2', () => {
  it.each<SignatureAlgorithm>(['rsa-sha1', 'rsa-sha256'])(
    'a signature is valid by the schemas of XMLDSig and XAdES: %s',
    async (algorithm) => {
      const signed = await signCanonicalXml(xml, signer, { algorithm, signingTime: new Date('2026-11-21') });
      const signature = /<ds:Signature .*<\/ds:Signature>/.exec(signed)?.[0] ?? '';
      expect(schemaComplaints('XAdES-1.3.2.xsd', [signature])).toBe('');
      const broken = signature.replaceAll('etsi:MimeType', 'etsi:Kind');
      expect(schemaComplaints('XAdES-1.3.2.xsd', [broken])).toContain('Kind');
    },
  );
});
