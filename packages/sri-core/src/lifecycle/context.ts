import type { Language } from '../catalogs/catalog.js';
import type { Clock } from '../clock.js';
import { IssuerNotFoundError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Random } from '../random.js';
import type { SignatureAlgorithm } from '../signing/signer.js';
import type { SriClient } from '../sri/soap-client.js';
import type { Scope, Storage } from '../storage.js';
import type { EngineEvents } from './engine-events.js';
import type { EngineIssuer, IssuerSource } from './issuer-source.js';
import type { Schedule } from './schedule.js';

/** What the use cases work with: the ports, and how this engine was set. */
export interface LifecycleContext {
  readonly storage: Storage;
  readonly issuers: IssuerSource;
  readonly sri: SriClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** A UUIDv7 for that moment. */
  readonly newId: (now: Date) => string;
  readonly schedule: Schedule;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly softwareProviderRuc: string | undefined;
  readonly strict: boolean;
  /** Of the messages of what is wrong with an input, and of warnings. */
  readonly language: Language;
  readonly requireAmounts: boolean;
  /** Whether documents of that scope may go to the SRI at the moment. */
  readonly maySend: (scope: Scope) => Promise<boolean>;
  /** Tells the subscribers; never throws. */
  readonly emit: <Name extends keyof EngineEvents>(name: Name, detail: EngineEvents[Name]) => void;
  /** Says that a job was made due, so that a sleeping loop looks at once. */
  readonly wake: () => void;
}

/** The issuer of that id. @throws IssuerNotFoundError */
export async function requireIssuer(context: LifecycleContext, issuerId: string): Promise<EngineIssuer> {
  const issuer = await context.issuers.find(issuerId);
  if (!issuer) throw new IssuerNotFoundError('There is no issuer of that id.');
  return issuer;
}
