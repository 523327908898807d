import { describe, expect, it } from 'vitest';
import { hasSchemas, schemaComplaints } from '../testing/official-schemas.js';
import { randomCreditNote, randomInvoice } from '../testing/random-bodies.js';
import { writeRandomDocuments } from '../testing/random-documents.js';
import { createTestSigner } from '../testing/test-p12.js';
import { hasTool, xmlsecComplaints } from '../testing/xml-tools.js';
import type { SignatureAlgorithm } from './signer.js';
import { signCanonicalXml } from './xades.js';

const EACH = 500;
const signingTime = new Date();

describe.skipIf(!hasTool('xmlsec1'))(`${2 * EACH} random documents`, () => {
  it.each<{ algorithm: SignatureAlgorithm }>([{ algorithm: 'rsa-sha1' }, { algorithm: 'rsa-sha256' }])(
    'signed with $algorithm, verify with xmlsec1',
    async ({ algorithm }) => {
      const signer = await createTestSigner();
      const signed = await Promise.all(
        randomDocuments().map((xml) => signCanonicalXml(xml, signer, { algorithm, signingTime })),
      );
      expect(signed).toHaveLength(2 * EACH);
      expect(xmlsecComplaints(signed, signer.certificate.x509.toString(), ['factura', 'notaCredito'])).toBe('');
    },
    120_000,
  );

  it.skipIf(!hasSchemas())(
    'are valid by the official schemas once the signature is taken out again',
    async () => {
      const signer = await createTestSigner();
      const signed = await Promise.all(randomDocuments().map((xml) => signCanonicalXml(xml, signer, { signingTime })));
      const unsigned = signed.map((xml) => xml.replace(/<ds:Signature .*<\/ds:Signature>/s, ''));
      const [invoices, notes] = [unsigned.slice(0, EACH), unsigned.slice(EACH)];
      expect(schemaComplaints('factura_V1.1.0.xsd', invoices)).toBe('');
      expect(schemaComplaints('NotaCredito_V1.1.0.xsd', notes)).toBe('');
    },
    120_000,
  );
});

// --- internal ---

/** Invoices first, then as many credit notes. */
function randomDocuments() {
  return [randomInvoice, randomCreditNote].flatMap((body) => writeRandomDocuments(body, EACH));
}
