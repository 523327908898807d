// A private key that never leaves its KMS, HSM or token: the signer port hands over the bytes to sign and gets back the
// raw signature. Run: npm run examples -- key-in-a-kms
import { createHash, privateEncrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openP12, type Signer, signDocument, verifyXml } from 'sri-core';

const [p12Path = 'certificate.p12', password = ''] = process.argv.slice(2);
const json = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));

// The certificate is no secret and is at hand; of the key there is only a name.
const { certificate, ...kms } = await openKms();
const signer: Signer = {
  certificate,
  async sign(data, algorithm) {
    // Most services take the digest, so that the document never leaves the machine.
    const digest = createHash(algorithm === 'rsa-sha1' ? 'sha1' : 'sha256')
      .update(data)
      .digest();
    return kms.signDigest({ keyName: 'invoicing', algorithm, digest });
  },
};

const options = { issuer: await json('issuer.json'), signer, environment: 'sandbox', sequential: 1 } as const;
const { accessKey, signedXml } = await signDocument(await json('invoice.json'), options);
console.log(accessKey, (await verifyXml(signedXml)).valid ? 'verifies' : 'does not verify');

/** Stands for the service: RSASSA-PKCS1-v1_5 over a digest, with a key that only it knows. */
async function openKms() {
  const { certificate, privateKey } = await openP12(await readFile(p12Path), password);
  const prefixes = {
    'rsa-sha1': '3021300906052b0e03021a05000414',
    'rsa-sha256': '3031300d060960864801650304020105000420',
  };
  return {
    certificate,
    async signDigest({ algorithm, digest }: { keyName: string; algorithm: keyof typeof prefixes; digest: Uint8Array }) {
      return privateEncrypt(privateKey, Buffer.concat([Buffer.from(prefixes[algorithm], 'hex'), digest]));
    },
  };
}
