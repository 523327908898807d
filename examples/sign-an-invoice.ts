// From a P12 file and a JSON body to a signed XML. Run: npm run examples -- sign-an-invoice
import { readFile } from 'node:fs/promises';
import { signDocument, signerFromP12 } from 'sri-core';

const [p12Path = 'certificate.p12', password = ''] = process.argv.slice(2);
const json = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));

const signer = await signerFromP12(await readFile(p12Path), password);
const signed = await signDocument(await json('invoice.json'), {
  issuer: await json('issuer.json'),
  signer,
  environment: 'sandbox',
  sequential: 1,
});
console.log(signed.accessKey, `${signed.signedXml.length} characters`, signed.warnings);
