// Signs a comprobante that another program wrote, and looks at it as the SRI would. Run: npm run examples -- sign-foreign-xml
import { readFile } from 'node:fs/promises';
import { signDocument, signerFromP12, signXml, verifyXml } from 'sri-core';

const [p12Path = 'certificate.p12', password = ''] = process.argv.slice(2);
const json = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));
const p12 = await readFile(p12Path);

// Stands for the other program.
const { signedXml } = await signDocument(await json('invoice.json'), {
  issuer: await json('issuer.json'),
  signer: await signerFromP12(p12, password),
  environment: 'sandbox',
  sequential: 1,
});
const xml = signedXml.replace(/<ds:Signature .*<\/ds:Signature>/s, '');

//#region sign
const signed = await signXml(xml, await signerFromP12(p12, password), { signingTime: new Date() });
//#endregion
const { valid } = await verifyXml(signed);
console.log(xml.length, signed.length, valid ? 'verifies' : 'does not verify');
process.exitCode = valid ? 0 : 1;
