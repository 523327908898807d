import type { Config } from './config.js';

/**
 * Settings that a production server lacks, and the consequences. None of them prevents the start.
 * @returns sentences for the log; empty outside production.
 */
export function findProductionGaps({
  production,
  use,
  baseUrl,
  smtpUrl,
  softwareProviderRuc,
}: Config): readonly string[] {
  if (!production) return [];
  return [
    ...(baseUrl
      ? []
      : ['BASE_URL is not set: links in mails and errors lead to this machine, which other machines cannot reach']),
    ...(baseUrl?.startsWith('http:') ? ['BASE_URL is not https: keys and documents would travel in the clear'] : []),
    ...(use === 'own' || softwareProviderRuc
      ? []
      : [
          'SOFTWARE_PROVIDER_RUC is not set: a server for others has to name its provider in every document (NAC-DGERCGC26-00000027)',
        ]),
    ...(smtpUrl ? [] : ['SMTP_URL is not set: mails are written to files, and are not sent']),
  ];
}
