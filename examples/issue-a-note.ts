// A debit note, a purchase settlement and a reimbursement of expenses, authorized by the (simulated) SRI.
// Run: npm run examples -- issue-a-note
import { readFile, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { createEngine, signerFromP12 } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createSqliteStorage } from 'sri-storage-adapters';

const [p12Path = 'certificate.p12', password = '', folder = '.'] = process.argv.slice(2);
const json = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));

const storage = createSqliteStorage({ database: new Database(`${folder}/documents.db`) });
await storage.migrate();
const signer = await signerFromP12(await readFile(p12Path), password);
const engine = createEngine({
  storage,
  issuers: [{ id: 'main', ...(await json('issuer.json')), signer }],
  transport: createSimulator().handle, // undiciTransport() calls the SRI itself
});

const scope = { issuerId: 'main', environment: 'sandbox' } as const;
for (const name of ['debit-note.json', 'purchase-settlement.json', 'reimbursement.json']) {
  const { document } = await engine.issue(scope, await json(name), { idempotencyKey: name });
  console.log(name, document.status, document.total);
  if (document.status !== 'AUTHORIZED') process.exitCode = 1;
  await writeFile(`${folder}/${name}.pdf`, await engine.ride(scope, document.accessKey));
}
