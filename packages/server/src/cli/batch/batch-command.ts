import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { translate } from 'sri-core';
import { CommandFailure, readInputFile, readWhole, toText, UsageError } from 'sri-core/cli';
import type { Client, Document } from 'sri-core/client';
import { readIssuerConnection } from '../client/connection.js';
import { outcomeOf, saveFiles } from '../client/documents.js';
import { readDocumentType } from '../client/typed-body.js';
import { withServer } from '../client/with-server.js';
import { defineServerCommand } from '../frame/command.js';
import { type BatchEntry, digestOf } from './batch-entry.js';
import { BATCH_OPTIONS } from './batch-options.js';
import { conclude, describeResult, interrupted, reportCheck } from './batch-report.js';
import { type Judgement, judgeEntry } from './check-entries.js';
import { readCsvFile } from './csv-file.js';
import { findJournal, findParentJournal } from './find-journal.js';
import { type EntryResult, issueEntries } from './issue-entries.js';
import { readJsonlFile } from './jsonl-file.js';
import { readOriginRows } from './origin-rows.js';
import { createProgress } from './progress.js';

/** `batch issue` */
export const batchIssueCommand = defineServerCommand({
  about: {
    es: [
      'CSV: la primera línea nombra las columnas, que cambian con el tipo (batch template las muestra); se admite lo que guarda',
      'Excel: punto y coma, coma decimal, fechas 21/11/2026, BOM. Filas con la misma referencia son un comprobante. Es de',
      'facturas si ni --type ni una columna tipo_comprobante dicen otra cosa. JSONL: en cada línea, el JSON de un comprobante.',
      'Junto al archivo queda un diario (.journal). Repetir el comando, también tras un corte, no emite nada dos veces.',
      'Las filas con errores quedan en <archivo>.errors.csv. Termina en 1 si algo no quedó autorizado.',
    ].join('\n'),
    en: [
      'CSV: the first line names the columns, which depend on the type (batch template shows them); what Excel saves is taken:',
      'semicolons, decimal commas, dates like 21/11/2026, BOM. Rows with the same reference are one document. It holds',
      'invoices unless --type or a column document_type says otherwise. JSONL: the JSON of a document on each line.',
      'A journal (.journal) is kept next to the file. Repeating the command, after a crash too, issues nothing twice.',
      'Rows with errors go to <file>.errors.csv. Ends with 1 when something was not authorized.',
    ].join('\n'),
  },
  args: [
    {
      name: 'file',
      description: { es: 'Termina en .csv, .txt, .jsonl o .ndjson', en: 'Ends with .csv, .txt, .jsonl or .ndjson' },
    },
  ],
  options: BATCH_OPTIONS,
  async run(call) {
    const path = call.args[0] ?? '';
    const isJson = /\.(jsonl|ndjson)$/i.test(path);
    if (!isJson && !/\.(csv|txt|tsv)$/i.test(path)) throw new UsageError(ENDING);
    const parallel = readWhole('--parallel', call.options.parallel ?? '16', 1, 256);
    const timeoutMs = readWhole('--timeout', call.options.timeout ?? '120', 1, 86_400) * 1000;
    const connection = call.options.check ? null : readIssuerConnection(call);
    const bytes = await readInputFile(path, { maxBytes: MAX_FILE_BYTES });
    const text = decode(bytes, path, call.options.encoding);
    const documentType = call.options.type === null ? null : readDocumentType(call.options.type);
    const file = isJson ? readJsonlFile(text, documentType) : readCsvFile(text, { documentType });
    const judged = new Map(file.entries.map((entry) => [entry, judgeEntry(entry, call.language)]));
    if (!connection) return reportCheck(file, judged, call);

    const request = { bytes, file, connection, call };
    const journal = await findJournal(path, request);
    const origins = readOriginRows(await findParentJournal(path, request), basename(path));
    /** The reason why an entry is not issued. The row of an issued document is valid, whatever today's rules say. */
    function refuse(entry: BatchEntry): string | null {
      if (journal.entries.has(entry.identity)) return null;
      const issued = origins.findIssued(entry);
      return issued === null ? (judged.get(entry)?.fault ?? null) : translate(issued, call.language);
    }
    const refused = new Map(file.entries.map((entry) => [entry, refuse(entry)]));
    const good = file.entries.filter((entry) => refused.get(entry) === null);
    const results: EntryResult[] = file.entries.flatMap((entry) => {
      const why = refused.get(entry) ?? null;
      return why === null ? [] : [{ kind: 'rejected', entry, why }];
    });
    const warningsOf = (entry: BatchEntry): Judgement['warnings'] => judged.get(entry)?.warnings ?? [];
    const progress = createProgress(call.terminal, good.length, call.json);
    for (const folder of [call.options.ride, call.options.xml]) {
      if (folder !== null) await mkdir(folder, { recursive: true });
    }
    const stop = call.terminal.stopSignal();
    try {
      await withServer(connection, (api) =>
        issueEntries(good, {
          api,
          journal,
          origins,
          parallel,
          timeoutMs,
          stop,
          async onResult(result) {
            results.push(result);
            if (result.kind === 'issued') await saveIn(call.options, result.document, api);
            progress.step(describeResult(result, { language: call.language, warnings: warningsOf(result.entry) }));
          },
        }),
      );
    } catch (error) {
      progress.end();
      if (error instanceof CommandFailure) throw interrupted(error, { call, file, journal });
      throw error;
    }
    progress.end();
    const rejected = results.filter(({ kind }) => kind === 'rejected').map(({ entry }) => entry);
    const reached = new Set(results.map(({ entry }) => entry.identity));
    await journal.noteRejections(
      new Map([
        // A stopped run says nothing of the rows that it did not reach.
        ...[...journal.rejections].filter(([identity]) => stop.aborted && !reached.has(identity)),
        ...rejected.map((entry) => [entry.identity, { lines: entry.lines, digest: digestOf(entry) }] as const),
      ]),
    );
    return conclude({ call, path, file, results, warningsOf, stopped: stop.aborted });
  },
});

