import { randomUUID } from 'node:crypto';
import type { Environment } from 'sri-core';
import { openStorage } from './opened-storage.js';

/**
 * A process that voids 150 documents of one issuer, 32 at a time, and then waits for its kill. It writes each
 * acknowledged number on its own line.
 *
 * Arguments: place of the database, id of the issuer.
 */
const [place = '', issuerId = ''] = process.argv.slice(2);
const scope: { readonly issuerId: string; readonly environment: Environment } = { issuerId, environment: 'sandbox' };
const storage = await openStorage(place);
const { documents } = await storage.listDocuments(scope, { status: 'SIGNED', page: 1, limit: 150 });
const left = documents.values();
await Promise.all(Array.from({ length: 32 }, change));
setInterval(() => {}, 60_000);

async function change(): Promise<void> {
  for (const document of left) {
    const at = new Date();
    const event = {
      id: randomUUID(),
      eventType: 'VOIDED',
      fromStatus: null,
      toStatus: null,
      detail: null,
      createdAt: at,
    };
    const outcome = await storage.changeDocument({
      document,
      set: { status: 'VOIDED' },
      events: [event],
      responses: [],
      at,
    });
    if (outcome === 'applied') process.stdout.write(`${document.sequential}\n`);
  }
}
