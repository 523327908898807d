import { type Command, commandsIn } from 'sri-core/cli';
import type { ServerContext } from './frame/operator-access.js';

const invoices = async () => (await import('./invoice-commands.js')).INVOICE_COMMANDS;

/** Commands that call a running server, with an API key. */
export const CLIENT_COMMANDS: readonly Command<ServerContext>[] = [
  ...commandsIn(invoices, {
    create: {
      name: 'invoice create',
      es: 'Crea un comprobante de un JSON, y si se pide lo envía y espera',
      en: 'Create a document from a JSON; if asked, send it and wait',
    },
    send: { name: 'invoice send', es: 'Envía un comprobante al SRI', en: 'Send a document to the SRI' },
    status: {
      name: 'invoice status',
      es: 'Muestra cómo está un comprobante y qué dijo el SRI',
      en: 'Show how a document stands and what the SRI said',
    },
    wait: { name: 'invoice wait', es: 'Espera a que el SRI decida', en: 'Wait until the SRI has decided' },
  }),
  ...commandsIn(() => import('./documents/list-command.js'), {
    listCommand: { name: 'documents list', es: 'Lista y busca los comprobantes', en: 'List and search documents' },
  }),
  ...commandsIn(() => import('./documents/get-command.js'), {
    getCommand: {
      name: 'documents get',
      es: 'Muestra un comprobante, con sus líneas',
      en: 'Show a document, with its lines',
    },
  }),
  ...commandsIn(() => import('./documents/file-commands.js'), {
    xmlCommand: { name: 'documents xml', es: 'Entrega el XML de un comprobante', en: 'Give the XML of a document' },
    rideCommand: {
      name: 'documents ride',
      es: 'Entrega el RIDE de un comprobante, en A4 o ticket',
      en: 'Give the RIDE of a document, A4 or ticket',
    },
  }),
  ...commandsIn(() => import('./documents/export-command.js'), {
    exportCommand: {
      name: 'documents export',
      es: 'Guarda todos los comprobantes de un filtro en un CSV, Excel o ZIP',
      en: 'Save all documents of a filter as CSV, Excel or ZIP',
    },
  }),
  ...commandsIn(() => import('./documents/correct-commands.js'), {
    voidCommand: {
      name: 'documents void',
      es: 'Anota que un comprobante se anuló en el SRI',
      en: 'Record that a document was annulled at the SRI',
    },
    rebuildCommand: {
      name: 'documents rebuild',
      es: 'Corrige y firma otra vez un comprobante devuelto',
      en: 'Correct a returned document and sign it again',
    },
  }),
  ...commandsIn(() => import('./batch/batch-command.js'), {
    batchIssueCommand: {
      name: 'batch issue',
      es: 'Emite un archivo de comprobantes, CSV (Excel) o JSONL; tras un corte continúa, y nada se emite dos veces',
      en: 'Issue a file of documents, CSV (Excel) or JSONL; interrupted, it continues, and issues nothing twice',
    },
  }),
  ...commandsIn(() => import('./batch/template-command.js'), {
    batchTemplateCommand: {
      name: 'batch template',
      es: 'Escribe un archivo de ejemplo de un tipo de comprobante, y muestra sus columnas',
      en: 'Write an example file of a type of document, and show its columns',
    },
  }),
  ...commandsIn(async () => (await import('./webhook-commands.js')).WEBHOOK_COMMANDS, {
    listen: {
      name: 'webhooks listen',
      es: 'Recibe en esta máquina los webhooks de un servidor y los muestra',
      en: 'Receive the webhooks of a server on this machine, and show them',
    },
    list: { name: 'webhooks list', es: 'Lista los webhooks de la cuenta', en: 'List the webhooks of the account' },
    remove: { name: 'webhooks remove', es: 'Borra un webhook de la cuenta', en: 'Remove a webhook of the account' },
    verify: {
      name: 'webhooks verify',
      es: 'Dice si la firma de un webhook recibido es válida',
      en: 'Tell whether the signature of a received webhook is valid',
    },
  }),
];
