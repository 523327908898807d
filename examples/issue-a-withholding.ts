// From a supplier's invoice to a comprobante de retención that the (simulated) SRI has authorized, and its RIDE.
// Run: npm run examples -- issue-a-withholding
import { readFile, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { createEngine, signerFromP12, type WithholdingBody } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createSqliteStorage } from 'sri-storage-adapters';

//#region body
const withholding: WithholdingBody = {
  documentType: '07',
  subject: {
    idType: '04',
    id: '1790011674001',
    name: 'Suministros Andinos S.A.',
    email: 'cobros@example.com',
  },
  supportingDocuments: [
    {
      supportCode: '01', // IVA credit: services, and goods other than stock and fixed assets
      documentType: '01', // an invoice
      number: '001-001-000000123',
      issueDate: '02/11/2026',
      authorizationNumber: '0211202601179001167400120010010000001231234567811',
      taxes: [{ code: '2', rateCode: '4', taxableBase: '100.00' }], // IVA 15.00
      withholdings: [
        { tax: '1', code: '312', taxableBase: '100.00', rate: '2' }, // income tax: goods
        { tax: '2', code: '1', taxableBase: '15.00', rate: '30' }, // 30 % of the IVA
      ],
      payments: [{ method: '20' }],
    },
  ],
};
//#endregion

const [p12Path = 'certificate.p12', password = '', folder = '.'] = process.argv.slice(2);
const issuer = JSON.parse(await readFile(new URL('issuer.json', import.meta.url), 'utf8'));

const storage = createSqliteStorage({ database: new Database(`${folder}/withholdings.db`) });
await storage.migrate();
const signer = await signerFromP12(await readFile(p12Path), password);
const engine = createEngine({
  storage,
  issuers: [{ id: 'main', ...issuer, signer }],
  transport: createSimulator().handle, // undiciTransport() calls the SRI itself
});

// Documents of the supplier are not later than the withholding: here both are of today.
const today = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Guayaquil' }).format(new Date());
const [document] = withholding.supportingDocuments;
if (!document) throw new Error('There is no document to withhold from.');
const body = { ...withholding, supportingDocuments: [{ ...document, issueDate: today }] };
const scope = { issuerId: 'main', environment: 'sandbox' } as const;
const { document: issued } = await engine.issue(scope, body, { idempotencyKey: 'purchase-123' });
console.log(issued.status, issued.total); // AUTHORIZED 6.50
if (issued.status !== 'AUTHORIZED') throw new Error(JSON.stringify(await engine.sriResponses(scope, issued.accessKey)));
await writeFile(`${folder}/ride.pdf`, await engine.ride(scope, issued.accessKey));
