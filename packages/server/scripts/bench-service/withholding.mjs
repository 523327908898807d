// Compares withholdings with three supporting documents to invoices of three lines, created over HTTP in turns on one
// server. A busy machine does not change the ratio of their rates.
import { invoiceBody, median } from './tools.mjs';

const CLIENTS = 32;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const GOAL = 0.9;

export async function run(tools) {
  for (const database of tools.databases) await measure(tools, database);
}

async function measure(tools, database) {
  const { print } = tools;
  const server = await tools.startServer(await tools.openPlace(database));
  const driver = await tools.startDriver();
  const account = await tools.openAccount(server.url, { documentTypes: '01,07' });
  const toLoad = (body) => ({
    url: server.url,
    requests: [{ path: '/v1/documents', headers: account, body }],
    connections: CLIENTS,
    seconds: SECONDS,
  });
  const [invoices, withholdings] = [toLoad(invoiceBody({ lines: 3 })), toLoad(withholdingBody())];
  for (const load of [invoices, withholdings]) await driver.drive(load);
  const rounds = [];
  for (let round = 0; round < tools.rounds; round += 1) {
    rounds.push({ invoices: await driver.drive(invoices), withholdings: await driver.drive(withholdings) });
  }
  for (const { invoices: of01, withholdings: of07 } of rounds) {
    if (of01.firstRefusal ?? of07.firstRefusal) throw new Error(of01.firstRefusal ?? of07.firstRefusal);
  }
  print(`${database}-create-invoice`, median(rounds.map((round) => round.invoices.perSecond)), 'documents/s');
  print(`${database}-create-withholding`, median(rounds.map((round) => round.withholdings.perSecond)), 'documents/s');
  const ratios = rounds.map((round) => round.withholdings.perSecond / round.invoices.perSecond);
  print(`${database}-create-withholding/invoice`, median(ratios), 'ratio', { atLeast: GOAL });
  await driver.stop();
  await server.stop();
}

/** Three invoices of 115.00, each with income tax and IVA withheld. */
function withholdingBody() {
  const supportingDocuments = [1, 2, 3].map((number) => ({
    supportCode: '01',
    documentType: '01',
    number: `001-001-00000012${number}`,
    issueDate: today(),
    payment: { location: '01' },
    taxes: [{ code: '2', rateCode: '4', rate: '15.00', taxableBase: '100.00', taxAmount: '15.00' }],
    withholdings: [
      { tax: '1', code: '312', taxableBase: '100.00', rate: '2.00', amount: '2.00' },
      { tax: '2', code: '1', taxableBase: '15.00', rate: '30.00', amount: '4.50' },
    ],
    payments: [{ method: '20', total: '115.00' }],
  }));
  return JSON.stringify({
    documentType: '07',
    subject: { idType: '04', id: '1790011674001', name: 'Suministros Andinos S.A.', email: 'cobros@example.com' },
    supportingDocuments,
  });
}

/** In Ecuador, `DD/MM/YYYY`. */
function today() {
  const [year, month, day] = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}`;
}
