import type { Command, Words } from 'sri-core/cli';
import type { ServerPlace } from './frame/command.js';

const payments = async () => (await import('./payment-commands.js')).PAYMENT_COMMANDS;
const tenants = async () => (await import('./tenant-commands.js')).TENANT_COMMANDS;
const server = async () => (await import('./server-commands.js')).SERVER_COMMANDS;
const backups = async () => (await import('./backup/backup-commands.js')).BACKUP_COMMANDS;

/** The operations on a database and its keys; each has two command names. */
const BACKUP: Words = {
  es: 'Copia la base de datos a un archivo, mientras los servidores siguen trabajando',
  en: 'Copy the database into one file, while servers go on working',
};
const RESTORE: Words = {
  es: 'Pone un respaldo en lugar de la base de datos; ningún servidor debe estar en marcha',
  en: 'Put a backup in the place of the database; no server may be running',
};
const ROTATE: Words = {
  es: 'Pone todo secreto guardado bajo la primera de MASTER_KEYS',
  en: 'Put every stored secret under the first of MASTER_KEYS',
};

/** Commands about a database as a whole. */
export const DATABASE_COMMANDS: readonly Command<ServerPlace>[] = [
  {
    name: 'db migrate',
    summary: {
      es: 'Actualiza las tablas a esta versión, o las crea; arrancar el servidor también lo hace',
      en: 'Bring the tables to this version, or make them; starting the server does so too',
    },
    load: async () => (await import('./migrate-command.js')).migrateCommand,
  },
  { name: 'db backup', summary: BACKUP, load: async () => (await backups()).backup },
  { name: 'db restore', summary: RESTORE, load: async () => (await backups()).restore },
  { name: 'keys rotate-master', summary: ROTATE, load: async () => (await server()).rotateMasterKey },
];

/** Commands of the operator. */
export const ADMIN_COMMANDS: readonly Command<ServerPlace>[] = [
  {
    name: 'admin tenants',
    summary: { es: 'Lista las cuentas, las más nuevas primero', en: 'List accounts, newest first' },
    load: async () => (await tenants()).list,
  },
  {
    name: 'admin events',
    summary: {
      es: 'Muestra qué le pasó a una cuenta, desde lo más antiguo',
      en: 'Show what happened to an account, oldest first',
    },
    load: async () => (await tenants()).events,
  },
  {
    name: 'admin suspend',
    summary: {
      es: 'Suspende una cuenta: lee, y no emite ni cambia nada',
      en: 'Suspend an account: it can read, and change nothing',
    },
    load: async () => (await tenants()).suspend,
  },
  {
    name: 'admin unsuspend',
    summary: {
      es: 'Termina una suspensión: la cuenta queda como antes',
      en: 'End a suspension: the account returns to its earlier status',
    },
    load: async () => (await tenants()).unsuspend,
  },
  {
    name: 'admin set-tier',
    summary: { es: 'Da un plan a una cuenta sin un pago', en: 'Give an account a tier without a payment' },
    load: async () => (await tenants()).setTier,
  },
  {
    name: 'admin verify',
    summary: {
      es: 'Da por verificado el correo de una cuenta',
      en: "Mark an account's e-mail address as verified",
    },
    load: async () => (await tenants()).verify,
  },
  {
    name: 'admin release',
    summary: {
      es: 'Cierra una cuenta y deja libres su RUC y su correo',
      en: 'Close an account and free its RUC and e-mail address',
    },
    load: async () => (await tenants()).release,
  },
  {
    name: 'admin promote',
    summary: { es: 'Pasa una cuenta a producción, para siempre', en: 'Move an account to production, for good' },
    load: async () => (await tenants()).promote,
  },
  {
    name: 'admin payments list',
    summary: {
      es: 'Lista los pagos, los que más han esperado primero',
      en: 'List payments, those that have waited longest first',
    },
    load: async () => (await payments()).list,
  },
  {
    name: 'admin payments verify',
    summary: {
      es: 'Verifica un pago, y da a la cuenta lo que pagó',
      en: 'Verify a payment, and give the account what it paid for',
    },
    load: async () => (await payments()).verify,
  },
  {
    name: 'admin payments reject',
    summary: {
      es: 'Rechaza un pago; la cuenta recibe el motivo y puede reportarlo de nuevo',
      en: 'Refuse a payment; the account gets the reason and may report it again',
    },
    load: async () => (await payments()).reject,
  },
  {
    name: 'admin payments refund',
    summary: {
      es: 'Anota que se devolvió un pago, y retira lo que dio',
      en: 'Record the refund of a verified payment, and withdraw what it gave',
    },
    load: async () => (await payments()).refund,
  },
  {
    name: 'admin payments proofs',
    summary: {
      es: 'Lista los comprobantes de un pago, o guarda sus archivos',
      en: 'List the proofs of a payment, or save their files',
    },
    load: async () => (await payments()).proofs,
  },
  {
    name: 'admin invoices pending',
    summary: {
      es: 'Lista los pagos verificados que usted aún no ha facturado',
      en: 'List verified payments that have no invoice of yours yet',
    },
    load: async () => (await payments()).pendingInvoices,
  },
  {
    name: 'admin invoices link',
    summary: {
      es: 'Anota la factura que hizo por el pago de una suscripción',
      en: 'Record the invoice that you issued for a payment of a subscription',
    },
    load: async () => (await payments()).linkInvoice,
  },
  {
    name: 'admin prices publish',
    summary: {
      es: 'Publica un precio, al menos 30 días antes de que entre en vigencia',
      en: 'Publish a price, at least 30 days before it takes effect',
    },
    load: async () => (await server()).publishPrice,
  },
  {
    name: 'admin prices list',
    summary: {
      es: 'Lista los precios publicados, y a cuántas cuentas se avisó',
      en: 'List the prices that were published, and how many accounts were told',
    },
    load: async () => (await server()).listPrices,
  },
  {
    name: 'admin agreements publish',
    summary: { es: 'Pone en vigencia una versión de un acuerdo', en: 'Put a version of an agreement in force' },
    load: async () => (await server()).publishAgreement,
  },
  {
    name: 'admin jobs list',
    summary: {
      es: 'Lista lo que el servidor dio por perdido: comprobantes, correos y webhooks',
      en: 'List what the server gave up: documents, mails and deliveries to webhooks',
    },
    load: async () => (await server()).listJobs,
  },
  {
    name: 'admin jobs retry',
    summary: {
      es: 'Vuelve a intentar algo que se dio por perdido',
      en: 'Restart the attempts of a job that was given up',
    },
    load: async () => (await server()).retryJob,
  },
  { name: 'admin backup', summary: BACKUP, load: async () => (await backups()).backup },
  { name: 'admin restore', summary: RESTORE, load: async () => (await backups()).restore },
  { name: 'admin keys rotate-master', summary: ROTATE, load: async () => (await server()).rotateMasterKey },
  {
    name: 'admin audit',
    summary: {
      es: 'Muestra qué hicieron los operadores, desde lo más nuevo',
      en: 'Show what operators did, newest first',
    },
    load: async () => (await server()).audit,
  },
];
