import type { LocalizedText } from 'sri-core';
import { ConfigComplaint, ConfigError, parseChoice } from '../platform/config-values.js';
import { VARIABLES, type Variable } from './config-variables.js';

/** The settings of a server: a value for each of `VARIABLES`, which documents their purpose. Times in milliseconds. */
export type Config = Omit<Values, 'sriMode'> & {
  /** True with `NODE_ENV=production`: stricter about keys, clocks and addresses. */
  readonly production: boolean;
  readonly sriMode: 'simulator' | 'live' | 'offline';
};

/**
 * Reads the configuration. Reports every invalid variable at once; ignores variables of later releases.
 * @param env the environment's variables; an empty one counts as unset.
 * @throws ConfigError
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: { readonly variable: string; readonly texts: LocalizedText }[] = [];
  const refuse = (variable: string, texts: LocalizedText) => problems.push({ variable, texts });
  const isRefused = (name: string) => problems.some(({ variable }) => variable === name);

  function read<T>({ name, parse, fallback }: Pick<Variable<T>, 'name' | 'parse' | 'fallback'>): T {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (!(value instanceof ConfigComplaint)) return value;
    refuse(name, value.texts);
    return fallback;
  }

  // A misspelt «production» would use the simulator.
  const environment = read({
    name: 'NODE_ENV',
    parse: parseChoice(['production', 'development', 'test']),
    fallback: 'development',
  });
  const production = environment === 'production';
  const values = readAll(read);
  // A server for one company's own use has no public registration and no agreements.
  const own = values.use === 'own' ? ({ onboarding: 'internal', agreements: false } as const) : {};
  const config: Config = {
    ...values,
    ...own,
    production,
    sriMode: values.sriMode ?? (production ? 'live' : 'simulator'),
  };

  read<string | null>({ name: 'TIMEZONE', parse: parseChoice(['America/Guayaquil']), fallback: null });
  if (production && !config.masterKeys && !config.readOnly && !isRefused('MASTER_KEYS')) {
    refuse('MASTER_KEYS', {
      es: `obligatoria en producción. Haga una con: ${MAKE_MASTER_KEY}`,
      en: `required in production. Make one with: ${MAKE_MASTER_KEY}`,
    });
  }
  if (config.databaseSchema !== null && !config.databaseUrl?.startsWith('postgres') && !isRefused('DATABASE_URL')) {
    refuse('DATABASE_SCHEMA', {
      es: 'solo PostgreSQL tiene esquemas: ponga un PostgreSQL en DATABASE_URL, o quítela.',
      en: 'only PostgreSQL has schemas: set DATABASE_URL to a PostgreSQL, or leave it out.',
    });
  }
  if (production && config.sriMode === 'offline') {
    refuse('SRI_MODE', {
      es: 'offline se rechaza en producción: sus documentos deben llegar al SRI.',
      en: 'offline is refused in production: its documents have to reach the SRI.',
    });
  }
  if (production && config.clockOffsetMs !== 0) {
    refuse('CLOCK_OFFSET', {
      es: 'un reloj de ensayo se rechaza en producción.',
      en: 'a rehearsal clock is refused in production.',
    });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

// --- internal ---

const MAKE_MASTER_KEY = `node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"`;

type Values = { readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name]['fallback'] };

function readAll(read: (variable: Variable<unknown>) => unknown): Values {
  const entries = Object.entries(VARIABLES).map(([name, variable]) => [name, read(variable as Variable<unknown>)]);
  // Each variable returns a value of its type; `Object.fromEntries` loses that type.
  return Object.fromEntries(entries) as Values;
}
