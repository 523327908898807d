// An invoice that is queued, and an engine that works off what is due behind. Run: npm run examples -- work-in-the-background
import { readFile } from 'node:fs/promises';
//#region imports
import Database from 'better-sqlite3';
import { createEngine, signerFromP12 } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createSqliteStorage } from 'sri-storage-adapters';

//#endregion
const [p12Path = 'certificate.p12', password = '', folder = '.'] = process.argv.slice(2);
const json = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));
const p12 = await readFile(p12Path);
const [issuer, body] = [await json('issuer.json'), await json('invoice.json')];

//#region imports
const database = new Database(`${folder}/invoices.db`);
const storage = createSqliteStorage({ database });
await storage.migrate(); // makes the tables, or brings them up to date
const signer = await signerFromP12(p12, password);
const transport = createSimulator().handle; // undiciTransport() calls the SRI itself
//#endregion

//#region engine
const engine = createEngine({ storage, transport, issuers: [{ id: 'main', ...issuer, signer }] });
const scope = { issuerId: 'main', environment: 'sandbox' } as const;
//#endregion
const authorized = new Promise((resolve) => engine.on('authorized', resolve));
//#region engine

engine.on('authorized', ({ document }) => console.log(document.accessKey));
engine.start(); // works off what is due, until engine.stop()
const { document, warnings } = await engine.create(scope, body, { idempotencyKey: 'order-1001' });
await engine.send(scope, document.accessKey); // queued: PENDING_SEND
//#endregion
console.log(warnings);
await authorized;
//#region end
const { status } = await engine.get(scope, document.accessKey); // AUTHORIZED
const pdf = await engine.ride(scope, document.accessKey);
const xml = await engine.xml(scope, document.accessKey); // as it has to be archived

await engine.stop(); // when the program ends: waits for what is under way
database.close();
//#endregion
console.log(status, pdf.length, xml?.length);
