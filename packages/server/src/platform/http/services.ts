import type { Clock, Engine, Logger } from 'sri-core';
import type { ServerDatabase } from '../database/tables.js';
import type { Background } from '../jobs/background.js';
import type { FairTurns } from '../jobs/fair-turns.js';
import type { Limits } from '../limits/limits.js';
import type { Metrics } from '../ops/metrics.js';
import type { Pulses } from '../ops/pulses.js';
import type { Vault } from '../secrets/vault.js';
import type { BodyBudget } from './body-budget.js';
import type { CallerPlaces } from './caller-places.js';
import type { KeptContents } from './kept-content.js';

/** The addresses of a server, without a closing slash. */
export interface ServerUrls {
  readonly baseUrl: string;
  readonly appUrl: string;
  /** What the `type` of a problem begins with. */
  readonly docsUrl: string;
}

/** What handlers work with. Each area declares its own services in its `index.ts`. */
export interface Services {
  readonly urls: ServerUrls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: ServerDatabase;
  readonly vault: Vault;
  readonly engine: Engine;
  readonly limits: Limits;
  /** Answers that stay the same. */
  readonly kept: KeptContents;
  /** Room for the bodies of requests. */
  readonly bodyBudget: BodyBudget;
  /** The requests of each caller that run at once. */
  readonly callerPlaces: CallerPlaces;
  /** Prints and logos, by caller. */
  readonly printTurns: FairTurns;
  /** JSON bodies that take milliseconds of the event loop, by caller. */
  readonly largeBodies: FairTurns;
  readonly background: Background;
  readonly metrics: Metrics;
  /** The loops in the background that still run. */
  readonly pulses: Pulses;
  /** Short, unguessable, sortable by time. */
  newRequestId(): string;
  /** As `Engine.sriStanding`; requests of the same moment share one read. */
  readonly sriStanding: Engine['sriStanding'];
  /** Uses a connection of its own. @throws when the database does not answer. */
  checkDatabase(): Promise<void>;
  /** Uses the same connection. @throws WritesRefusedError when the database keeps no writes. */
  checkWrites(): Promise<void>;
  /** Uses the same connection. @throws when a master key is missing or another. */
  checkMasterKeys(): Promise<void>;
  /** True after the server was asked to stop. */
  isDraining(): boolean;
}
