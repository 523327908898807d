import type { SignatureAlgorithm } from 'sri-core';
import { type AdminToken, parseAdminTokens } from './admin/admin-tokens.js';
import { type BankTransfer, parseBankTransfer } from './billing/bank-transfer.js';
import {
  ConfigComplaint,
  ConfigError,
  type ConfigProblem,
  type Parse,
  parseChoice,
  parseFlag,
  parseInteger,
  parseList,
  parsePattern,
  parseRate,
  parseSeconds,
  parseSignedSpan,
  parseSpan,
  parseSpanOrOff,
  parseSpans,
  parseUrl,
  type Rate,
} from './config-values.js';
import { type TrustedProxies, toTrustedProxies } from './http/client-address.js';
import { type MasterKeys, parseMasterKeys } from './tenancy/master-keys.js';
import { PLAN_LIMITS, type Plans } from './tenancy/plans.js';
import { readPlansFile } from './tenancy/plans-file.js';

/** How a server is set. Times in milliseconds; null where a value is derived or left out. */
export interface Config {
  /** True with `NODE_ENV=production`: stricter about keys, clocks and addresses. */
  readonly production: boolean;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly dataDir: string;
  /** `file:<path>` or `postgres://…`; null for `app.db` in the data directory. */
  readonly databaseUrl: string | null;
  /** The server's own address as others see it; null for where it listens. */
  readonly baseUrl: string | null;
  /** The web application; null for the base address. */
  readonly appUrl: string | null;
  /** Where error pages live; null for `/docs` under the base address. */
  readonly docsUrl: string | null;
  /** Null outside production: made at the first start and kept in the data directory. */
  readonly masterKeys: MasterKeys | null;
  /** Two values are allowed, so that the secret can be changed without a gap. */
  readonly internalServiceSecrets: readonly string[];
  /** Whoever shows one of them is the operator; empty for none, and then `/v1/admin` does not exist. */
  readonly adminTokens: readonly AdminToken[];
  readonly onboarding: 'public' | 'internal';
  readonly onboardingRate: Rate;
  readonly trustProxy: TrustedProxies;
  readonly apiKeyBrand: string;
  readonly verificationTtlMs: number;
  /** Hosts a verification link may lead to; empty for any. */
  readonly verificationRedirectHosts: readonly string[];
  readonly sriMode: 'simulator' | 'live';
  readonly sriSandboxUrl: string | null;
  readonly sriProductionUrl: string | null;
  readonly sriConnectTimeoutMs: number;
  readonly sriTimeoutMs: number;
  readonly sriRetryIntervalMs: number;
  readonly sriMaxAttempts: number;
  readonly sriAuthFirstDelayMs: number;
  readonly sriConcurrency: number;
  readonly softwareProviderRuc: string | null;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly quotaEnforcement: 'production' | 'all' | 'off';
  /** What each tier allows and costs: the built-in table, or that of a file. */
  readonly plans: Plans;
  /** `fixed`: the limits of the routes that have one. `tier`: instead of those the reads and writes of the key's plan. */
  readonly rateLimits: 'fixed' | 'tier';
  readonly documentStrict: boolean;
  readonly pastDueMode: 'free' | 'block';
  /** The account that payments are transferred to; null for none, and then answers and mails name none. */
  readonly bankTransfer: BankTransfer | null;
  /** IVA on what accounts pay: percent, as decimal text. */
  readonly ivaRate: string;
  /** Whether agreements are published, and asked for before an account moves to production. */
  readonly agreements: boolean;
  readonly smtpUrl: string | null;
  /** `name <address>` or an address; null for a no-reply address at the base address. */
  readonly mailFrom: string | null;
  readonly smtpTimeoutMs: number;
  /** Whether a buyer gets the document by mail once it is authorized. */
  readonly mailToBuyers: boolean;
  /** A folder with texts in the place of the built-in ones; see `mail/mail-templates.ts`. */
  readonly mailTemplates: string | null;
  /** How long notifications are shown; null for ever. */
  readonly notificationTtlMs: number | null;
  /** Whether the types that the interface reserves are made as well. */
  readonly reservedNotifications: boolean;
  /** Until a webhook's receiver has begun to answer. */
  readonly webhookTimeoutMs: number;
  /** After each failed attempt but the last. */
  readonly webhookDelaysMs: readonly number[];
  /** For development: webhooks may lead to plain HTTP and to machines of one's own. */
  readonly webhookAllowInsecure: boolean;
  /** A file with an extra root certificate for webhooks, PEM. */
  readonly webhookCaFile: string | null;
  /** The signature's headers also go out under this prefix. */
  readonly webhookHeaderPrefix: string | null;
  readonly leaseMs: number;
  readonly shutdownGraceMs: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly logFormat: 'json' | 'text';
  /** Added to the machine's time, to rehearse renewals, expiries and retries. */
  readonly clockOffsetMs: number;
}

