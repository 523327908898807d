import { type ClosableTransport, undiciTransport } from 'sri-core';
import type { Config } from './config.js';

/** The way to the SRI that the settings name. @param connections per host; by default those of the library. */
export function openSriTransport(config: Config, connections?: number): ClosableTransport {
  return undiciTransport({
    connectTimeoutMs: config.sriConnectTimeoutMs,
    timeoutMs: config.sriTimeoutMs,
    ...(config.sriProxy !== null && { proxy: config.sriProxy }),
    ...(connections !== undefined && { connections }),
  });
}
