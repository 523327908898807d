import { type ClosableTransport, type Environment, SRI_URLS, undiciTransport } from 'sri-core';
import type { Config } from './config.js';

/** The addresses of the SRI: those of the settings, else its own. */
export function sriUrls({ sriSandboxUrl, sriProductionUrl }: Config): Readonly<Record<Environment, string>> {
  return { sandbox: sriSandboxUrl ?? SRI_URLS.sandbox, production: sriProductionUrl ?? SRI_URLS.production };
}

/** The way to the SRI that the settings name. @param connections per host; by default those of the library. */
export function openSriTransport(config: Config, connections?: number): ClosableTransport {
  return undiciTransport({
    connectTimeoutMs: config.sriConnectTimeoutMs,
    timeoutMs: config.sriTimeoutMs,
    ...(config.sriProxy !== null && { proxy: config.sriProxy }),
    ...(connections !== undefined && { connections }),
  });
}
