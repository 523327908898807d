import { type DocumentType, documentTypeOf, type IsoDate, parseAccessKey, toIsoDate } from 'sri-core';
import { type CliText, flagOption, textOption, UsageError } from 'sri-core/cli';
import type { Document } from 'sri-core/client';
import { fillSums } from '../../documents/fill-sums.js';
import { formatAmount } from '../../platform/formats.js';
import { CONNECTION_OPTIONS, readIssuerConnection } from '../client/connection.js';
import { KEY_ARGUMENT, requireAccessKey } from '../client/documents.js';
import { readBodyFile } from '../client/typed-body.js';
import { withServer } from '../client/with-server.js';
import { defineServerCommand } from '../frame/command.js';
import { type Intent, requireConfirmation, YES_OPTION } from '../frame/confirmation.js';
import { describeDocument, numberOf } from './document-words.js';

/** `documents void` */
export const voidCommand = defineServerCommand({
  about: {
    es: 'Primero se anula en el portal del SRI; aquí se anota que ya se hizo. Muestra qué pasará y pide el número.',
    en: 'First it is annulled in the SRI’s portal; here one notes that this was done. Shows what will happen, and asks\nfor the number.',
  },
  args: [KEY_ARGUMENT],
  options: {
    ...CONNECTION_OPTIONS,
    ...YES_OPTION,
    reason: textOption('text', { es: 'Por qué se anula', en: 'Why it is voided' }),
  },
  run: (call) => {
    const accessKey = requireAccessKey(call.args[0]);
    const { reason } = call.options;
    if (reason === null || reason.trim() === '')
      throw new UsageError({ es: 'Falta --reason: por qué se anula.', en: '--reason is missing: why it is voided.' });
    return withServer(readIssuerConnection(call), async (api) => {
      await requireConfirmation(call, async () => voidIntent(await api.documents.get(accessKey)));
      const { document, advice } = await api.documents.void(accessKey, { confirmedSriVoid: true, reason });
      return {
        json: { ok: true, document, ...(advice === null ? {} : { advice }) },
        text: [describeDocument(document, call.language), ...(advice === null ? [] : ['', advice])].join('\n'),
      };
    });
  },
});

/** `documents rebuild` */
export const rebuildCommand = defineServerCommand({
  about: {
    es: 'Un comprobante que el SRI devolvió se firma otra vez, con el mismo número. El archivo es el cuerpo corregido, entero;\nsin él vale el que tuvo. Después: sri-server invoice send.',
    en: 'A document that the SRI returned is signed again under the same number. The file is the whole corrected body; without\none, the body that it had is used. Afterwards: sri-server invoice send.',
  },
  args: [
    KEY_ARGUMENT,
    {
      name: 'file',
      optional: true,
      description: { es: 'El JSON; - es la entrada estándar', en: 'The JSON; - is the standard input' },
    },
  ],
  options: {
    ...CONNECTION_OPTIONS,
    redate: flagOption({ es: 'Con la fecha de hoy', en: 'With the date of today' }),
    resequence: flagOption({ es: 'Con un número y una clave nuevos', en: 'With a new number and access key' }),
  },
  run: async (call) => {
    const accessKey = requireAccessKey(call.args[0]);
    const connection = readIssuerConnection(call);
    const [, path] = call.args;
    const { redate, resequence } = call.options;
    // A document keeps its day unless it is redated, and its body is checked for that day.
    const day = redate ? null : toIsoDate(parseAccessKey(accessKey).issueDate);
    const body =
      path === undefined ? {} : withSums(await readBodyFile(path, { type: null, terminal: call.terminal }), day);
    return withServer(connection, async (api) => {
      const how = { ...(redate ? { redate } : {}), ...(resequence ? { resequence } : {}) };
      const { document, warnings = [] } = await api.documents.rebuild(accessKey, { ...body, ...how });
      return {
        json: { ok: true, document, warnings },
        text: describeDocument(document, call.language),
        notices: warnings.map(({ message }) => message),
      };
    });
  },
});

// --- internal ---

/** Adds the sums. Whether the body names the day of the document is for the server to check. @param day null is today */
function withSums(body: unknown, day: IsoDate | null): object {
  const { issueDate, ...rest } = (body ?? {}) as { readonly issueDate?: unknown };
  return { ...(fillSums(rest, 'es', day ?? undefined) as object), ...(issueDate === undefined ? {} : { issueDate }) };
}

function voidIntent(document: Document): Intent {
  const number = numberOf(document);
  const { name, voidAdvice } = documentTypeOf(document.documentType as DocumentType).texts;
  const { status, total, counterparty } = document;
  const summary: CliText[] = [
    {
      es: `${name.es} ${number} a ${counterparty.name}, ${formatAmount(total)}, ${status}: queda anotada como anulada.`,
      en: `${name.en} ${number} to ${counterparty.name}, ${formatAmount(total)}, ${status}: it is noted as voided.`,
    },
    {
      es: 'Confirma que ya está anulado en el portal del SRI.',
      en: 'You confirm that it is annulled in the SRI’s portal.',
    },
    ...(voidAdvice ? [voidAdvice] : []),
  ];
  return { summary, word: number };
}
