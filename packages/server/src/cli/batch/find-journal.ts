import { CommandFailure } from 'sri-core/cli';
import type { IssuerConnection } from '../client/connection.js';
import type { BatchFile } from './batch-entry.js';
import type { BatchCall } from './batch-options.js';
import { batchId, beginJournal, type Journal, openJournal } from './journal.js';

/** Which batch is wanted. */
export interface JournalRequest {
  readonly bytes: Uint8Array;
  readonly file: BatchFile;
  readonly connection: IssuerConnection;
  readonly call: BatchCall;
}

/**
 * The journal to go on with, or a new one.
 *
 * @throws CommandFailure BATCH_BEGUN, BATCH_OF_ANOTHER_ISSUER, ISSUED_ROWS_CHANGED: going on would not be what was meant.
 */
export async function findJournal(path: string, { bytes, file, connection, call }: JournalRequest): Promise<Journal> {
  const { url, issuerId, apiKey } = connection;
  const { batch, resume } = call.options;
  const environment = apiKey.includes('_live_') ? 'production' : 'sandbox';
  const journalPath = `${path}.${batch === null ? '' : `${batch.replace(/[^\w-]+/g, '_')}.`}${environment}.journal`;
  const found = await openJournal(journalPath);
  if (!found) {
    const id = batchId(bytes, batch ?? '');
    return beginJournal(journalPath, { id, url, issuerId, startedAt: new Date().toISOString() });
  }
  const name = JSON.stringify(journalPath);
  if (!resume) {
    throw new CommandFailure('BATCH_BEGUN', {
      es: `Este archivo ya se empezó a emitir (${name}). Para seguir: --resume. Para emitirlo todo otra vez, a propósito: --batch <nombre>.`,
      en: `This file was begun already (${name}). To go on: --resume. To issue all of it once more, on purpose: --batch <name>.`,
    });
  }
  // An issuer's id is its own everywhere, and a server may move to another address.
  if (found.head.issuerId !== issuerId) {
    throw new CommandFailure('BATCH_OF_ANOTHER_ISSUER', {
      es: `El diario ${name} es de otro emisor o servidor (${found.head.url}): seguirlo aquí emitiría dos veces.`,
      en: `The journal ${name} is of another issuer or server (${found.head.url}): going on here would issue twice.`,
    });
  }
  const present = new Set(file.entries.map(({ identity }) => identity));
  const gone = [...found.entries].filter(([identity]) => !present.has(identity)).flatMap(([, { lines }]) => lines);
  if (gone.length > 0 && !call.options['allow-changed-rows']) {
    const lines = gone.slice(0, 10).join(', ');
    throw new CommandFailure('ISSUED_ROWS_CHANGED', {
      es: `${gone.length} filas que ya se emitieron cambiaron o no están (eran las líneas ${lines}). Si las editó, se emitirían otra vez: devuélvalas como estaban. Si las quitó, agregue --allow-changed-rows.`,
      en: `${gone.length} rows that were issued have changed or are gone (they were lines ${lines}). If you edited them they would be issued again: put them back. If you removed them, add --allow-changed-rows.`,
    });
  }
  return found;
}
