// The SRI returned an invoice: it is corrected under the number it has.
import type { DocumentInput } from 'sri-core/client';
import { client, coffee, maria } from './client.ts';

//#region recipe
const body: DocumentInput = {
  documentType: '01',
  // With this buyer the simulator returns what is sent, like the SRI with a body it does not like.
  buyer: { ...maria, idType: '06', id: 'SRI-RETURNED-35' },
  items: [coffee],
  payments: [{ method: '01', total: '11.50' }],
};

let invoice = await client.documents.issue(body);
if (invoice.status === 'RETURNED') {
  for (const { messages, advice } of await client.documents.sriResponses(invoice.accessKey))
    console.log(
      messages?.map(({ message }) => message),
      advice?.map(({ action }) => action),
    );
  await client.documents.rebuild(invoice.accessKey, { ...body, buyer: maria });
  invoice = await client.documents.send(invoice.accessKey);
}
//#endregion
while (invoice.status === 'PENDING_SEND' || invoice.status === 'RECEIVED') {
  await new Promise((resume) => setTimeout(resume, 200));
  invoice = await client.documents.get(invoice.accessKey);
}
console.log(invoice.status);
