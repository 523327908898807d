// The whole server inside an application of yours, without a port of its own. Run: npm run examples -- embed-the-server
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { createClient } from 'sri-core/client';
import { embedServer } from 'sri-server';

const [certificate = 'certificate.p12', password = '', folder = '.'] = process.argv.slice(2);

//#region server
const server = await embedServer({
  BASE_URL: 'https://shop.example',
  DATA_DIR: folder,
  LOG_LEVEL: 'error',
  SRI_AUTH_FIRST_DELAY: '100ms',
});
server.on('authorized', ({ document }) => console.log(`authorized: ${document.accessKey}`));

// The shop's own routes first; the server takes the rest.
const app = new Hono();
app.get('/', (context) => context.text('A shop'));
const handle = server.toWebHandler();
app.all('*', (context) => handle(context.req.raw));
//#endregion

const form = new FormData();
form.set('cert', new Blob([await readFile(certificate)]), 'certificate.p12');
const account = {
  certPassword: password,
  ruc: '1760013210001',
  businessName: 'Almacén de ejemplo',
  mainAddress: 'Quito',
  email: 'facturas@shop.example',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: 'false',
  emissionType: '1',
};
for (const [name, value] of Object.entries(account)) form.set(name, value);
const registered = await app.request('https://shop.example/v1/register', { method: 'POST', body: form });
const { apiKey, issuer }: { apiKey: string; issuer: { id: string } } = JSON.parse(await registered.text());

const client = createClient({
  baseUrl: server.url,
  apiKey,
  issuerId: issuer.id,
  fetch: async (request) => app.fetch(request),
});
const document = await client.documents.issue({
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'María José Ñacata', email: 'maria@example.com' },
  items: [
    {
      mainCode: 'CAF-01',
      description: 'Café de Loja, 400 g',
      quantity: '2',
      unitPrice: '7.25',
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '14.50', taxAmount: '2.18' }],
    },
  ],
  payments: [{ method: '01', total: '16.68' }],
});
console.log(`${document.sequential}: ${document.status}, ${document.total}`);
await server.close();
