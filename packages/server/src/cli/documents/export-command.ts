import {
  CommandFailure,
  type CommandOptions,
  flagOption,
  textOption,
  toLines,
  UsageError,
  writeOutputFile,
} from 'sri-core/cli';
import { CONNECTION_OPTIONS } from '../client/connection.js';
import { withServer } from '../client/with-server.js';
import { defineServerCommand } from '../frame/command.js';
import { chooseFrom } from '../frame/read-options.js';
import { FILTER_OPTIONS, readFilter, readListConnection } from './list-command.js';

const FORMATS = ['csv', 'xlsx', 'zip'] as const;

const EXPORT_OPTIONS = {
  ...CONNECTION_OPTIONS,
  ...FILTER_OPTIONS,
  out: textOption('file', { es: 'Dónde se guarda', en: 'Where to save it' }),
  format: textOption(FORMATS.join('|'), {
    es: 'Si no, como termina el archivo. Un ZIP lleva cada XML y cada RIDE',
    en: 'Default: the ending of the file. A ZIP holds every XML and RIDE',
  }),
  'no-ride': flagOption({ es: 'Un ZIP sin los RIDE', en: 'A ZIP without the RIDEs' }),
} as const satisfies CommandOptions;

/** `documents export` */
export const exportCommand = defineServerCommand({
  about: {
    es: 'Todos los comprobantes del filtro, del más antiguo al más reciente. CSV y XLSX tienen una fila por comprobante, con\ncada base por tarifa en su columna. El archivo aparece con su nombre cuando está completo.',
    en: 'All documents of the filter, oldest first. CSV and XLSX have one row a document, with each base by rate in a column of\nits own. The file gets its name once it is whole.',
  },
  options: EXPORT_OPTIONS,
  run: async (call) => {
    const { out } = call.options;
    if (out === null) throw new UsageError({ es: 'Falta --out: el archivo.', en: '--out is missing: the file.' });
    const format = chooseFrom('--format', call.options.format ?? /\.(\w+)$/.exec(out)?.[1] ?? '', FORMATS);
    const query = { ...readFilter(call.options), format, ...(call.options['no-ride'] ? { ride: 'off' as const } : {}) };
    return withServer(readListConnection(call), async (api) => {
      const bytes = await writeOutputFile(out, arriving(await api.documents.export(query)), { force: true });
      return { json: { ok: true, file: out, bytes }, text: toLines({ file: out, bytes }, call.language) };
    });
  },
});

// --- internal ---

/** The bytes of a file as they arrive. @throws CommandFailure EXPORT_BROKEN_OFF */
async function* arriving(file: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch {
    throw new CommandFailure('EXPORT_BROKEN_OFF', {
      es: 'La conexión se cortó antes del final: no se guardó nada. Repita el comando.',
      en: 'The connection broke off before the end: nothing was saved. Repeat the command.',
    });
  }
}
