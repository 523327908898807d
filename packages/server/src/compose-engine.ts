import {
  type Clock,
  createEngine,
  type Engine,
  type IssuerSource,
  type Logger,
  type Random,
  type RideInput,
  type Scope,
  type Storage,
  type Transport,
} from 'sri-core';
import type { Config } from './config/config.js';

/** The parts of the server's engine. */
export interface EngineDeps {
  readonly config: Config;
  readonly storage: Storage;
  readonly issuers: IssuerSource;
  /** Whether an issuer's documents may go to the SRI at the moment. */
  readonly maySend: (scope: Scope) => Promise<boolean>;
  /** Renders the RIDE outside the event loop. */
  readonly printRide: (input: RideInput) => Promise<Uint8Array>;
  /** The account of an issuer. */
  readonly ownerOf: (issuerId: string) => Promise<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The connection to the SRI, for each environment. */
  readonly transport: Readonly<Record<'sandbox' | 'production', Transport>>;
}

/** Builds the engine from the configuration. */
export function composeEngine({ config, ...ports }: EngineDeps): Engine {
  return createEngine({
    ...ports,
    sriUrls: {
      ...(config.sriSandboxUrl ? { sandbox: config.sriSandboxUrl } : {}),
      ...(config.sriProductionUrl ? { production: config.sriProductionUrl } : {}),
    },
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
    },
  });
}
