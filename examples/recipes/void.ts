// An invoice that should never have been: annulled at the SRI's portal first, then here.
import { client, coffee, maria } from './client.ts';

//#region recipe
const { accessKey } = await client.documents.issue({
  documentType: '01',
  buyer: maria,
  items: [coffee],
  payments: [{ method: '01', total: '11.50' }],
});

const { document: voided } = await client.documents.void(accessKey, {
  confirmedSriVoid: true,
  reason: 'Emitida dos veces por error de caja',
});
console.log(voided.status);
//#endregion
