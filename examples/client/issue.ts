// An invoice by the typed client: created, sent, waited for, and its RIDE on disk. It asks the server that BASE_URL names.
import { writeFile } from 'node:fs/promises';
import { ApiError, createClient } from 'sri-core/client';

const client = createClient({
  baseUrl: process.env['BASE_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['API_KEY'] ?? '',
  issuerId: process.env['ISSUER_ID'] ?? '',
});

try {
  const document = await client.documents.issue({
    documentType: '01',
    buyer: { idType: '05', id: '1710034065', name: 'María Ñacata', email: 'maria@example.com' },
    items: [
      {
        mainCode: 'CAF-01',
        description: 'Café de Loja, 400 g',
        quantity: '1',
        unitPrice: '10.00',
        taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
      },
    ],
    payments: [{ method: '01', total: '11.50' }],
  });
  console.log(document.status, document.accessKey);
  if (document.status === 'AUTHORIZED') await writeFile('ride.pdf', await client.documents.ride(document.accessKey));
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.code, error.errors, error.requestId);
  process.exitCode = 1;
}
