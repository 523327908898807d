import { openStorage } from './opened-storage.js';
import { invoicesOf, sampleBatch } from './sample-batches.js';

/**
 * A process that creates documents for one issuer, four at a time. It ends after its share, unless it is killed, and
 * writes each acknowledged number on its own line.
 *
 * Arguments: place of the database, id of the issuer, number of documents.
 */
const [place = '', issuerId = '', share = '0'] = process.argv.slice(2);
const counter = invoicesOf(issuerId);
const storage = await openStorage(place);
await storage.migrate();
let left = Number(share);
await Promise.all(Array.from({ length: 4 }, create));

async function create(): Promise<void> {
  while (left > 0) {
    left -= 1;
    for (;;) {
      const first = await storage.nextSequential(counter);
      const outcome = await storage.storeDocuments(sampleBatch(first, 1, counter));
      if (outcome.kind !== 'stored') continue;
      process.stdout.write(`${first}\n`);
      break;
    }
  }
}
