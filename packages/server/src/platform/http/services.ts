import type { Engine, Logger, RideInput, TaxFigures } from 'sri-core';
import type { WriteDeps } from '../database/write-deps.js';
import type { Background } from '../jobs/background.js';
import type { FairQueue } from '../jobs/fair-queue.js';
import type { Limits } from '../limits/limits.js';
import type { Metrics } from '../ops/metrics.js';
import type { Watchdog } from '../ops/watchdog.js';
import type { Vault } from '../secrets/vault.js';
import type { BodyBudget } from './body-budget.js';
import type { CallerSlots } from './caller-slots.js';
import type { StaticContents } from './static-content.js';

/** The addresses of a server, without a trailing slash. */
export interface ServerUrls {
  readonly baseUrl: string;
  readonly appUrl: string;
  /** The prefix of a problem's `type`. */
  readonly docsUrl: string;
}

/** The services of handlers. Each area declares its own in its `index.ts`. */
export interface Services extends WriteDeps {
  readonly urls: ServerUrls;
  readonly logger: Logger;
  readonly vault: Vault;
  readonly engine: Engine;
  readonly limits: Limits;
  /** Answers that do not change. */
  readonly staticContents: StaticContents;
  /** Memory for the bodies of requests. */
  readonly bodyBudget: BodyBudget;
  /** The requests of each caller that run at once. */
  readonly callerSlots: CallerSlots;
  /** Prints and logos, by caller. */
  readonly printQueue: FairQueue;
  /** Prints a RIDE on its caller's turn, outside the event loop. @throws as `FairQueue.run`; XmlError */
  printRide(caller: string, input: RideInput): Promise<Uint8Array>;
  /** As `printRide`, on a turn that may take long to come. */
  printPatiently(caller: string, input: RideInput): Promise<Uint8Array>;
  /**
   * Reads the amounts of comprobantes outside the event loop, on their caller's turn, which may take long to come. Null
   * for one that cannot be read.
   */
  readFigures(caller: string, xmls: readonly string[]): Promise<readonly (TaxFigures | null)[]>;
  /** JSON bodies that take milliseconds of the event loop, by caller. */
  readonly largeBodies: FairQueue;
  readonly background: Background;
  readonly metrics: Metrics;
  /** The state of the background loops. */
  readonly watchdog: Watchdog;
  /** Short, unguessable, sortable by time. */
  newRequestId(): string;
  /** As `Engine.sriStanding`; simultaneous requests share one read. */
  readonly sriStanding: Engine['sriStanding'];
  /** Uses a separate connection. @throws if the database does not answer. */
  checkDatabase(): Promise<void>;
  /** Uses the same connection. @throws WritesRefusedError if the database keeps no writes. */
  checkWrites(): Promise<void>;
  /** Uses the same connection. @throws if a master key is missing or differs. */
  checkMasterKeys(): Promise<void>;
  /** True after a stop was requested. */
  isDraining(): boolean;
}