/**
 * Reads the configuration. Every variable that is wrong is named at once; variables of later releases are let pass.
 *
 * @param env the environment's variables; an empty one counts as unset.
 * @throws ConfigError
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: ConfigProblem[] = [];
  const production = env.NODE_ENV === 'production';

  function read<T, F>(variable: string, parse: Parse<T>, fallback: F): T | F {
    const text = env[variable]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (!(value instanceof ConfigComplaint)) return value;
    problems.push({ variable, message: value.message });
    return fallback;
  }
  const refuse = (variable: string, message: string) => problems.push({ variable, message });

  const config: Config = {
    production,
    host: read('HOST', parsePattern(/^[\w.:-]{1,63}$/, 'give a host name or an address.'), '127.0.0.1'),
    port: read('PORT', parseInteger(0, 65_535), 3000),
    dataDir: read('DATA_DIR', (text) => text, './data'),
    databaseUrl: read('DATABASE_URL', parseDatabaseUrl, null),
    baseUrl: read('BASE_URL', parseUrl, null),
    appUrl: read('APP_URL', parseUrl, null),
    docsUrl: read('DOCS_URL', parseUrl, null),
    masterKeys: read('MASTER_KEYS', parseMasterKeys, null),
    internalServiceSecrets: read('INTERNAL_SERVICE_SECRET', parseSecrets, []),
    adminTokens: read('ADMIN_TOKEN', parseAdminTokens, []),
    onboarding: read('ONBOARDING', parseChoice(['public', 'internal']), 'public'),
    onboardingRate: read('ONBOARDING_RATE', parseRate, { limit: 5, windowMs: 3_600_000 }),
    trustProxy: read('TRUST_PROXY', toTrustedProxies, { hops: 0 }),
    apiKeyBrand: read('API_KEY_BRAND', parsePattern(/^[a-z]{2,8}$/, 'give 2 to 8 lower-case letters.'), 'sri'),
    verificationTtlMs: read('VERIFICATION_TTL', parseSpan, 24 * 3_600_000),
    verificationRedirectHosts: read('VERIFICATION_REDIRECT_HOSTS', parseList, []),
    sriMode: read('SRI_MODE', parseChoice(['simulator', 'live']), production ? 'live' : 'simulator'),
    sriSandboxUrl: read('SRI_SANDBOX_URL', parseUrl, null),
    sriProductionUrl: read('SRI_PRODUCTION_URL', parseUrl, null),
    sriConnectTimeoutMs: read('SRI_CONNECT_TIMEOUT', parseSpan, 5_000),
    sriTimeoutMs: read('SRI_TIMEOUT', parseSpan, 30_000),
    sriRetryIntervalMs: read('SRI_RETRY_INTERVAL', parseSpan, 5 * 60_000),
    sriMaxAttempts: read('SRI_MAX_ATTEMPTS', parseInteger(1, 100), 5),
    sriAuthFirstDelayMs: read('SRI_AUTH_FIRST_DELAY', parseSpan, 3_000),
    sriConcurrency: read('SRI_CONCURRENCY', parseInteger(1, 1000), 8),
    softwareProviderRuc: read('SOFTWARE_PROVIDER_RUC', parsePattern(/^\d{13}$/, 'a RUC has 13 digits.'), null),
    signatureAlgorithm: read('SIGNATURE_ALGORITHM', parseChoice(['rsa-sha1', 'rsa-sha256']), 'rsa-sha1'),
    quotaEnforcement: read('QUOTA_ENFORCEMENT', parseChoice(['production', 'all', 'off']), 'production'),
    plans: read('PLANS_FILE', readPlansFile, PLAN_LIMITS),
    rateLimits: read('RATE_LIMITS', parseChoice(['tier']), 'fixed'),
    documentStrict: read('DOCUMENT_STRICT', parseFlag, false),
    pastDueMode: read('PAST_DUE_MODE', parseChoice(['free', 'block']), 'free'),
    bankTransfer: read('BANK_TRANSFER', parseBankTransfer, null),
    ivaRate: read('IVA_RATE', parsePattern(/^\d{1,2}(\.\d{1,2})?$/, 'give a percentage such as 15.'), '15'),
    agreements: read('AGREEMENTS', parseChoice(['on', 'off']), 'on') === 'on',
    smtpUrl: read('SMTP_URL', parsePattern(/^smtps?:\/\/\S+$/, 'give an address such as smtp://mail:25.'), null),
    mailFrom: read(
      'MAIL_FROM',
      parsePattern(/^[^\r\n@]*[^\s<@]+@[^\s>@]+>?$/, 'give an address, or Name <address>.'),
      null,
    ),
    smtpTimeoutMs: read('SMTP_TIMEOUT', parseSpan, 30_000),
    mailToBuyers: read('MAIL_TO_BUYERS', parseChoice(['on', 'off']), 'on') === 'on',
    mailTemplates: read('MAIL_TEMPLATES', (text) => text, null),
    notificationTtlMs: read('NOTIFICATION_TTL', parseSpanOrOff, 90 * 24 * 3_600_000),
    reservedNotifications: read('RESERVED_NOTIFICATIONS', parseChoice(['on', 'off']), 'off') === 'on',
    webhookTimeoutMs: read('WEBHOOK_TIMEOUT', parseSpan, 15_000),
    webhookDelaysMs: read('WEBHOOK_DELAYS', parseSpans, [30_000, 120_000]),
    webhookAllowInsecure: read('WEBHOOK_ALLOW_INSECURE', parseFlag, false),
    webhookCaFile: read('WEBHOOK_CA_FILE', (text) => text, null),
    webhookHeaderPrefix: read(
      'WEBHOOK_HEADER_PREFIX',
      parsePattern(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, 'give a prefix such as X-Example.'),
      null,
    ),
    leaseMs: read('LEASE_SECONDS', parseSeconds, 60_000),
    shutdownGraceMs: read('SHUTDOWN_GRACE', parseSpan, 30_000),
    logLevel: read('LOG_LEVEL', parseChoice(['trace', 'debug', 'info', 'warn', 'error', 'silent']), 'info'),
    logFormat: read('LOG_FORMAT', parseChoice(['json', 'text']), 'json'),
    clockOffsetMs: read('CLOCK_OFFSET', parseSignedSpan, 0),
  };

  read('TIMEZONE', parseChoice(['America/Guayaquil']), null);
  if (production && !config.masterKeys && !problems.some(({ variable }) => variable === 'MASTER_KEYS')) {
    refuse('MASTER_KEYS', `required in production. Make one with: ${MAKE_MASTER_KEY}`);
  }
  if (production && config.clockOffsetMs !== 0) refuse('CLOCK_OFFSET', 'a rehearsal clock is refused in production.');
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

// --- internal ---

const MAKE_MASTER_KEY = `node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"`;

const parseDatabaseUrl: Parse<string> = (text) =>
  /^file:.+/.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
    ? text
    : new ConfigComplaint('give file:<path> or postgres://user:password@host/database.');

const parseSecrets: Parse<readonly string[]> = (text) => {
  const secrets = text.split(',').map((secret) => secret.trim());
  if (secrets.length > 2 || secrets.some((secret) => Buffer.byteLength(secret) < 32)) {
    return new ConfigComplaint('give a secret of at least 32 bytes, or two with a comma between while it is changed.');
  }
  return secrets;
};
