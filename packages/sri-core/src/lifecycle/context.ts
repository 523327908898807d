import type { Language } from '../catalogs/catalog.js';
import type { Clock } from '../clock.js';
import { IssuerNotFoundError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Random } from '../random.js';
import type { SignatureAlgorithm } from '../signing/signer.js';
import type { IssuingCalls } from '../sri/soap-client.js';
import type { ClaimedJob, Scope, Storage } from '../storage.js';
import type { EngineEvents } from './engine-events.js';
import type { EngineIssuer, IssuerSource } from './issuer-source.js';
import type { OwnerTurns } from './owner-turns.js';
import type { Schedule } from './schedule.js';
import type { SriHosts } from './sri-hosts.js';
import type { SriSlots } from './sri-slots.js';

/** The ports and settings of an engine, shared by its use cases. */
export interface LifecycleContext {
  readonly storage: Storage;
  readonly issuers: IssuerSource;
  readonly sri: IssuingCalls;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Returns a UUIDv7 for that moment. */
  readonly newId: (now: Date) => string;
  readonly schedule: Schedule;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly softwareProviderRuc: string | undefined;
  readonly strict: boolean;
  /** Language of validation messages and warnings. */
  readonly language: Language;
  readonly requireAmounts: boolean;
  /** The SRI's hosts, as all processes see them. */
  readonly hosts: SriHosts;
  /** The call slots of this process to the SRI. */
  readonly slots: SriSlots;
  /** The owner of an issuer's calls to the SRI. */
  readonly ownerOf: (issuerId: string) => string | Promise<string>;
  /** The order of owners; undefined when each issuer is its own owner and the storage rotates among issuers. */
  readonly turns: OwnerTurns | undefined;
  /** Whether documents of that scope may be sent to the SRI now. */
  readonly maySend: (scope: Scope) => Promise<boolean>;
  /** Notifies the subscribers; never throws. */
  readonly emit: <Name extends keyof EngineEvents>(name: Name, detail: EngineEvents[Name]) => void;
  /** Signals that a job became due, so that a sleeping loop wakes at once. */
  readonly wake: () => void;
  /** A slot for a job that its caller queues now; null when other jobs come first, or when no loop runs. */
  readonly takeSlot: () => JobSlot | null;
}

/** A slot of this process's worker, taken for one job before it is queued. */
export interface JobSlot {
  /** Runs the job, which the caller has claimed. */
  readonly run: (claimed: ClaimedJob) => void;
  /** Frees the slot, unless the job runs. */
  readonly close: () => void;
  /** Resolves when the slot is free again. */
  readonly ended: Promise<void>;
}

/** The issuer of that id. @throws IssuerNotFoundError */
export async function requireIssuer(context: LifecycleContext, issuerId: string): Promise<EngineIssuer> {
  const issuer = await context.issuers.find(issuerId);
  if (!issuer) throw new IssuerNotFoundError('There is no issuer of that id.');
  return issuer;
}
