// What was issued in a month, for the accountant.
import { writeFile } from 'node:fs/promises';
import { client } from './client.ts';

//#region recipe
const [month = '11/2026', folder = '.'] = process.argv.slice(2);
const [mm = '', yyyy = ''] = month.split('/');
const lastDay = new Date(Date.UTC(Number(yyyy), Number(mm), 0)).getUTCDate();
const rows = ['fecha;tipo;número;clave;autorización;total;estado'];
for await (const document of client.documents.list({ from: `01/${month}`, to: `${lastDay}/${month}` })) {
  const { issueDate, documentType, accessKey, authorizationNumber = '', total, status } = document;
  rows.push(
    [issueDate, documentType, accessKey.slice(24, 39), accessKey, authorizationNumber, total, status].join(';'),
  );
}
await writeFile(`${folder}/documentos-${mm}-${yyyy}.csv`, `\uFEFF${rows.join('\r\n')}\r\n`);
console.log(`${rows.length - 1} documents`);
//#endregion
