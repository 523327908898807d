import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAccessKey } from '../../access-key.js';
import { readComprobante } from '../../documents/read-comprobante.js';
import type { Comprobante } from '../../documents/registry.js';
import { CommandFailure, codeOf } from '../failure.js';
import { writeOutputFile } from '../output-file.js';
import { hasDocument, type ReceivedVerdict } from './outcome.js';

/** The folder of the received documents. Every file in it is complete, even after a crash. */
export interface ReceivedFolder {
  /** The verdicts of an earlier run with a document whose files are all there, by key. */
  readonly settled: ReadonlyMap<string, ReceivedVerdict>;
  /** The document of a key as it was saved. @throws XmlError */
  readDocument(accessKey: string): Promise<Comprobante>;
  /** Saves the files of a key. */
  saveDocument(accessKey: string, files: { readonly xml: string; readonly pdf: Uint8Array }): Promise<void>;
  /** Keeps a verdict, after the files of its key. */
  note(verdict: ReceivedVerdict): Promise<void>;
  /** Saves the table. @returns its path */
  saveTable(text: string): Promise<string>;
}

/**
 * Opens the folder, and creates a missing one.
 *
 * @param resume continues the run that the folder holds.
 * @throws CommandFailure FOLDER_IN_USE, FOLDER_NOT_WRITABLE
 */
export async function openReceivedFolder(path: string, resume: boolean): Promise<ReceivedFolder> {
  return refuseFaults(path, async () => {
    await mkdir(path, { recursive: true });
    const names = await readdir(path);
    if (names.includes(JOURNAL) && !resume) throw inUse(path);
    // A run that was killed leaves these behind.
    for (const name of names.filter((each) => PARTIAL.test(each))) await rm(join(path, name), { force: true });
    const settled = names.includes(JOURNAL)
      ? await readJournal(path, new Set(names))
      : new Map<string, ReceivedVerdict>();
    // A line that was cut off must not swallow the next one.
    await appendFile(join(path, JOURNAL), '\n');
    return createFolder(path, settled);
  });
}

// --- internal ---

const JOURNAL = 'recibidos.jsonl';
const TABLE = 'recibidos.csv';
const PARTIAL = /^(\d{49}\.(xml|pdf)|recibidos\.csv)\.\w{8}\.part$/;

function inUse(path: string): CommandFailure {
  const name = JSON.stringify(path);
  return new CommandFailure('FOLDER_IN_USE', {
    es: `La carpeta ${name} ya tiene comprobantes recibidos. Para continuar, agregue --resume; si no, nombre otra.`,
    en: `The folder ${name} holds received documents already. To go on with them add --resume; else name another one.`,
  });
}

/** The result of `work`; a failed system call is a failure of the folder. */
async function refuseFaults<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = codeOf(error);
    const name = JSON.stringify(path);
    throw new CommandFailure('FOLDER_NOT_WRITABLE', {
      es: `En la carpeta ${name} no se puede escribir (${code}).`,
      en: `The folder ${name} cannot be written to (${code}).`,
    });
  }
}

function createFolder(path: string, settled: ReadonlyMap<string, ReceivedVerdict>): ReceivedFolder {
  return {
    settled,
    readDocument: (accessKey) => readSaved(path, accessKey),
    async saveDocument(accessKey, { xml, pdf }) {
      await writeOutputFile(join(path, `${accessKey}.xml`), xml, { force: true });
      await writeOutputFile(join(path, `${accessKey}.pdf`), pdf, { force: true });
    },
    note: (verdict) => refuseFaults(path, () => appendFile(join(path, JOURNAL), `${JSON.stringify(verdict)}\n`)),
    async saveTable(text) {
      await writeOutputFile(join(path, TABLE), text, { force: true });
      return join(path, TABLE);
    },
  };
}

/** The last verdict with a document of each key. Lines that were cut off are passed over. */
async function readJournal(path: string, names: ReadonlySet<string>): Promise<Map<string, ReceivedVerdict>> {
  const settled = new Map<string, ReceivedVerdict>();
  for (const line of (await readFile(join(path, JOURNAL), 'utf8')).split('\n')) {
    const verdict = readVerdict(line);
    if (!verdict || !hasDocument(verdict)) continue;
    const { accessKey } = verdict;
    // Another program may have damaged or emptied the XML.
    const isWhole = names.has(`${accessKey}.pdf`) && (await readSaved(path, accessKey).catch(() => null)) !== null;
    if (isWhole) settled.set(accessKey, verdict);
  }
  return settled;
}

async function readSaved(path: string, accessKey: string): Promise<Comprobante> {
  return readComprobante(await readFile(join(path, `${accessKey}.xml`), 'utf8'));
}

function readVerdict(line: string): ReceivedVerdict | null {
  try {
    const verdict: ReceivedVerdict | null = JSON.parse(line);
    return verdict && isAccessKey(String(verdict.accessKey)) ? verdict : null;
  } catch {
    return null;
  }
}
