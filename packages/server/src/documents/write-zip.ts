import { makeZip } from 'client-zip';
import { ecuadorTimestamp, type StoredDocument } from 'sri-core';
import type { Services } from '../platform/http/services.js';
import { type Language, type Text, tell } from '../platform/language.js';
import { AT_ONCE, type ExportScope, orNull, walkAll } from './export-documents.js';
import { inOrder } from './in-order.js';

/**
 * An archive with the XML of each document, authorized if possible, and its RIDE. Files are named by access key. A text
 * at the end lists the files that could not be made, so that the other files arrive.
 * @param withRides false leaves the RIDE out.
 */
export async function* writeZip(
  services: Services,
  wanted: ExportScope,
  { withRides, language }: { readonly withRides: boolean; readonly language: Language },
): AsyncGenerator<Uint8Array> {
  yield* archiveOf(filesOf(services, wanted, { withRides, language }));
}

/** A file of an archive. */
export interface FileOf {
  readonly name: string;
  readonly input: string | Uint8Array;
  readonly lastModified: Date;
}

/** An archive of those files, however many. */
export async function* archiveOf(files: AsyncGenerator<FileOf>): AsyncGenerator<Uint8Array> {
  let count = 0;
  const next = async () => {
    const step = await files.next();
    if (!step.done) count += 1;
    return step;
  };
  // Only this generator ends the files: the archive would throw its own error into them.
  const reader = makeZip({ [Symbol.asyncIterator]: () => ({ next }) }).getReader();
  try {
    for (let step = await reader.read(); !step.done; ) {
      const following = await reader.read();
      if (following.done && count > MOST_IN_END) yield* longEnd(step.value, count);
      yield step.value;
      step = following;
    }
  } finally {
    await files.return(undefined);
    await reader.cancel();
  }
}

// --- internal ---

/** The files that the end of an archive can count. */
const MOST_IN_END = 0xffff;

/**
 * The records that count more files (ZIP64), before the end of the archive. client-zip writes them for an archive of
 * 4 GiB, but not for many files.
 */
function* longEnd(end: Uint8Array, files: number): Generator<Uint8Array> {
  const view = Buffer.from(end);
  const [size, start] = [view.readUInt32LE(12), view.readUInt32LE(16)];
  if (start === 0xffffffff) return;
  const records = Buffer.alloc(76);
  records.writeUInt32LE(0x06064b50, 0);
  records.writeUInt32LE(44, 4);
  records.writeUInt16LE(45, 12);
  records.writeUInt16LE(45, 14);
  records.writeUInt32LE(files, 24);
  records.writeUInt32LE(files, 32);
  records.writeUInt32LE(size, 40);
  records.writeUInt32LE(start, 48);
  records.writeUInt32LE(0x07064b50, 56);
  // Both fit in 4 GiB; their sum may not.
  records.writeBigUInt64LE(BigInt(start + size), 64);
  records.writeUInt32LE(1, 72);
  yield records;
}

const MISSING_NAME: Text = { es: 'archivos-que-faltan.txt', en: 'missing-files.txt' };
const MISSING: Text = {
  es: 'Estos archivos no se pudieron generar. Pídalos uno por uno, y avise a su operador si tampoco así llegan:',
  en: 'These files could not be made. Ask for each by itself, and tell your operator if it still fails:',
};

async function* filesOf(
  services: Services,
  wanted: ExportScope,
  { withRides, language }: { readonly withRides: boolean; readonly language: Language },
): AsyncGenerator<FileOf> {
  const missing: string[] = [];
  const read = (document: StoredDocument) => readFiles(services, wanted.caller, document, withRides);
  for await (const files of inOrder(walkAll(services.engine, wanted), AT_ONCE, read)) {
    for (const { name, input, lastModified } of files) {
      if (input === null) missing.push(name);
      else yield { name, input, lastModified };
    }
  }
  if (missing.length === 0) return;
  const input = [tell(MISSING, language), ...missing, ''].join('\r\n');
  yield { name: tell(MISSING_NAME, language), input, lastModified: inEcuador(services.clock.now()) };
}

async function readFiles(services: Services, caller: string, document: StoredDocument, withRides: boolean) {
  const { engine, exportPlaces, printPatiently } = services;
  const { accessKey, updatedAt } = document;
  await exportPlaces.turn();
  const file = async (ending: string, make: () => Promise<string | Uint8Array | null>) => ({
    name: `${accessKey}.${ending}`,
    input: await orNull(services, document, make),
    lastModified: inEcuador(updatedAt),
  });
  const xml = () => engine.xml(document, accessKey);
  const ride = () => engine.ride(document, accessKey, { print: (input) => printPatiently(caller, input) });
  // Together, so that a failure of one leaves no rejection of the other without a handler.
  return Promise.all([file('xml', xml), ...(withRides ? [file('pdf', ride)] : [])]);
}

/** The moment whose time of day in the process's zone is that of Ecuador: an archive holds times without a zone. */
function inEcuador(moment: Date): Date {
  return new Date(ecuadorTimestamp(moment).slice(0, 19));
}
