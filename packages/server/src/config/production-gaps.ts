import type { Config } from './config.js';

/**
 * What a production server does without, and what that means: nothing that stops it, and nothing that anybody wants.
 *
 * @returns sentences for the log; none outside production.
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
      : ['BASE_URL is not set: links in mails and errors lead to this machine, which nobody else reaches']),
    ...(baseUrl?.startsWith('http:') ? ['BASE_URL is not https: keys and documents would travel in the clear'] : []),
    ...(use === 'own' || softwareProviderRuc
      ? []
      : [
          'SOFTWARE_PROVIDER_RUC is not set: a server for others has to name its provider in every document (NAC-DGERCGC26-00000027)',
        ]),
    ...(smtpUrl ? [] : ['SMTP_URL is not set: mails are written to files, and reach nobody']),
  ];
}