// --- internal ---

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const ENDING = {
  es: 'El archivo termina en .csv, .txt, .jsonl o .ndjson. De Excel: Guardar como → «CSV UTF-8».',
  en: 'The file ends with .csv, .txt, .jsonl or .ndjson. From Excel: Save as → «CSV UTF-8».',
};

function decode(bytes: Buffer, path: string, encoding: string | null): string {
  if (encoding === null || /^utf-?8$/i.test(encoding)) return decodeUtf8(bytes, path);
  if (/^(windows-1252|latin1|iso-8859-1)$/i.test(encoding)) return new TextDecoder('windows-1252').decode(bytes);
  throw new UsageError({ es: '--encoding es utf-8 o windows-1252.', en: '--encoding is utf-8 or windows-1252.' });
}

/** Old versions of Excel save in the encoding of Windows, and the file does not name it. */
function decodeUtf8(bytes: Buffer, path: string): string {
  try {
    return toText(bytes, path);
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== 'FILE_NOT_UTF8') throw error;
    throw new CommandFailure(error.code, {
      es: `${translate(error.words, 'es')} Si lo guardó como «CSV» a secas: --encoding windows-1252.`,
      en: `${translate(error.words, 'en')} If it was saved as plain «CSV»: --encoding windows-1252.`,
    });
  }
}

/** Saves the files of an authorized document under its access key. @param folders null for a file that is not saved */
async function saveIn(
  { ride, xml }: { readonly ride: string | null; readonly xml: string | null },
  document: Document,
  api: Client,
): Promise<void> {
  if (outcomeOf(document) !== 'authorized') return;
  const placeIn = (folder: string | null, ending: string) => folder && join(folder, `${document.accessKey}.${ending}`);
  await saveFiles(api, document, { ride: placeIn(ride, 'pdf'), xml: placeIn(xml, 'xml') });
}
