import { describe, expect, it } from 'vitest';
import { uncheckedBody } from '../documents/registry.js';
import { createEngine } from '../engine.js';
import { signDocument } from '../lifecycle/sign-document.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { createTestSigner } from '../testing/test-p12.js';
import { signXml } from './sign-xml.js';
import type { Signer } from './signer.js';

const real = await createTestSigner();
const ofNode = { certificate: real.certificate.x509, sign: real.sign };

describe('a missing signer', () => {
  it.each([undefined, createTestSigner(), ofNode, { certificate: real.certificate }])(
    'rejects a signer with a TypeError that names it: %s',
    async (given) => {
      const signer = given as unknown as Signer;
      const options = { issuer: SAMPLE_ISSUER, signer, environment: 'sandbox', sequential: 1 } as const;
      const message = /signer.*`await signerFromP12\(bytes, password\)`/;
      await expect(signDocument(uncheckedBody(null), options)).rejects.toThrow(message);
      await expect(signXml('<factura/>', signer, { signingTime: new Date() })).rejects.toThrow(message);
      const issuers = [{ ...SAMPLE_ISSUER, id: 'main', signer }];
      const transport = async () => new Response();
      expect(() => createEngine({ storage: createMemoryStorage(), issuers, transport })).toThrow(message);
    },
  );
});
