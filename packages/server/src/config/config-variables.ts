import type { LocalizedText } from 'sri-core';
import { SCHEMA_NAME, SCHEMA_NAME_RULE } from 'sri-storage-adapters';
import { PLAN_LIMITS, readPlansFile } from '../accounts/index.js';
import { parseBankTransfer } from '../billing/index.js';
import { parseAdminTokens } from '../operator/index.js';
import {
  ConfigComplaint,
  type Parse,
  parseChoice,
  parseEmail,
  parseFlag,
  parseHosts,
  parseInteger,
  parseLifetime,
  parseLifetimeOrOff,
  parsePattern,
  parseRate,
  parseSeconds,
  parseSignedSpan,
  parseSpan,
  parseSpans,
  parseSwitch,
  parseText,
  parseUrl,
  parseWait,
} from '../platform/config-values.js';
import { toTrustedProxies } from '../platform/http/client-address.js';
import { parseMasterKeys } from '../platform/secrets/master-keys.js';
import { parseDatabaseUrl, parseMailFrom, parsePath, parseProxy, parseSmtpUrl } from './config-addresses.js';

/** One variable of the environment: its parser, its default and its purpose. */
export interface Variable<T> {
  readonly name: string;
  readonly parse: Parse<T>;
  /** The default; null if the value is derived or absent. */
  readonly fallback: T;
  /** The default as documented; empty for none. */
  readonly shown: string;
  /** The default in words, where it is no value; else null. */
  readonly otherwise: LocalizedText | null;
  /** Its purpose, in a line of Markdown. */
  readonly about: LocalizedText;
  /** An example value, for variables without a default. */
  readonly example: string;
}

const RUC = /^(0[1-9]|1\d|2[0-4]|30)\d{8}001$/;

