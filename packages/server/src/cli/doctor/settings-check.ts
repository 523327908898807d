import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CliText } from 'sri-core/cli';
import type { Config } from '../../config/config.js';
import type { ConfigError } from '../../platform/config-values.js';
import { quoteWord } from '../frame/shell-word.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

const NEW_MASTER_KEY = `echo "MASTER_KEYS=k1:$(openssl rand -base64 32)" >> .env`;

/** Each invalid variable. @param masterKeyFix the remedy for `MASTER_KEYS`. */
export function findInConfigError({ problems }: ConfigError, masterKeyFix: CliText): readonly DoctorFinding[] {
  return problems.map(({ variable, texts }) =>
    fail('settings', {
      es: `${variable}: ${texts.es}`,
      en: `${variable}: ${texts.en}`,
      fix:
        variable === 'MASTER_KEYS'
          ? masterKeyFix
          : { es: `Corrija ${variable} en .env`, en: `Correct ${variable} in .env` },
    }),
  );
}

/** The remedy for unreadable `MASTER_KEYS` in settings. A new key would not open the secrets of another key. */
export function fixMasterKeys({ isSet, dataDir }: { readonly isSet: boolean; readonly dataDir: string }): CliText {
  if (isSet) return { es: 'Corrija MASTER_KEYS en .env', en: 'Correct MASTER_KEYS in .env' };
  const path = join(dataDir, 'master.key');
  return existsSync(path) ? copyOf(path) : NEW_MASTER_KEY;
}

/** The remedy for a database whose master key is neither set nor in its file. */
export const FORMER_MASTER_KEY: CliText = {
  es: `Ponga en MASTER_KEYS la clave que se guardó con el respaldo. Solo una base sin secretos recibe una nueva: ${NEW_MASTER_KEY}`,
  en: `Put the key that was kept with the backup into MASTER_KEYS. Only a database without secrets takes a new one: ${NEW_MASTER_KEY}`,
};

/** Settings that production needs and that are missing. */
export function* findInSettings(config: Config): Generator<DoctorFinding> {
  const { production, masterKeys, sriMode } = config;
  yield fine('settings', {
    es: `Las variables se entienden (${production ? 'producción' : 'desarrollo'}, SRI: ${sriMode === 'live' ? 'el real' : 'simulado'}).`,
    en: `The variables are understood (${production ? 'production' : 'development'}, SRI: ${sriMode === 'live' ? 'the real one' : 'simulated'}).`,
  });
  if (!masterKeys) yield masterKeyFinding(config);
  if (production && sriMode === 'simulator') {
    yield warn('settings', {
      es: 'Producción con el SRI simulado.',
      en: 'Production with the simulated SRI.',
      fix: 'SRI_MODE=live',
    });
  }
  yield* findMissing(config);
}

/** The settings that production needs: a text if set. */
export type NeededSettings = Pick<Config, 'production' | 'dataDir' | 'use'> &
  Readonly<Record<'baseUrl' | 'smtpUrl' | 'databaseUrl' | 'softwareProviderRuc', string | null>>;

/** Missing settings that production needs, other than master keys. */
export function* findMissing(settings: NeededSettings): Generator<DoctorFinding> {
  const { production, use, baseUrl, smtpUrl, databaseUrl, softwareProviderRuc, dataDir } = settings;
  const severity = production ? warn : fine;
  if (!baseUrl) {
    yield severity('settings', {
      es: 'BASE_URL no está: los enlaces de los correos llevan la dirección local.',
      en: 'BASE_URL is not set: links in mails carry the local address.',
      fix: 'echo "BASE_URL=https://facturas.example.com" >> .env',
    });
  }
  if (!smtpUrl) {
    yield severity('settings', {
      es: 'SMTP_URL no está: los correos se escriben en archivos y no se envían.',
      en: 'SMTP_URL is not set: mails are written to files and not sent.',
      fix: 'echo "SMTP_URL=smtps://user:password@mail.example.com" >> .env',
    });
  }
  if (production && use === 'service' && !softwareProviderRuc) {
    yield warn('settings', {
      es: 'SOFTWARE_PROVIDER_RUC no está: un servidor para otros debe nombrar a su proveedor en cada comprobante (resolución NAC-DGERCGC26-00000027).',
      en: 'SOFTWARE_PROVIDER_RUC is not set: a server for others has to name its provider in every document (resolution NAC-DGERCGC26-00000027).',
      fix: {
        es: 'echo "SOFTWARE_PROVIDER_RUC=<su RUC>" >> .env; si solo emite para sus propias empresas: echo "USE=own" >> .env',
        en: 'echo "SOFTWARE_PROVIDER_RUC=<your RUC>" >> .env; for your own companies alone: echo "USE=own" >> .env',
      },
    });
  }
  if (!databaseUrl) {
    yield fine('settings', {
      es: `DATABASE_URL no está: se usa SQLite en ${join(dataDir, 'app.db')}.`,
      en: `DATABASE_URL is not set: SQLite in ${join(dataDir, 'app.db')} is used.`,
    });
  }
}

// --- internal ---

function masterKeyFinding({ dataDir }: Config): DoctorFinding {
  const path = join(dataDir, 'master.key');
  return existsSync(path)
    ? warn('masterKeys', {
        es: `La clave maestra está en ${path}, junto a los datos que protege.`,
        en: `The master key is in ${path}, next to the data it protects.`,
        fix: copyOf(path),
      })
    : fine('masterKeys', {
        es: 'MASTER_KEYS no está: el primer inicio hará una clave.',
        en: 'MASTER_KEYS is not set: the first start makes a key.',
      });
}

function copyOf(path: string): CliText {
  const command = `echo "MASTER_KEYS=$(cat ${quoteWord(path)})" >> .env`;
  return {
    es: `Cópiela de ${path} a MASTER_KEYS y guárdela aparte: ${command}`,
    en: `Copy it from ${path} to MASTER_KEYS and keep it elsewhere: ${command}`,
  };
}
