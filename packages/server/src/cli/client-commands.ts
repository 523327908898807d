import type { Command } from 'sri-core/cli';
import type { ServerPlace } from './frame/command.js';

const invoices = async () => (await import('./invoice-commands.js')).INVOICE_COMMANDS;

/** Commands that call a running server, with an API key. */
export const CLIENT_COMMANDS: readonly Command<ServerPlace>[] = [
  {
    name: 'invoice create',
    summary: {
      es: 'Crea un comprobante de un JSON, y si se pide lo envía y espera',
      en: 'Create a document from a JSON; if asked, send it and wait',
    },
    load: async () => (await invoices()).create,
  },
  {
    name: 'invoice send',
    summary: { es: 'Envía un comprobante al SRI', en: 'Send a document to the SRI' },
    load: async () => (await invoices()).send,
  },
  {
    name: 'invoice status',
    summary: {
      es: 'Muestra cómo está un comprobante y qué dijo el SRI',
      en: 'Show how a document stands and what the SRI said',
    },
    load: async () => (await invoices()).status,
  },
  {
    name: 'invoice wait',
    summary: { es: 'Espera a que el SRI decida', en: 'Wait until the SRI has decided' },
    load: async () => (await invoices()).wait,
  },
  {
    name: 'documents list',
    summary: { es: 'Lista y busca los comprobantes', en: 'List and search documents' },
    load: async () => (await import('./documents/list-command.js')).listCommand,
  },
  {
    name: 'documents get',
    summary: { es: 'Muestra un comprobante, con sus líneas', en: 'Show a document, with its lines' },
    load: async () => (await import('./documents/get-command.js')).getCommand,
  },
  {
    name: 'documents xml',
    summary: { es: 'Entrega el XML de un comprobante', en: 'Give the XML of a document' },
    load: async () => (await import('./documents/file-commands.js')).xmlCommand,
  },
  {
    name: 'documents ride',
    summary: {
      es: 'Entrega el RIDE de un comprobante, en A4 o ticket',
      en: 'Give the RIDE of a document, A4 or ticket',
    },
    load: async () => (await import('./documents/file-commands.js')).rideCommand,
  },
  {
    name: 'documents export',
    summary: {
      es: 'Guarda todos los comprobantes de un filtro en un CSV, Excel o ZIP',
      en: 'Save all documents of a filter as CSV, Excel or ZIP',
    },
    load: async () => (await import('./documents/export-command.js')).exportCommand,
  },
  {
    name: 'documents void',
    summary: {
      es: 'Anota que un comprobante se anuló en el SRI',
      en: 'Record that a document was annulled at the SRI',
    },
    load: async () => (await import('./documents/correct-commands.js')).voidCommand,
  },
  {
    name: 'documents rebuild',
    summary: {
      es: 'Corrige y firma otra vez un comprobante devuelto',
      en: 'Correct a returned document and sign it again',
    },
    load: async () => (await import('./documents/correct-commands.js')).rebuildCommand,
  },
  {
    name: 'batch issue',
    summary: {
      es: 'Emite un archivo de comprobantes, CSV (Excel) o JSONL; tras un corte continúa, y nada se emite dos veces',
      en: 'Issue a file of documents, CSV (Excel) or JSONL; interrupted, it continues, and issues nothing twice',
    },
    load: async () => (await import('./batch/batch-command.js')).batchIssueCommand,
  },
  {
    name: 'batch template',
    summary: {
      es: 'Escribe un archivo de ejemplo de un tipo de comprobante, y muestra sus columnas',
      en: 'Write an example file of a type of document, and show its columns',
    },
    load: async () => (await import('./batch/template-command.js')).batchTemplateCommand,
  },
  {
    name: 'webhooks listen',
    summary: {
      es: 'Recibe en esta máquina los webhooks de un servidor y los muestra',
      en: 'Receive the webhooks of a server on this machine, and show them',
    },
    load: async () => (await import('./webhook-commands.js')).WEBHOOK_COMMANDS.listen,
  },
  {
    name: 'webhooks list',
    summary: { es: 'Lista los webhooks de la cuenta', en: 'List the webhooks of the account' },
    load: async () => (await import('./webhook-commands.js')).WEBHOOK_COMMANDS.list,
  },
  {
    name: 'webhooks remove',
    summary: { es: 'Borra un webhook de la cuenta', en: 'Remove a webhook of the account' },
    load: async () => (await import('./webhook-commands.js')).WEBHOOK_COMMANDS.remove,
  },
  {
    name: 'webhooks verify',
    summary: {
      es: 'Dice si la firma de un webhook recibido es válida',
      en: 'Tell whether the signature of a received webhook is valid',
    },
    load: async () => (await import('./webhook-commands.js')).WEBHOOK_COMMANDS.verify,
  },
];
