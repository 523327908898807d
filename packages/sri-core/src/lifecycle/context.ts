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
import type { OwnerTurns } from './owner-turns.js';
import type { Schedule } from './schedule.js';
import type { SriHosts } from './sri-hosts.js';
import type { SriPlaces } from './sri-places.js';

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
  /** The SRI's hosts, as all processes know them. */
  readonly hosts: SriHosts;
  /** Of the calls to the SRI of this process. */
  readonly places: SriPlaces;
  /** Whose calls to the SRI those of an issuer are. */
  readonly ownerOf: (issuerId: string) => string | Promise<string>;
  /** Whose turn it is; undefined where each issuer is its own owner, among whom the storage goes round itself. */
  readonly turns: OwnerTurns | undefined;
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
