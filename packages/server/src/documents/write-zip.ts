import { ecuadorTimestamp, type Language, type LocalizedText, type StoredDocument, translate } from 'sri-core';
import type { Services } from '../platform/http/services.js';
import { type ArchivedFile, archiveOf } from './archive.js';
import { AT_ONCE, type ExportScope, orNull, walkAll } from './export-documents.js';
import { inOrder } from './in-order.js';

/**
 * An archive with the XML of each document, authorized if possible, and its RIDE. Files are named by access key. A text
 * at the end lists the files that could not be made, so that the other files arrive.
 * @param withRides false leaves the RIDE out.
 */
export function writeZip(
  services: Services,
  wanted: ExportScope,
  { withRides, language }: { readonly withRides: boolean; readonly language: Language },
): AsyncGenerator<Uint8Array> {
  return archiveOf(filesOf(services, wanted, { withRides, language }));
}

// --- internal ---

const MISSING_NAME: LocalizedText = { es: 'archivos-que-faltan.txt', en: 'missing-files.txt' };
const MISSING: LocalizedText = {
  es: 'Estos archivos no se pudieron generar. Pídalos uno por uno, y avise a su operador si tampoco así llegan:',
  en: 'These files could not be made. Ask for each by itself, and tell your operator if it still fails:',
};

async function* filesOf(
  services: Services,
  wanted: ExportScope,
  { withRides, language }: { readonly withRides: boolean; readonly language: Language },
): AsyncGenerator<ArchivedFile> {
  const missing: string[] = [];
  const read = (document: StoredDocument) => readFiles(services, wanted.caller, document, withRides);
  for await (const files of inOrder(walkAll(services.engine, wanted), AT_ONCE, read)) {
    for (const { name, input, lastModified } of files) {
      if (input === null) missing.push(name);
      else yield { name, input, lastModified };
    }
  }
  if (missing.length === 0) return;
  const input = [translate(MISSING, language), ...missing, ''].join('\r\n');
  yield { name: translate(MISSING_NAME, language), input, lastModified: inEcuador(services.clock.now()) };
}

async function readFiles(services: Services, caller: string, document: StoredDocument, withRides: boolean) {
  const { engine, printPatiently } = services;
  const { accessKey, updatedAt } = document;
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

/** The moment with the time of day of Ecuador in the process's zone, since an archive has times without a zone. */
function inEcuador(moment: Date): Date {
  return new Date(ecuadorTimestamp(moment).slice(0, 19));
}
