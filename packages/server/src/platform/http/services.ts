import type { Engine, Logger, RideInput, TaxFigures } from 'sri-core';
import type { WriteParts } from '../database/write-parts.js';
import type { Background } from '../jobs/background.js';
import type { FairTurns } from '../jobs/fair-turns.js';
import type { Limits } from '../limits/limits.js';
import type { Metrics } from '../ops/metrics.js';
import type { Pulses } from '../ops/pulses.js';
import type { Vault } from '../secrets/vault.js';
import type { BodyBudget } from './body-budget.js';
import type { CallerPlaces } from './caller-places.js';
import type { KeptContents } from './kept-content.js';

/** The addresses of a server, without a trailing slash. */
export interface ServerUrls {
  readonly baseUrl: string;
  readonly appUrl: string;
  /** The prefix of a problem's `type`. */
  readonly docsUrl: string;
}

/** The services of handlers. Each area declares its own in its `index.ts`. */
export interface Services extends WriteParts {
  readonly urls: ServerUrls;
  readonly logger: Logger;
  readonly vault: Vault;
  readonly engine: Engine;
  readonly limits: Limits;
  /** Answers that do not change. */
  readonly kept: KeptContents;
  /** Memory for the bodies of requests. */
  readonly bodyBudget: BodyBudget;
  /** The requests of each caller that run at once. */
  readonly callerPlaces: CallerPlaces;
  /** Prints and logos, by caller. */
  readonly printTurns: FairTurns;
  /** Prints a RIDE on its caller's turn, outside the event loop. @throws as `FairTurns.take`; XmlError */
  printRide(caller: string, input: RideInput): Promise<Uint8Array>;
  /** As `printRide`, on a turn that may take long to come. */
  printPatiently(caller: string, input: RideInput): Promise<Uint8Array>;
  /**
   * Reads the amounts of comprobantes outside the event loop, on their caller's turn, which may take long to come. Null
   * for one that cannot be read.
   */
  readFigures(caller: string, xmls: readonly string[]): Promise<readonly (TaxFigures | null)[]>;
  /** JSON bodies that take milliseconds of the event loop, by caller. */
  readonly largeBodies: FairTurns;
  readonly background: Background;
  readonly metrics: Metrics;
  /** The state of the background loops. */
  readonly pulses: Pulses;
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
