import { createEngine, type Engine, type EngineOptions } from 'sri-core';
import type { Config } from './config/config.js';
import { sriUrls } from './config/sri-transport.js';

type Port = 'storage' | 'issuers' | 'maySend' | 'printRide' | 'ownerOf' | 'clock' | 'random' | 'logger' | 'transport';

/** Builds the engine from the configuration. */
export function composeEngine({
  config,
  ...ports
}: Required<Pick<EngineOptions, Port>> & { readonly config: Config }): Engine {
  return createEngine({
    ...ports,
    sriUrls: sriUrls(config),
    signatureAlgorithm: config.signatureAlgorithm,
    ...(config.softwareProviderRuc ? { softwareProviderRuc: config.softwareProviderRuc } : {}),
    strict: config.documentStrict,
    requireAmounts: true,
    // Logs are in English; answers describe an error by its code and rules.
    language: 'en',
    schedule: {
      retryIntervalMs: config.sriRetryIntervalMs,
      maxAttempts: config.sriMaxAttempts,
      firstAuthorizationDelayMs: config.sriAuthFirstDelayMs,
      concurrency: config.sriConcurrency,
      leaseMs: config.leaseMs,
      timeoutMs: config.sriTimeoutMs,
      // The end of a suspension makes its documents due.
      putOffMs: 600_000,
    },
  });
}
