import type { Language } from 'sri-core';
import { mailFolder } from '../mail/index.js';
import type { Config } from './config.js';
import { sriUrls } from './sri-transport.js';

/** The destinations of documents, mails and data, for users and the log. Contains no secrets. */
export interface Destinations {
  readonly sandboxDocuments: string;
  readonly productionDocuments: string;
  readonly mail: string;
  readonly data: string;
}

/** Describes the destinations. @param database the name of the opened database. */
export function describeDestinations(config: Config, database: string, language: Language = 'en'): Destinations {
  const { simulator, sri, files } = WORDS[language];
  const { sriMode, smtpUrl } = config;
  const { sandbox, production } = sriUrls(config);
  return {
    sandboxDocuments: sriMode === 'live' ? `${sri}, ${sandbox}` : simulator,
    productionDocuments: sriMode === 'offline' ? simulator : `${sri}, ${production}`,
    mail: smtpUrl ? `SMTP, ${new URL(smtpUrl).host}` : `${files} ${mailFolder(config)}`,
    data: database,
  };
}

// --- internal ---

const WORDS = {
  es: { simulator: 'el simulador incorporado', sri: 'el SRI', files: 'archivos en' },
  en: { simulator: 'the built-in simulator', sri: 'the SRI', files: 'files in' },
};
