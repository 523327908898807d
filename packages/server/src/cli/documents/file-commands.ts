import { RIDE_FORMATS } from 'sri-core';
import {
  type CommandOptions,
  type CommandResult,
  textOption,
  toLines,
  UsageError,
  writeOutputFile,
} from 'sri-core/cli';
import { CONNECTION_OPTIONS, readIssuerConnection } from '../client/connection.js';
import { KEY_ARGUMENT, requireAccessKey } from '../client/documents.js';
import { withServer } from '../client/with-server.js';
import { defineServerCommand, type ServerCall } from '../frame/command.js';
import { chooseFrom } from '../frame/read-options.js';

const OUT_OPTION = {
  out: textOption('file', {
    es: 'Dónde se guarda; si no, la salida estándar',
    en: 'Where to save it; default standard output',
  }),
} as const satisfies CommandOptions;

const VARIANTS = ['authorized', 'signed'] as const;

/** `documents xml` */
export const xmlCommand = defineServerCommand({
  about: {
    es: 'La autorización del SRI con el comprobante dentro, que es lo que se guarda; si no la hay, el comprobante firmado.',
    en: 'The SRI’s authorization with the comprobante inside, which is what to keep; without one, the signed comprobante.',
  },
  args: [KEY_ARGUMENT],
  options: {
    ...CONNECTION_OPTIONS,
    ...OUT_OPTION,
    variant: textOption(VARIANTS.join('|'), { es: 'Solo esa forma', en: 'Only that form' }),
  },
  run: (call) => {
    const accessKey = requireAccessKey(call.args[0]);
    const { variant: given, out } = call.options;
    const variant = given === null ? {} : { variant: chooseFrom('--variant', given, VARIANTS) };
    return withServer(readIssuerConnection(call), async (api) => {
      const response = await api.open('downloadXml', { params: { accessKey }, query: variant });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return out === null && call.json
        ? { json: { ok: true, accessKey, xml: new TextDecoder().decode(bytes) }, text: '' }
        : hand(call, accessKey, bytes);
    });
  },
});

/** `documents ride` */
export const rideCommand = defineServerCommand({
  args: [KEY_ARGUMENT],
  options: {
    ...CONNECTION_OPTIONS,
    ...OUT_OPTION,
    format: textOption(RIDE_FORMATS.join('|'), {
      es: 'El papel: A4, o un rollo de 80 mm',
      en: 'The paper: A4, or a roll of 80 mm',
    }),
  },
  run: async (call) => {
    const accessKey = requireAccessKey(call.args[0]);
    const { format: given, out } = call.options;
    const format = given === null ? {} : { format: chooseFrom('--format', given, RIDE_FORMATS) };
    // The bytes of a PDF are neither for a screen nor for JSON.
    if (out === null && (call.json || call.terminal.isOutputWatched)) throw new UsageError(NEEDS_OUT);
    return withServer(readIssuerConnection(call), async (api) =>
      hand(call, accessKey, await api.documents.ride(accessKey, format)),
    );
  },
});

// --- internal ---

const NEEDS_OUT = {
  es: 'El RIDE es un PDF: nombre un archivo con --out.',
  en: 'The RIDE is a PDF: name a file with --out.',
};

/** Saves a file at the requested path, or writes it to the standard output. */
async function hand(
  { options: { out }, terminal, language }: ServerCall<typeof OUT_OPTION>,
  accessKey: string,
  bytes: Uint8Array,
): Promise<CommandResult> {
  if (out === null) {
    terminal.write(bytes);
    return { json: null, text: '' };
  }
  const size = await writeOutputFile(out, bytes, { force: true });
  return { json: { ok: true, accessKey, file: out, bytes: size }, text: toLines({ file: out, bytes: size }, language) };
}
