import { type CommandOptions, flagOption, textOption, UsageError, writeOutputFile } from 'sri-core/cli';
import { describeEverything } from '../all-routes.js';
import { defineServerCommand } from './frame/command.js';

const OPENAPI_OPTIONS = {
  out: textOption('file', { es: 'La escribe en ese archivo', en: 'Write it to that file' }),
  force: flagOption({ es: 'Aunque el archivo ya exista', en: 'Even if the file exists already' }),
  url: textOption('address', {
    es: 'Dirección del servidor; si no, BASE_URL o http://localhost:3000',
    en: 'Address of the server; default BASE_URL or http://localhost:3000',
  }),
} as const satisfies CommandOptions;

/** `openapi` */
export const openapiCommand = defineServerCommand({
  about: {
    es: 'OpenAPI 3.1 en JSON, hecha de las mismas reglas con que el servidor lee. No necesita servidor ni base de datos.\nIncluye las rutas del operador. Un servidor en marcha da la suya en /openapi.json.',
    en: 'OpenAPI 3.1 in JSON, made from the very rules by which the server reads. Needs neither server nor database.\nHas the routes of the operator, too. A running server gives its own at /openapi.json.',
  },
  options: OPENAPI_OPTIONS,
  async run({ options: { out, force, url }, env }) {
    const baseUrl = readAddress(url ?? (env['BASE_URL']?.trim() || 'http://localhost:3000'));
    const description = describeEverything({ baseUrl, docsUrl: `${baseUrl}/docs` });
    if (out === null) return { json: description, text: JSON.stringify(description, null, 2) };
    await writeOutputFile(out, `${JSON.stringify(description, null, 2)}\n`, { force });
    return { json: { ok: true, file: out }, text: out };
  },
});

// --- internal ---

function readAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new UsageError({
      es: 'La dirección es como https://facturas.example.com.',
      en: 'The address is like https://invoices.example.com.',
    });
  }
  return text.replace(/\/+$/, '');
}
