// From a P12 file and a JSON body to an invoice that the (simulated) SRI has authorized, and its RIDE.
// Run: npm run examples -- issue-an-invoice
import { readFile, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { createEngine, signerFromP12 } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createSqliteStorage } from 'sri-storage-adapters';

const [p12Path = 'certificate.p12', password = '', folder = '.'] = process.argv.slice(2);
const json = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));

const storage = createSqliteStorage({ database: new Database(`${folder}/invoices.db`) });
await storage.migrate();
const signer = await signerFromP12(await readFile(p12Path), password);
const engine = createEngine({
  storage,
  issuers: [{ id: 'main', ...(await json('issuer.json')), signer }],
  transport: createSimulator().handle, // undiciTransport() calls the SRI itself
});

const scope = { issuerId: 'main', environment: 'sandbox' } as const;
const { document } = await engine.issue(scope, await json('invoice.json'), { idempotencyKey: 'order-1001' });
console.log(document.status, document.authorization?.number);
if (document.status === 'AUTHORIZED')
  await writeFile(`${folder}/ride.pdf`, await engine.ride(scope, document.accessKey));
else console.log(JSON.stringify(await engine.sriResponses(scope, document.accessKey), null, 2));