/** The settings of a server, in the order of the documentation. Times in milliseconds. */
export const VARIABLES = {
  host: variable(
    'HOST',
    parsePattern(/^[\w.:-]{1,63}$/, {
      es: 'escriba el nombre de un servidor o una dirección IP.',
      en: 'give a host name or an address.',
    }),
    '127.0.0.1',
    {
      en: 'where it listens; `0.0.0.0` for every address of the machine',
      es: 'dónde escucha; `0.0.0.0` para todas las direcciones de la máquina',
    },
  ),
  port: variable('PORT', parseInteger(0, 65_535), 3000, {
    en: 'the port it listens on; `0` takes a free one',
    es: 'el puerto en que escucha; `0` toma uno libre',
  }),
  dataDir: variable('DATA_DIR', parsePath, './data', {
    en: 'folder for the database, the master key and written mail',
    es: 'carpeta para la base, la clave maestra y el correo escrito',
  }),
  databaseUrl: optional('DATABASE_URL', parseDatabaseUrl, {
    shown: 'file:$DATA_DIR/app.db',
    example: 'postgres://user:password@localhost/sri',
    en: '`file:<path>` or `postgres://user:password@host/database`; several hosts as `host1:5432,host2:5432`; behind PgBouncer `?pgbouncer=true`',
    es: '`file:<ruta>` o `postgres://usuario:clave@servidor/base`; varios servidores así: `uno:5432,dos:5432`; detrás de PgBouncer `?pgbouncer=true`',
  }),
  databaseSchema: optional('DATABASE_SCHEMA', parsePattern(SCHEMA_NAME, SCHEMA_NAME_RULE), {
    otherwise: {
      en: "the first of the PostgreSQL account's search_path",
      es: 'el primero del search_path de la cuenta de PostgreSQL',
    },
    example: 'cell_a',
    en: 'PostgreSQL: the one schema of all tables, made when missing; a cell is a server with its own: [scaling.md](scaling.md)',
    es: 'PostgreSQL: el único esquema de todas las tablas, que se crea si falta; una celda es un servidor con el suyo: [scaling.md](scaling.md)',
  }),
  masterKeys: optional('MASTER_KEYS', parseMasterKeys, {
    otherwise: {
      en: 'made in $DATA_DIR/master.key outside production',
      es: 'se hace en $DATA_DIR/master.key, fuera de producción',
    },
    en: '`id:base64` of 32 bytes, several with commas; the first encrypts, all decrypt. Required in production',
    es: '`id:base64` de 32 bytes, varias con comas; la primera cifra, todas descifran. Obligatoria en producción',
  }),
  readOnly: variable('READ_ONLY', parseFlag, false, {
    en: '`true`, also `serve --read-only`: nothing is stored, sent or migrated; requests that write are answered 503. Starts without the master key as well',
    es: '`true`, también `serve --read-only`: nada se guarda, envía ni migra; las solicitudes que escriben reciben 503. Inicia también sin la clave maestra',
  }),
  baseUrl: optional('BASE_URL', parseUrl, {
    otherwise: { en: 'where it listens', es: 'donde escucha' },
    example: 'https://api.example.com',
    en: "the server's own address as others reach it",
    es: 'la dirección del servidor tal como lo alcanzan los demás',
  }),
  appUrl: optional('APP_URL', parseUrl, {
    shown: 'BASE_URL',
    example: 'https://app.example.com',
    en: 'the web application in front of it, for links in mails',
    es: 'la aplicación web que tiene delante, para los enlaces de los correos',
  }),
  docsUrl: optional('DOCS_URL', parseUrl, {
    shown: 'BASE_URL/docs',
    example: 'https://docs.example.com',
    en: 'where the pages of errors live, for the `type` of a problem',
    es: 'dónde están las páginas de los errores, para el `type` de un problema',
  }),
  trustProxy: variable(
    'TRUST_PROXY',
    toTrustedProxies,
    { hops: 0 },
    {
      shown: '0',
      en: 'number of proxies in front, or a list of their networks, whose `X-Forwarded-For` is believed',
      es: 'número de proxies delante, o lista de sus redes, cuyo `X-Forwarded-For` se cree',
    },
  ),
  sriMode: optional('SRI_MODE', parseChoice(['simulator', 'live', 'offline']), {
    otherwise: { en: 'simulator; live in production', es: 'simulator; en producción, live' },
    en: '`simulator` or `live`: where sandbox documents go; production documents go to the SRI. With `offline` both go to the simulator, which is refused in production',
    es: '`simulator` o `live`: a dónde van los documentos de pruebas; los de producción van al SRI. Con `offline` ambos van al simulador, lo que se rechaza en producción',
  }),
  sriSandboxUrl: optional('SRI_SANDBOX_URL', parseUrl, {
    otherwise: { en: "the SRI's host", es: 'el servidor del SRI' },
    en: 'the SRI for tests, up to and including `/comprobantes-electronicos-ws`',
    es: 'el SRI de pruebas, hasta `/comprobantes-electronicos-ws` inclusive',
  }),
  sriProductionUrl: optional('SRI_PRODUCTION_URL', parseUrl, {
    otherwise: { en: "the SRI's host", es: 'el servidor del SRI' },
    en: 'the SRI of production, likewise',
    es: 'el SRI de producción, igualmente',
  }),
  sriProxy: optional('SRI_PROXY', parseProxy, {
    example: 'http://proxy.example.com:3128',
    en: 'the HTTP proxy on the way to the SRI, `http://user:password@host:port` if it asks for them; mail and webhooks do not use it',
    es: 'el proxy HTTP en el camino al SRI, `http://usuario:clave@host:puerto` si los pide; el correo y los webhooks no lo usan',
  }),
  sriConnectTimeoutMs: variable('SRI_CONNECT_TIMEOUT', parseWait(1), 5_000, {
    shown: '5s',
    en: 'to connect to the SRI',
    es: 'para conectarse al SRI',
  }),
  sriTimeoutMs: variable('SRI_TIMEOUT', parseWait(1), 30_000, {
    shown: '30s',
    en: 'for one call, from its start to the end of the answer',
    es: 'para una llamada, desde que empieza hasta el final de la respuesta',
  }),
  sriRetryIntervalMs: variable('SRI_RETRY_INTERVAL', parseSpan, 5 * 60_000, {
    shown: '5m',
    en: 'between automatic attempts',
    es: 'entre intentos automáticos',
  }),
  sriMaxAttempts: variable('SRI_MAX_ATTEMPTS', parseInteger(1, 100), 5, {
    en: 'automatic attempts for a document, before its dispatch is FAILED',
    es: 'intentos automáticos con un documento, antes de que su dispatch quede FAILED',
  }),
  sriAuthFirstDelayMs: variable('SRI_AUTH_FIRST_DELAY', parseSpan, 3_000, {
    shown: '3s',
    en: 'from RECIBIDA to the first question for the authorization',
    es: 'de RECIBIDA a la primera consulta de la autorización',
  }),
  sriConcurrency: variable('SRI_CONCURRENCY', parseInteger(1, 1000), 8, {
    en: 'calls to the SRI at one time in this process',
    es: 'llamadas al SRI a la vez en este proceso',
  }),
  signatureAlgorithm: variable('SIGNATURE_ALGORITHM', parseChoice(['rsa-sha1', 'rsa-sha256']), 'rsa-sha1', {
    en: '`rsa-sha1`, as the SRI documents it, or `rsa-sha256`',
    es: '`rsa-sha1`, como lo documenta el SRI, o `rsa-sha256`',
  }),
  softwareProviderRuc: optional(
    'SOFTWARE_PROVIDER_RUC',
    parsePattern(RUC, {
      es: 'un RUC tiene 13 dígitos: empieza por la provincia, de 01 a 24 o 30, y termina en 001.',
      en: 'a RUC has 13 digits: a province from 01 to 24, or 30, in front, and 001 at the end.',
    }),
    {
      example: '1790012345001',
      en: 'written into every document as «RUC Proveedor». A server run for others has to name its provider (resolution NAC-DGERCGC26-00000027): production with `USE=service` warns without it',
      es: 'se escribe en cada documento como «RUC Proveedor». Un servidor para otros debe nombrar a su proveedor (resolución NAC-DGERCGC26-00000027): producción con `USE=service` avisa si falta',
    },
  ),
  documentStrict: variable('DOCUMENT_STRICT', parseFlag, false, {
    en: '`true`: warnings about sums and identifiers become errors',
    es: '`true`: las advertencias sobre sumas e identificaciones pasan a ser errores',
  }),
  use: variable('USE', parseChoice(['service', 'own']), 'service', {
    en: "`own`: one operator's own companies. The operator makes their accounts, as with `ONBOARDING=internal`, on the plan `OWN` without limits; there are no agreements and no payments. `service`: accounts of others, on plans",
    es: '`own`: empresas propias. Quien opera crea las cuentas, como con `ONBOARDING=internal`, en el plan `OWN`, sin límites; no hay acuerdos ni pagos. `service`: cuentas de otros, con planes',
  }),
  onboarding: variable('ONBOARDING', parseChoice(['public', 'internal']), 'public', {
    en: '`public`: anybody may register. `internal`: only through your own web application',
    es: '`public`: cualquiera puede registrarse. `internal`: solo desde su propia aplicación web',
  }),
  onboardingRate: variable(
    'ONBOARDING_RATE',
    parseRate,
    { limit: 5, windowMs: 3_600_000 },
    {
      shown: '5/1h',
      en: 'how often one address may register, recover or have the verification sent again',
      es: 'cuántas veces una dirección puede registrarse, recuperar o pedir otra vez la verificación',
    },
  ),
  publicRate: variable(
    'PUBLIC_RATE',
    parseRate,
    { limit: 600, windowMs: 60_000 },
    {
      shown: '600/1m',
      en: 'how often one address may read public routes; a tenth of it where they write, five times it for pages, twenty times for probes',
      es: 'cuántas veces una dirección puede leer rutas públicas; la décima parte donde escriben, el quíntuple en páginas, veinte veces en sondas',
    },
  ),
  keyRate: variable(
    'KEY_RATE',
    parseRate,
    { limit: 60_000, windowMs: 60_000 },
    {
      shown: '60000/1m',
      en: 'how many requests one key may make of one process, whatever the route',
      es: 'cuántas solicitudes puede hacer una clave a un proceso, en cualquier ruta',
    },
  ),
  maxConnections: variable('MAX_CONNECTIONS', parseInteger(1, 1_000_000), 10_000, {
    en: 'connections at one time; beyond them the one that has been idle for longest closes',
    es: 'conexiones a la vez; por encima se cierra la que lleva más tiempo inactiva',
  }),
  maxConnectionsPerAddress: variable('MAX_CONNECTIONS_PER_ADDRESS', parseInteger(1, 1_000_000), 1_000, {
    en: 'the same for one address; proxies that `TRUST_PROXY` names are not counted',
    es: 'lo mismo para una dirección; los proxies que nombra `TRUST_PROXY` no se cuentan',
  }),
  internalServiceSecrets: variable('INTERNAL_SERVICE_SECRET', parseSecrets, [], {
    shown: '',
    en: 'of your own web application: at least 32 bytes; two with a comma between while it changes',
    es: 'de su propia aplicación web: al menos 32 bytes; dos con una coma mientras cambia',
  }),
  adminTokens: variable('ADMIN_TOKEN', parseAdminTokens, [], {
    shown: '',
    en: 'opens `/v1/admin`: at least 16 characters, or several as `label:token` with commas: [operator.md](operator.md)',
    es: 'abre `/v1/admin`: al menos 16 caracteres, o varios como `etiqueta:token` con comas: [operator.md](operator.md)',
  }),
  metricsTokens: variable('METRICS_TOKEN', parseSecrets, [], {
    otherwise: { en: 'only this machine', es: 'solo esta máquina' },
    en: 'who may read `GET /metrics` from elsewhere: at least 32 bytes; two with a comma while it changes: [monitoring.md](monitoring.md)',
    es: 'quién puede leer `GET /metrics` desde otra parte: al menos 32 bytes; dos con una coma mientras cambia: [monitoring.md](monitoring.md)',
  }),
  apiKeyBrand: variable(
    'API_KEY_BRAND',
    parsePattern(/^[a-z]{2,8}$/, { es: 'escriba de 2 a 8 letras minúsculas.', en: 'give 2 to 8 lower-case letters.' }),
    'sri',
    {
      en: 'first part of API keys: 2 to 8 lower-case letters',
      es: 'primera parte de las claves de API: de 2 a 8 letras minúsculas',
    },
  ),
  verificationTtlMs: variable('VERIFICATION_TTL', parseLifetime, 24 * 3_600_000, {
    shown: '24h',
    en: 'how long a link that verifies an e-mail holds',
    es: 'cuánto vale un enlace que verifica un correo',
  }),
  verificationRedirectHosts: variable('VERIFICATION_REDIRECT_HOSTS', parseHosts, [], {
    otherwise: { en: 'none', es: 'ninguno' },
    en: 'hosts such a link may lead to besides those of `BASE_URL` and `APP_URL`, with commas',
    es: 'servidores a los que puede llevar ese enlace además de los de `BASE_URL` y `APP_URL`, con comas',
  }),
  smtpUrl: optional('SMTP_URL', parseSmtpUrl, {
    example: 'smtp://user:password@mail.example.com:587',
    en: 'the mail server; without it each mail is a file in `$DATA_DIR/mail`',
    es: 'el servidor de correo; sin él cada correo es un archivo en `$DATA_DIR/mail`',
  }),
  mailFrom: optional('MAIL_FROM', parseMailFrom, {
    otherwise: { en: 'a no-reply address at BASE_URL', es: 'una dirección no-reply en BASE_URL' },
    example: 'Facturas <facturas@example.com>',
    en: 'an address, or `Name <address>`',
    es: 'una dirección, o `Nombre <dirección>`',
  }),
  operatorEmail: optional('OPERATOR_EMAIL', parseEmail, {
    example: 'ops@example.com',
    en: 'the address for mails about the server itself: when the SRI fails for every document, and when it answers again',
    es: 'la dirección para los correos sobre el propio servidor: cuando el SRI falla para todos los documentos y cuando vuelve',
  }),
  smtpTimeoutMs: variable('SMTP_TIMEOUT', parseWait(1), 30_000, {
    shown: '30s',
    en: 'for one step with the mail server; a whole mail may take half as long again',
    es: 'para un paso con el servidor de correo; un correo entero puede tomar la mitad más',
  }),
  mailToBuyers: variable('MAIL_TO_BUYERS', parseSwitch, true, {
    shown: 'on',
    en: '`off` leaves the mail with a document to explicit requests',
    es: '`off` deja el correo con el documento para cuando se pida',
  }),
  sandboxMail: variable('SANDBOX_MAIL', parseChoice(['all', 'own', 'off']), 'all', {
    shown: 'all',
    en: "which mails of tests go out: `all`, `own` for those to the account's own address, `off` for none",
    es: 'qué correos de prueba salen: `all` todos, `own` los que van al correo de la propia cuenta, `off` ninguno',
  }),
  sandboxMailsPerDay: variable('SANDBOX_MAILS_PER_DAY', parseInteger(0, 1_000_000), 50, {
    shown: '50',
    en: 'mails of tests that one account sends in a day; the others wait for the next',
    es: 'correos de prueba que una cuenta envía en un día; los demás esperan al siguiente',
  }),
  mailTemplates: optional('MAIL_TEMPLATES', parseText, {
    en: 'folder whose files take the place of the built-in texts, such as `authorized.es.txt` and `authorized.es.html`; checked at start',
    es: 'carpeta cuyos archivos reemplazan los textos incluidos, como `authorized.es.txt` y `authorized.es.html`; se revisa al arrancar',
  }),
  notificationTtlMs: nullable('NOTIFICATION_TTL', parseLifetimeOrOff, 90 * 24 * 3_600_000, {
    shown: '90d',
    en: 'how long notifications are shown and kept; `off` for ever. Those of the sandbox end after 7 days',
    es: 'cuánto se muestran y se guardan las notificaciones; `off` para siempre. Las de pruebas terminan a los 7 días',
  }),
  reservedNotifications: variable('RESERVED_NOTIFICATIONS', parseSwitch, true, {
    shown: 'on',
    en: '`off` makes no `SRI_SUBMISSION_FAILED`, `EMAIL_DELIVERY_FAILED` and `QUOTA_WARNING`',
    es: '`off` no hace `SRI_SUBMISSION_FAILED`, `EMAIL_DELIVERY_FAILED` ni `QUOTA_WARNING`',
  }),
  webhookTimeoutMs: variable('WEBHOOK_TIMEOUT', parseWait(1), 15_000, {
    shown: '15s',
    en: "until a webhook's receiver has begun to answer",
    es: 'hasta que el receptor de un webhook empieza a responder',
  }),
  webhookDelaysMs: variable('WEBHOOK_DELAYS', parseSpans, [30_000, 120_000], {
    shown: '30s,2m',
    en: 'the wait after each failed attempt but the last',
    es: 'la espera tras cada intento fallido menos el último',
  }),
  webhookAllowInsecure: variable('WEBHOOK_ALLOW_INSECURE', parseFlag, false, {
    en: '`true`, for development: webhooks may lead to plain HTTP and to your own machines',
    es: '`true`, para desarrollo: los webhooks pueden ir por HTTP simple y a máquinas propias',
  }),
  webhookCaFile: optional('WEBHOOK_CA_FILE', parseText, {
    en: 'an extra root certificate for webhooks, PEM',
    es: 'un certificado raíz más para los webhooks, PEM',
  }),
  webhookHeaderPrefix: optional(
    'WEBHOOK_HEADER_PREFIX',
    parsePattern(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, {
      es: 'escriba un prefijo como X-Example.',
      en: 'give a prefix such as X-Example.',
    }),
    {
      example: 'X-Example',
      en: 'also sends the signature under this prefix, for receivers that expect another name',
      es: 'envía la firma también con este prefijo, para receptores que esperan otro nombre',
    },
  ),
  plans: variable('PLANS_FILE', readPlansFile, PLAN_LIMITS, {
    otherwise: { en: 'the built-in table', es: 'la tabla incluida' },
    en: 'JSON file with what plans allow and cost',
    es: 'archivo JSON con lo que permiten y cuestan los planes',
  }),
  rateLimits: variable<'fixed' | 'tier'>('RATE_LIMITS', parseChoice(['tier']), 'fixed', {
    otherwise: { en: 'limits by route', es: 'límites por ruta' },
    en: '`tier`: reads and writes of the plan in the place of limits by route',
    es: '`tier`: lecturas y escrituras del plan en lugar de límites por ruta',
  }),
  quotaEnforcement: variable('QUOTA_ENFORCEMENT', parseChoice(['production', 'all', 'off']), 'production', {
    en: 'where the quota of documents is enforced: `production`, `all` or `off`',
    es: 'dónde se exige el cupo de documentos: `production`, `all` u `off`',
  }),
  agreements: variable('AGREEMENTS', parseSwitch, true, {
    shown: 'on',
    en: '`off`: no agreement is published, generated or asked for',
    es: '`off`: ningún acuerdo se publica, genera ni exige',
  }),
  pastDueMode: variable('PAST_DUE_MODE', parseChoice(['free', 'block']), 'free', {
    en: '`block`: an account that is past due only reads, subscribes and reports payments',
    es: '`block`: una cuenta con pago vencido solo consulta, se suscribe e informa pagos',
  }),
  bankTransfer: optional('BANK_TRANSFER', parseBankTransfer, {
    en: 'where accounts transfer to: JSON, see [billing.md](billing.md)',
    es: 'a dónde transfieren las cuentas: JSON, véase [billing.md](billing.md)',
  }),
  ivaRate: variable(
    'IVA_RATE',
    parsePattern(/^(0|[1-9]\d?(\.\d{1,2})?)$/, {
      es: 'escriba un porcentaje como 15.',
      en: 'give a percentage such as 15.',
    }),
    '15',
    { en: 'percent of IVA on what accounts pay', es: 'porcentaje de IVA sobre lo que pagan las cuentas' },
  ),
  console: variable('CONSOLE', parseSwitch, true, {
    shown: 'on',
    en: '`off`: there is no `/console`',
    es: '`off`: no hay `/console`',
  }),
  guide: variable('GUIDE', parseSwitch, true, {
    shown: 'on',
    en: '`off`: there is no `/guide`, the documentation as pages, and no `/llms.txt`',
    es: '`off`: no hay `/guide`, la documentación en páginas, ni `/llms.txt`',
  }),
  leaseMs: variable('LEASE_SECONDS', parseWait(1, parseSeconds), 60_000, {
    shown: '60',
    en: 'after how long the jobs of a process that died are taken over',
    es: 'tras cuánto se retoman los trabajos de un proceso que murió',
  }),
  shutdownGraceMs: variable('SHUTDOWN_GRACE', parseWait(0), 30_000, {
    shown: '30s',
    en: 'how long stopping waits for what is running',
    es: 'cuánto espera, al detenerse, lo que está en marcha',
  }),
  shutdownDelayMs: variable('SHUTDOWN_DELAY', parseWait(0), 0, {
    en: 'how long a stopping server goes on taking requests, so that their senders notice and go elsewhere',
    es: 'cuánto sigue tomando solicitudes un servidor que se detiene, para que quien las envía lo note y vaya a otro',
  }),
  logLevel: variable('LOG_LEVEL', parseChoice(['trace', 'debug', 'info', 'warn', 'error', 'silent']), 'info', {
    en: '`trace`, `debug`, `info`, `warn`, `error` or `silent`',
    es: '`trace`, `debug`, `info`, `warn`, `error` o `silent`',
  }),
  logFormat: variable('LOG_FORMAT', parseChoice(['json', 'text']), 'json', {
    en: '`json`, one object a line, or `text` for eyes; `npm start` on a terminal takes `text` where it is not set',
    es: '`json`, un objeto por línea, o `text` para los ojos; `npm start` en una terminal usa `text` si no está',
  }),
  clockOffsetMs: variable('CLOCK_OFFSET', parseSignedSpan, 0, {
    en: 'moves the clock, such as `+7d`, to rehearse; refused in production',
    es: 'mueve el reloj, como `+7d`, para ensayar; se rechaza en producción',
  }),
} as const;

