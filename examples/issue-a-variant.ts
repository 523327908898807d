// An export, a reimbursement, a sale of fuel, a negotiable invoice with its transport, and a credit note, authorized by the (simulated) SRI.
// Run: npm run examples -- issue-a-variant
import { readFile, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { createEngine, ecuadorDate, signerFromP12, toIssueDate } from 'sri-core';
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

const transport = await json('invoice-transport.json');
// A transport starts on the day of issue, or later.
const today = toIssueDate(ecuadorDate(new Date()));
Object.assign(transport.deliveryGuide, { startDate: today, endDate: today });

const bodies = {
  export: await json('invoice-export.json'),
  reimbursement: await json('invoice-reimbursement.json'),
  fuel: await json('invoice-fuel.json'),
  transport,
  'credit-note': await json('credit-note.json'),
};
const scope = { issuerId: 'main', environment: 'sandbox' } as const;
for (const [name, body] of Object.entries(bodies)) {
  const { document } = await engine.issue(scope, body, { idempotencyKey: name });
  console.log(name, document.status, document.total);
  if (document.status !== 'AUTHORIZED') process.exitCode = 1;
  await writeFile(`${folder}/${name}.pdf`, await engine.ride(scope, document.accessKey));
}
