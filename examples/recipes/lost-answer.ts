// The connection broke after the request: was the invoice made? Asking again with the same key cannot make a second one.
import type { DocumentInput } from 'sri-core/client';
import { client, coffee, maria } from './client.ts';

//#region recipe
const body: DocumentInput = {
  documentType: '01',
  buyer: maria,
  items: [coffee],
  payments: [{ method: '01', total: '11.50' }],
};
const first = await client.documents.create(body, { idempotencyKey: 'sale-2001' });
const again = await client.documents.create(body, { idempotencyKey: 'sale-2001' });
console.log(again.replayed, first.document.accessKey === again.document.accessKey);
//#endregion
