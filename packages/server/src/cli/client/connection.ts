import { type CommandCall, type CommandOptions, textOption, UsageError } from 'sri-core/cli';

/**
 * The options of commands that call a server. The key is not an option: every user of a machine can see command lines.
 */
export const CONNECTION_OPTIONS = {
  url: textOption('address', {
    es: 'El servidor; si no, SRI_URL, o http://127.0.0.1:3000. La clave de API va en SRI_API_KEY',
    en: 'The server; otherwise SRI_URL, or http://127.0.0.1:3000. The API key goes in SRI_API_KEY',
  }),
  issuer: textOption('id', { es: 'El emisor; si no, SRI_ISSUER_ID', en: 'The issuer; otherwise SRI_ISSUER_ID' }),
} as const satisfies CommandOptions;

/** The server of a command, its key and its issuer. */
export interface Connection {
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  readonly issuerId: string | null;
  readonly language: 'es' | 'en';
}

/** The connection of one issuer. */
export interface IssuerConnection extends Connection {
  readonly issuerId: string;
}

/** The connection of a command about documents. @throws UsageError */
export function readIssuerConnection(call: Parameters<typeof readConnection>[0]): IssuerConnection {
  const { issuerId, ...connection } = readConnection(call);
  if (issuerId !== null) return { ...connection, issuerId };
  throw new UsageError({
    es: 'Falta el emisor: SRI_ISSUER_ID en .env, o --issuer. GET /v1/issuers los lista.',
    en: 'The issuer is missing: SRI_ISSUER_ID in .env, or --issuer. GET /v1/issuers lists them.',
  });
}

/** The connection of options and variables. @throws UsageError */
export function readConnection({
  options,
  env,
  language,
}: Pick<CommandCall<typeof CONNECTION_OPTIONS>, 'options' | 'env' | 'language'>): Connection {
  const url = (options.url ?? env['SRI_URL'] ?? 'http://127.0.0.1:3000').replace(/\/+$/, '');
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError({
      es: 'El servidor se nombra como http://127.0.0.1:3000.',
      en: 'A server is named like http://127.0.0.1:3000.',
    });
  }
  const apiKey = env['SRI_API_KEY']?.trim();
  if (!apiKey) {
    throw new UsageError({
      es: 'Falta SRI_API_KEY. «sri-server init» la escribe en .env; ejecute el comando en esa carpeta.',
      en: 'SRI_API_KEY is missing. «sri-server init» writes it into .env; run the command in that folder.',
    });
  }
  return { url, apiKey, issuerId: (options.issuer ?? env['SRI_ISSUER_ID'])?.trim() || null, language };
}