/** Further variables: the configuration keeps no value under their names. */
export const OTHER_VARIABLES = {
  NODE_ENV: {
    shown: '',
    example: 'production',
    en: '`production`, `development` or `test`; the first is stricter: master keys required, `verificationRedirectUrl` has to be https, documents go to the SRI',
    es: '`production`, `development` o `test`; el primero es más estricto: exige claves maestras y https en `verificationRedirectUrl`, y envía al SRI',
  },
  TIMEZONE: {
    shown: 'America/Guayaquil',
    example: '',
    en: 'the only one there is; any other is refused',
    es: 'la única que hay; cualquier otra se rechaza',
  },
} as const;

// --- internal ---

interface VariableTexts extends LocalizedText {
  readonly shown?: string;
  readonly otherwise?: LocalizedText;
  readonly example?: string;
}

function variable<T>(name: string, parse: Parse<T>, fallback: NoInfer<T>, texts: VariableTexts): Variable<T> {
  const { en, es, otherwise = null, shown = otherwise ? '' : String(fallback), example = '' } = texts;
  return { name, parse, fallback, shown, about: { en, es }, example, otherwise };
}

/** An optional variable without a default. */
function optional<T>(name: string, parse: Parse<T>, texts: VariableTexts): Variable<T | null> {
  return variable<T | null>(name, parse, null, { shown: '', ...texts });
}

/** A variable that can be turned off; then it has no value. */
function nullable<T>(name: string, parse: Parse<T | null>, fallback: T, texts: VariableTexts): Variable<T | null> {
  return variable<T | null>(name, parse, fallback, texts);
}

function parseSecrets(text: string): readonly string[] | ConfigComplaint {
  const secrets = text.split(',').map((secret) => secret.trim());
  if (secrets.length > 2 || secrets.some((secret) => Buffer.byteLength(secret) < 32)) {
    return new ConfigComplaint({
      es: 'escriba un secreto de al menos 32 bytes, o dos con una coma mientras cambia.',
      en: 'give a secret of at least 32 bytes, or two with a comma between while it is changed.',
    });
  }
  return secrets;
}
