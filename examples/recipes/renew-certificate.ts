// A certificate is about to expire: every issuer of the account gets the new one.
import { readFile } from 'node:fs/promises';
import { client } from './client.ts';

//#region recipe
const { P12 = 'firma-nueva.p12', P12_PASSWORD = '' } = process.env;
for (const { id, certExpiry } of await client.issuers.list()) {
  const days = (Date.parse(certExpiry ?? '') - Date.now()) / 86_400_000;
  console.log(id, `${Math.floor(days)} days left`);
}
const [issuer] = await client.issuers.list();
const renewed = await client.issuers.renewCertificate(issuer?.id ?? '', {
  cert: (await readFile(P12)).toString('base64'),
  certPassword: P12_PASSWORD,
  applyToAll: true,
});
console.log('now until', renewed.certExpiry);
//#endregion
