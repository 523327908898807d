// What all recipes share: the client of the account that `sri-server init` made, and a line of an invoice.
import { createClient, type InvoiceInput } from 'sri-core/client';

type Line = InvoiceInput['items'][number];

/** Named as in the .env that `sri-server init` writes. */
const { SRI_URL = 'http://127.0.0.1:3000', SRI_API_KEY = '', SRI_ISSUER_ID = '' } = process.env;

export const client = createClient({ baseUrl: SRI_URL, apiKey: SRI_API_KEY, issuerId: SRI_ISSUER_ID });

/** A pound of coffee for ten dollars, with IVA of 15 %. */
export const coffee: Line = {
  mainCode: 'CAF-01',
  description: 'Café de Loja, 454 g',
  quantity: '1',
  unitPrice: '10.00',
  taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
};

export const maria = { idType: '05', id: '1710034065', name: 'María Ñacata', email: 'maria@example.com' } as const;
