// A file of sales becomes authorized invoices. Cut off in the middle and run again, it goes on where it was: the order's
// number is the idempotency key. Run: npm run examples -- issue-from-csv
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { uncheckedBody } from 'sri-core';
import { openEngine, SCOPE } from './shop/engine.ts';

const [p12Path = '', password = '', folder = '.'] = process.argv.slice(2);
const engine = await openEngine([p12Path, password, folder]);
const rows: Record<string, string>[] = parse(await readFile(new URL('sales.csv', import.meta.url)), {
  columns: true,
  bom: true,
});

for (const row of rows) {
  const body = {
    documentType: '01',
    buyer: { idType: row['idType'], id: row['id'], name: row['name'], email: row['email'] },
    items: [
      {
        mainCode: row['code'],
        description: row['description'],
        quantity: row['quantity'],
        unitPrice: row['unitPrice'],
        taxes: [{ code: '2', rateCode: '4', rate: '15' }],
      },
    ],
    payments: [{ method: '01' }],
  };
  const { document } = await engine.issue(SCOPE, uncheckedBody(body), { idempotencyKey: `order-${row['order']}` });
  await writeFile(`${folder}/order-${row['order']}.pdf`, await engine.ride(SCOPE, document.accessKey));
  console.log(row['order'], document.status, document.total);
}
await engine.stop();
