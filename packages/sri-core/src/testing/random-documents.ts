import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issuer } from '../documents/issuer.js';
import { prepareDocument } from '../documents/prepare.js';
import type { DocumentBody } from '../documents/registry.js';
import { writeComprobante } from '../documents/write-comprobante.js';
import { signCanonicalXml } from '../signing/xades.js';
import type { CanonicalXml } from '../xml/canonical-xml.js';
import { hasSchemas, schemaComplaints } from './official-schemas.js';
import { RANDOM_TODAY, randomIssuer } from './random-bodies.js';
import { createTestSigner } from './test-p12.js';
import { hasTool, xmlsecComplaints } from './xml-tools.js';

/**
 * Registers the tests that judge random documents of a type by other programs: the SRI's schemas before and after the
 * signature, and xmlsec1.
 *
 * @param type.root its root element. @param type.schema the file of its schema, in both folders unless it is not
 * published.
 */
export function judgeRandomDocuments(type: {
  readonly body: fc.Arbitrary<DocumentBody>;
  readonly issuers?: fc.Arbitrary<Issuer>;
  readonly root: string;
  readonly schema: string;
  readonly isPublished?: boolean;
}): void {
  describe(`${COUNT} random documents`, () => {
    const documents = writeRandomDocuments(type.body, type.issuers ?? randomIssuer);

    it.skipIf(!hasSchemas())(
      'random documents are valid by the schema',
      () => {
        expect(schemaComplaints(type.schema, documents)).toBe('');
      },
      LONG,
    );

    it.skipIf(!hasTool('xmlsec1'))(
      'random signed documents verify with xmlsec1 and are valid by the published schema, by both algorithms',
      async () => {
        const signer = await createTestSigner();
        const signingTime = new Date();
        const signed = await Promise.all(
          documents.map((xml, index) => {
            const algorithm = index % 2 === 0 ? 'rsa-sha1' : 'rsa-sha256';
            return signCanonicalXml(xml, signer, { algorithm, signingTime });
          }),
        );
        expect(xmlsecComplaints(signed, signer.certificate.x509.toString(), [type.root])).toBe('');
        if (type.isPublished === false || !hasSchemas()) return;
        // The published schema has one legend of the two that the Ficha prescribes.
        const published = signed.filter((xml) => !xml.includes('NEGOCIO POPULAR'));
        expect(published.length).toBeGreaterThan(COUNT / 2);
        expect(schemaComplaints(`official/${type.schema}`, published)).toBe('');
      },
      LONG,
    );
  });
}

// --- internal ---

/** Random documents with such bodies, by such issuers. */
function writeRandomDocuments(
  body: fc.Arbitrary<DocumentBody>,
  issuers: fc.Arbitrary<Issuer>,
): readonly CanonicalXml[] {
  return fc.sample(fc.tuple(body, issuers), COUNT).map(([bare, issuer], index) => {
    const prepared = prepareDocument(bare, { issuer, today: RANDOM_TODAY });
    const numbering = { environment: 'sandbox', sequential: index + 1, numericCode: '12345678' } as const;
    return writeComprobante(prepared, issuer, numbering).xml;
  });
}

const COUNT = 1_000;
const LONG = 120_000;
