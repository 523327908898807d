// From the portal's list of received documents to the withholding on an invoice in it, authorized by the (simulated) SRI.
// Run: npm run examples -- withhold-on-received
import { readFile, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import {
  createEngine,
  createSriClient,
  fetchAuthorized,
  parseReceivedList,
  signerFromP12,
  systemClock,
  systemRandom,
  type WithholdingBody,
  withholdingDraft,
} from 'sri-core';
import { createSimulator, magicKey } from 'sri-core/simulator';
import { createSqliteStorage } from 'sri-storage-adapters';

const [p12Path = 'certificate.p12', password = '', folder = '.'] = process.argv.slice(2);
const transport = createSimulator().handle; // undiciTransport() calls the SRI itself

// What the portal downloads has a key in each row. This one is a key alone, of an invoice that the simulated SRI holds.
const issueDate = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Guayaquil' }).format(new Date());
await writeFile(`${folder}/recibidos.txt`, magicKey({ state: 'authorized', issueDate }));

//#region fetch
const list = parseReceivedList(await readFile(`${folder}/recibidos.txt`));
for (const { line, field, rule } of list.problems) console.warn(line, field, rule);

const sri = createSriClient({ transport, clock: systemClock, random: systemRandom });
const [row] = list.rows;
if (!row) throw new Error('The list holds no key.');
const found = await fetchAuthorized(row.accessKey, { sri });
if (found.outcome !== 'authorized' || !found.signature.valid) throw new Error(`${row.number}: ${found.outcome}`);
const received = found.comprobante;
//#endregion

//#region draft
if (received.documentType !== '01') throw new Error('This is no invoice.');
const { body, bases, missing } = withholdingDraft(received);
for (const { field, about } of missing) console.log(field, about.en); // subject.email, supportCode, withholdings
const [invoice] = body.supportingDocuments;
const withholding: WithholdingBody = {
  ...body,
  subject: { ...body.subject, email: 'proveedor@example.com' },
  supportingDocuments: [
    {
      ...invoice,
      supportCode: '01', // IVA credit: services, and goods other than stock and fixed assets
      withholdings: [
        { tax: '1', code: '312', taxableBase: bases.incomeTax ?? '0', rate: '2' }, // income tax: goods
        { tax: '2', code: '1', taxableBase: bases.iva ?? '0', rate: '30' }, // 30 % of the IVA
      ],
    },
  ],
};
//#endregion

const issuer = JSON.parse(await readFile(new URL('issuer.json', import.meta.url), 'utf8'));
const storage = createSqliteStorage({ database: new Database(`${folder}/withholdings.db`) });
await storage.migrate();
const signer = await signerFromP12(await readFile(p12Path), password);
const engine = createEngine({ storage, issuers: [{ id: 'main', ...issuer, signer }], transport });
const scope = { issuerId: 'main', environment: 'sandbox' } as const;
const { document } = await engine.issue(scope, withholding, { idempotencyKey: row.accessKey });
console.log(document.status, document.total); // AUTHORIZED 0.94
if (document.status !== 'AUTHORIZED')
  throw new Error(JSON.stringify(await engine.sriResponses(scope, document.accessKey)));
