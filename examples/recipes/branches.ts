// A second branch: its own numbers, the same certificate.
import { client, coffee, maria } from './client.ts';

//#region recipe
const [head] = await client.issuers.list();
const quito = await client.issuers.create({
  sourceIssuerId: head?.id ?? '',
  branchCode: '002',
  issuePointCode: '001',
  branchAddress: 'Av. Amazonas N24-03, Quito',
  documentTypes: ['01'],
});
const invoice = await client.documents.issue(
  { documentType: '01', buyer: maria, items: [coffee], payments: [{ method: '01', total: '11.50' }] },
  { issuerId: quito.id },
);
console.log(invoice.accessKey.slice(24, 39), invoice.status);
//#endregion
