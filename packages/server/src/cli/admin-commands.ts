import { type Command, commandsIn } from 'sri-core/cli';
import type { ServerContext } from './frame/operator-access.js';

const payments = async () => (await import('./payment-commands.js')).PAYMENT_COMMANDS;
const tenants = async () => (await import('./tenant-commands.js')).TENANT_COMMANDS;
const server = async () => (await import('./server-commands.js')).SERVER_COMMANDS;
const backups = async () => (await import('./backup/backup-commands.js')).BACKUP_COMMANDS;

/** The operations on a database and its keys; each has two command names. */
const BACKUP = {
  es: 'Copia la base de datos a un archivo, mientras los servidores siguen trabajando',
  en: 'Copy the database into one file, while servers go on working',
};
const RESTORE = {
  es: 'Pone un respaldo en lugar de la base de datos; ningún servidor debe estar en marcha',
  en: 'Put a backup in the place of the database; no server may be running',
};
const ROTATE = {
  es: 'Pone todo secreto guardado bajo la primera de MASTER_KEYS',
  en: 'Put every stored secret under the first of MASTER_KEYS',
};

/** Commands about a database as a whole. */
export const DATABASE_COMMANDS: readonly Command<ServerContext>[] = [
  ...commandsIn(() => import('./migrate-command.js'), {
    migrateCommand: {
      name: 'db migrate',
      es: 'Actualiza las tablas a esta versión, o las crea; arrancar el servidor también lo hace',
      en: 'Bring the tables to this version, or make them; starting the server does so too',
    },
  }),
  ...commandsIn(backups, {
    backup: { name: 'db backup', ...BACKUP },
    restore: { name: 'db restore', ...RESTORE },
    move: {
      name: 'db move',
      es: 'Pasa un archivo de SQLite a PostgreSQL; ningún servidor debe estar en marcha',
      en: 'Move a SQLite file into PostgreSQL; no server may be running',
    },
  }),
  ...commandsIn(server, { rotateMasterKey: { name: 'keys rotate-master', ...ROTATE } }),
];

/** Commands of the operator. */
export const ADMIN_COMMANDS: readonly Command<ServerContext>[] = [
  ...commandsIn(tenants, {
    list: { name: 'admin tenants', es: 'Lista las cuentas, las más nuevas primero', en: 'List accounts, newest first' },
    events: {
      name: 'admin events',
      es: 'Muestra qué le pasó a una cuenta, desde lo más antiguo',
      en: 'Show what happened to an account, oldest first',
    },
    suspend: {
      name: 'admin suspend',
      es: 'Suspende una cuenta: lee, y no emite ni cambia nada',
      en: 'Suspend an account: it can read, and change nothing',
    },
    unsuspend: {
      name: 'admin unsuspend',
      es: 'Termina una suspensión: la cuenta queda como antes',
      en: 'End a suspension: the account returns to its earlier status',
    },
    setTier: {
      name: 'admin set-tier',
      es: 'Da un plan a una cuenta sin un pago',
      en: 'Give an account a tier without a payment',
    },
    verify: {
      name: 'admin verify',
      es: 'Da por verificado el correo de una cuenta',
      en: "Mark an account's e-mail address as verified",
    },
    release: {
      name: 'admin release',
      es: 'Cierra una cuenta y deja libres su RUC y su correo',
      en: 'Close an account and free its RUC and e-mail address',
    },
    promote: {
      name: 'admin promote',
      es: 'Pasa una cuenta a producción, para siempre',
      en: 'Move an account to production, for good',
    },
  }),
  ...commandsIn(payments, {
    list: {
      name: 'admin payments list',
      es: 'Lista los pagos, los que más han esperado primero',
      en: 'List payments, those that have waited longest first',
    },
    verify: {
      name: 'admin payments verify',
      es: 'Verifica un pago, y da a la cuenta lo que pagó',
      en: 'Verify a payment, and give the account what it paid for',
    },
    reject: {
      name: 'admin payments reject',
      es: 'Rechaza un pago; la cuenta recibe el motivo y puede reportarlo de nuevo',
      en: 'Refuse a payment; the account gets the reason and may report it again',
    },
    refund: {
      name: 'admin payments refund',
      es: 'Anota que se devolvió un pago, y retira lo que dio',
      en: 'Record the refund of a verified payment, and withdraw what it gave',
    },
    proofs: {
      name: 'admin payments proofs',
      es: 'Lista los comprobantes de un pago, o guarda sus archivos',
      en: 'List the proofs of a payment, or save their files',
    },
    pendingInvoices: {
      name: 'admin invoices pending',
      es: 'Lista los pagos verificados que usted aún no ha facturado',
      en: 'List verified payments that have no invoice of yours yet',
    },
    linkInvoice: {
      name: 'admin invoices link',
      es: 'Anota la factura que hizo por el pago de una suscripción',
      en: 'Record the invoice that you issued for a payment of a subscription',
    },
  }),
  ...commandsIn(server, {
    publishPrice: {
      name: 'admin prices publish',
      es: 'Publica un precio, al menos 30 días antes de que entre en vigencia',
      en: 'Publish a price, at least 30 days before it takes effect',
    },
    withdrawPrice: {
      name: 'admin prices withdraw',
      es: 'Retira un precio publicado, hasta 7 días antes de que entre en vigencia',
      en: 'Withdraw a published price, until 7 days before it takes effect',
    },
    listPrices: {
      name: 'admin prices list',
      es: 'Lista los precios publicados, y a cuántas cuentas se avisó',
      en: 'List the prices that were published, and how many accounts were notified',
    },
    publishAgreement: {
      name: 'admin agreements publish',
      es: 'Pone en vigencia una versión de un acuerdo',
      en: 'Put a version of an agreement in force',
    },
    listJobs: {
      name: 'admin jobs list',
      es: 'Lista lo que el servidor dio por perdido: comprobantes, correos y webhooks',
      en: 'List what the server gave up: documents, mails and deliveries to webhooks',
    },
    retryJob: {
      name: 'admin jobs retry',
      es: 'Vuelve a intentar algo que se dio por perdido',
      en: 'Restart the attempts of a job that was given up',
    },
  }),
  ...commandsIn(backups, {
    backup: { name: 'admin backup', ...BACKUP },
    restore: { name: 'admin restore', ...RESTORE },
  }),
  ...commandsIn(server, {
    rotateMasterKey: { name: 'admin keys rotate-master', ...ROTATE },
    audit: {
      name: 'admin audit',
      es: 'Muestra qué hicieron los operadores, desde lo más nuevo',
      en: 'Show what operators did, newest first',
    },
  }),
];
