import { SRI_URLS } from 'sri-core';
import { mailFolder } from '../mail/index.js';
import type { Config } from './config.js';

/** The destinations of documents, mails and data, for users and the log. Contains no secrets. */
export interface ServerPlaces {
  readonly sandboxDocuments: string;
  readonly productionDocuments: string;
  readonly mail: string;
  readonly data: string;
}

/** Describes the destinations. @param database the name of the opened database. */
export function describePlaces(config: Config, database: string): ServerPlaces {
  const sandbox = config.sriSandboxUrl ?? SRI_URLS.sandbox;
  return {
    sandboxDocuments: config.sriMode === 'live' ? `the SRI, ${sandbox}` : SIMULATOR,
    productionDocuments:
      config.sriMode === 'offline' ? SIMULATOR : `the SRI, ${config.sriProductionUrl ?? SRI_URLS.production}`,
    mail: config.smtpUrl ? `SMTP, ${new URL(config.smtpUrl).host}` : `files in ${mailFolder(config)}`,
    data: database,
  };
}

// --- internal ---

const SIMULATOR = 'the built-in simulator';
