import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FOREIGN_SAMPLES } from '../testing/foreign-samples.js';
import { javaVerdicts } from '../testing/java-judge.js';
import { createTestSigner } from '../testing/test-p12.js';
import { FOREIGN_ROOTS, foreignXml } from '../testing/xml-arbitrary.js';
import { hasTool, xmlsecComplaints } from '../testing/xml-tools.js';
import { signXml } from './sign-xml.js';
import type { SignatureAlgorithm } from './signer.js';
import { verifyXml } from './verify.js';

const hasXmlsec = hasTool('xmlsec1');
const signer = await createTestSigner();
const pem = signer.certificate.x509.toString();
const options = { signingTime: new Date() };

describe('a signature of foreign XML', () => {
  it.each<SignatureAlgorithm>(['rsa-sha1', 'rsa-sha256'])(
    'a signature with %s verifies for any foreign tree',
    async (algorithm) => {
      const documents: string[] = [];
      await fc.assert(
        fc.asyncProperty(foreignXml(), async (xml) => {
          const signed = await signXml(xml, signer, { ...options, algorithm });
          const report = await verifyXml(signed);
          expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
          expect(report.valid).toBe(true);
          documents.push(signed);
        }),
        { numRuns: 300 },
      );
      if (hasXmlsec) expect(xmlsecComplaints(documents, pem, FOREIGN_ROOTS)).toBe('');
    },
  );

  it.skipIf(!hasTool('java'))('a signature of foreign XML verifies in Java, as in the SRI’s validator', async () => {
    const trees = fc.sample(foreignXml(), 100);
    const documents = [...FOREIGN_SAMPLES.map(({ xml }) => xml), ...trees].map((xml) => signXml(xml, signer, options));
    const verdicts = javaVerdicts([...(await Promise.all(documents)), 'not XML'], pem);
    expect(verdicts.slice(0, -1).filter((verdict) => verdict !== 'true')).toEqual([]);
    expect(verdicts.at(-1)).toContain('Exception');
  });
});
