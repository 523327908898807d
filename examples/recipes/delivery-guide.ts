// Goods go to a buyer, with the invoice of the sale as support.
import { client, coffee, maria } from './client.ts';

//#region recipe
const { accessKey: invoiceKey } = await client.documents.issue({
  documentType: '01',
  buyer: maria,
  items: [coffee],
  payments: [{ method: '01', total: '11.50' }],
});
const invoice = await client.documents.get(invoiceKey);
const guide = await client.documents.issue({
  documentType: '06',
  carrier: { idType: '05', id: '1710034065', name: 'José Peña', email: 'carga@example.com' },
  licensePlate: 'PBA1234',
  departureAddress: 'Calle Loja 5-20, Cuenca',
  // Today, the issue date, is the earliest day.
  startDate: invoice.issueDate,
  endDate: invoice.issueDate,
  recipients: [
    {
      id: maria.id,
      name: maria.name,
      address: 'Av. 10 de Agosto N10-20, Quito',
      email: maria.email,
      reason: 'Venta',
      supportingDocument: {
        documentType: '01',
        number: invoiceKey.slice(24, 39).replace(/^(...)(...)/, '$1-$2-'),
        authorizationNumber: invoiceKey,
        issueDate: invoice.issueDate,
      },
      items: [{ mainCode: coffee.mainCode, description: coffee.description, quantity: coffee.quantity }],
    },
  ],
});
console.log(guide.status, guide.authorizationNumber);
//#endregion
