// What was issued in a month, for the accountant.
import { writeFile } from 'node:fs/promises';
import { client } from './client.ts';

//#region recipe
const [month = '11/2026', folder = '.'] = process.argv.slice(2);
const [mm = '', yyyy = ''] = month.split('/');
const lastDay = new Date(Date.UTC(Number(yyyy), Number(mm), 0)).getUTCDate();
const file = await client.documents.export({
  format: 'xlsx',
  issuerId: 'all', // every branch and issue point
  from: `01/${month}`,
  to: `${lastDay}/${month}`,
});
await writeFile(`${folder}/documentos-${mm}-${yyyy}.xlsx`, file);
//#endregion
