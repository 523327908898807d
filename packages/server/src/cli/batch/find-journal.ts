import { CommandFailure } from 'sri-core/cli';
import type { IssuerConnection } from '../client/connection.js';
import { type BatchFile, digestOf } from './batch-entry.js';
import { type BatchCall, typedCommand } from './batch-options.js';
import { batchId, beginJournal, type Journal, openJournal } from './journal.js';

/** Which batch to find. */
export interface JournalRequest {
  readonly bytes: Uint8Array;
  readonly file: BatchFile;
  readonly connection: IssuerConnection;
  readonly call: BatchCall;
}

/**
 * The journal to resume, or a new one.
 * @throws CommandFailure BATCH_BEGUN, BATCH_OF_ANOTHER_ISSUER, ISSUED_ROWS_CHANGED: resuming would not do what the user
 * means.
 */
export async function findJournal(path: string, { bytes, file, connection, call }: JournalRequest): Promise<Journal> {
  const { url, issuerId, apiKey } = connection;
  const { batch, resume } = call.options;
  const journalPath = journalPathOf(path, { apiKey, batch });
  const found = await openJournal(journalPath);
  if (!found) {
    const id = batchId(bytes, batch ?? '');
    const { ride, xml } = call.options;
    return beginJournal(journalPath, { id, url, issuerId, startedAt: new Date().toISOString(), ride, xml });
  }
  const name = JSON.stringify(journalPath);
  // If nothing was issued yet, as when no server answered, no check is needed.
  if (!resume && found.entries.size > 0) {
    const { ride, xml } = found.head;
    const go = typedCommand(call, { begun: { ride, xml } });
    throw new CommandFailure('BATCH_BEGUN', {
      es: `Este archivo ya se empezó a emitir (${name}).\n  Para seguir: ${go}\n  Para emitirlo todo otra vez, a propósito: --batch <nombre>`,
      en: `This file was begun already (${name}).\n  To go on: ${go}\n  To issue all of it once more, on purpose: --batch <name>`,
    });
  }
  // An issuer's id is unique everywhere, and a server may move to another address.
  if (found.head.issuerId !== issuerId) {
    // A first call may have named an issuer that does not exist.
    const isEmpty = found.entries.size === 0;
    throw new CommandFailure('BATCH_OF_ANOTHER_ISSUER', {
      es: `El diario ${name} es de otro emisor o servidor (${found.head.url}): seguirlo aquí emitiría dos veces.${isEmpty ? ' No anota ningún comprobante: bórrelo si sabe que nada se emitió con él.' : ''}`,
      en: `The journal ${name} is of another issuer or server (${found.head.url}): going on here would issue twice.${isEmpty ? ' It notes no document: delete it if you know that nothing was issued with it.' : ''}`,
    });
  }
  const changed = file.entries.filter((entry) => {
    const issued = found.entries.get(entry.identity);
    return issued !== undefined && issued.digest !== digestOf(entry);
  });
  if (changed.length > 0) {
    const lines = listed(changed.flatMap((entry) => entry.lines));
    const names = listed(changed.map(({ reference }) => reference ?? ''));
    throw new CommandFailure('ISSUED_ROWS_CHANGED', {
      es: `Se editaron filas de comprobantes que ya se emitieron: ${names} (líneas ${lines}). Lo emitido no cambia con el archivo: devuélvalas como estaban. Lo que está mal en un comprobante emitido se corrige con otro (una factura, con una nota de crédito) o se anula, y lo nuevo lleva otra referencia.`,
      en: `Rows of documents that were issued have been edited: ${names} (lines ${lines}). What was issued does not change with the file: put them back. What is wrong in an issued document is mended with another one (an invoice, with a credit note) or voided, and what is new gets another reference.`,
    });
  }
  const present = new Set(file.entries.map(({ identity }) => identity));
  const missing = [...found.entries].filter(([identity]) => !present.has(identity)).map(([, entry]) => entry);
  const gone = missing.flatMap(({ lines }) => lines);
  if (gone.length > 0 && !call.options['allow-changed-rows']) {
    const lines = listed(gone);
    const elsewhere = [...new Set(missing.flatMap(({ mendedIn = [] }) => mendedIn))].join(', ');
    throw new CommandFailure('ISSUED_ROWS_CHANGED', {
      es: `Filas que ya se emitieron y cambiaron o no están: ${gone.length} (líneas de antes: ${lines}${elsewhere && `; se emitieron corregidas desde ${elsewhere}`}). Si las editó, se emitirían otra vez: devuélvalas como estaban. Si las quitó, agregue --allow-changed-rows.`,
      en: `Rows that were issued and have changed or are gone: ${gone.length} (former lines: ${lines}${elsewhere && `; they were issued mended from ${elsewhere}`}). If you edited them they would be issued again: put them back. If you removed them, add --allow-changed-rows.`,
    });
  }
  return found;
}

/**
 * The journal of the file that a file of errors was made from; null for any other file, or if that journal is missing.
 * @throws CommandFailure JOURNAL_INVALID
 */
export async function findParentJournal(path: string, { connection, call }: JournalRequest): Promise<Journal | null> {
  const parent = path.replace(/\.errors(\.\w+)$/, '$1');
  if (parent === path) return null;
  const { apiKey, issuerId } = connection;
  const found = await openJournal(journalPathOf(parent, { apiKey, batch: call.options.batch }));
  return found?.head.issuerId === issuerId ? found : null;
}

// --- internal ---

function journalPathOf(
  path: string,
  { apiKey, batch }: { readonly apiKey: string; readonly batch: string | null },
): string {
  const environment = apiKey.includes('_live_') ? 'production' : 'sandbox';
  return `${path}.${batch === null ? '' : `${batch.replace(/[^\w-]+/g, '_')}.`}${environment}.journal`;
}

function listed(words: readonly (string | number)[]): string {
  return `${words.slice(0, 10).join(', ')}${words.length > 10 ? ', …' : ''}`;
}
