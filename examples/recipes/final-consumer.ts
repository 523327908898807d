// A sale over the counter to somebody who gives no name.
import { client, coffee } from './client.ts';

//#region recipe
const receipt = await client.documents.issue({
  documentType: '01',
  // The mail goes to an address of the shop, since the buyer gave none.
  buyer: { idType: '07', id: '9999999999999', name: 'CONSUMIDOR FINAL', email: 'caja@example.com' },
  items: [coffee],
  payments: [{ method: '01', total: '11.50' }],
});
console.log(receipt.status, receipt.authorizationNumber);
//#endregion
