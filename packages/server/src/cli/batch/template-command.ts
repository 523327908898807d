import { DOCUMENT_TYPES, DOCUMENTS, ecuadorDate } from 'sri-core';
import { type CommandOptions, flagOption, textOption, toTable, UsageError, writeOutputFile } from 'sri-core/cli';
import { readDocumentType } from '../client/typed-body.js';
import { defineServerCommand } from '../frame/command.js';
import { quoteWord } from '../frame/shell-word.js';
import { fileNameOf, templateJsonl } from './example-bodies.js';
import { findTable } from './tables/index.js';
import { describeColumns, tabulateColumns, templateCsv } from './write-template.js';

const TEMPLATE_OPTIONS = {
  jsonl: flagOption({
    es: 'Un JSONL con todos los campos, en lugar de un CSV',
    en: 'A JSONL with every field, instead of a CSV',
  }),
  out: textOption('file', { es: 'Dónde; si no, con el nombre del tipo', en: 'Where; default by the name of the type' }),
  force: flagOption({ es: 'Aunque el archivo exista', en: 'Even if the file exists' }),
} as const satisfies CommandOptions;

/** `batch template` */
export const batchTemplateCommand = defineServerCommand({
  about: {
    es: 'Escribe un archivo de ejemplo para batch issue, y muestra las columnas del tipo. Sin tipo, los lista.',
    en: 'Writes an example file for batch issue, and shows the columns of the type. Without a type, it lists them.',
  },
  args: [{ name: 'type', optional: true, description: { es: 'Como 07', en: 'Such as 07' } }],
  options: TEMPLATE_OPTIONS,
  async run({ args, options, language }) {
    if (args[0] === undefined) {
      if (options.out === null && !options.jsonl) return listTypes(language);
      throw new UsageError({
        es: 'Nombre el tipo del archivo, como 07; sin opciones, batch template los lista.',
        en: 'Name the type of the file, such as 07; without options, batch template lists them.',
      });
    }
    const code = readDocumentType(args[0]);
    const table = findTable(code);
    const today = ecuadorDate(new Date());
    const path = options.out ?? `${fileNameOf(code)}.${options.jsonl ? 'jsonl' : 'csv'}`;
    const content = options.jsonl ? templateJsonl(code, today) : templateCsv(table, today);
    await writeOutputFile(path, content, { force: options.force });
    const check = `sri-server batch issue ${quoteWord(path)} --check`;
    const columns = options.jsonl ? {} : { columns: describeColumns(table, language) };
    const unlisted = {
      es: `Sin columna, y en un JSONL (--jsonl): ${table.withoutColumn.es}.`,
      en: `Without a column, and in a JSONL (--jsonl): ${table.withoutColumn.en}.`,
    };
    return {
      json: { ok: true, file: path, documentType: code, ...columns, withoutColumn: table.withoutColumn[language] },
      text: options.jsonl ? path : `${path}\n\n${tabulateColumns(table, language)}`,
      notices: [...(options.jsonl ? [] : [unlisted]), { es: `Para revisarlo: ${check}`, en: `To check it: ${check}` }],
    };
  },
});

// --- internal ---

function listTypes(language: 'es' | 'en') {
  const types = DOCUMENT_TYPES.map((code) => ({ documentType: code, name: DOCUMENTS[code].texts.name[language] }));
  const rows = types.map(({ documentType, name }) => [documentType, name, `sri-server batch template ${documentType}`]);
  return { json: { ok: true, types }, text: toTable(['type', 'name', 'command'], rows, language) };
}
