import type { Clock, Engine, EngineIssuer, Logger } from 'sri-core';
import type { BillingParts } from './billing/change-billing.js';
import type { Config } from './config.js';
import type { BodyBudget } from './http/body-budget.js';
import type { KeptContents } from './http/kept-content.js';
import type { OutboxWorkerParts } from './mail/outbox-worker.js';
import type { Metrics } from './ops/metrics.js';
import type { Pulses } from './ops/pulses.js';
import type { Background } from './scheduler/background.js';
import type { FoundIssuer } from './store/issuers.js';
import type { ServerDatabase } from './store/schema.js';
import type { SharedReads } from './store/shared-reads.js';
import type { AgreementParts } from './tenancy/agreements-publishing.js';
import type { CallerPlaces } from './tenancy/caller-places.js';
import type { FairTurns } from './tenancy/fair-turns.js';
import type { IssuerParts } from './tenancy/issuer-administration.js';
import type { IssuerRecord } from './tenancy/issuer-record.js';
import type { KeyParts } from './tenancy/key-administration.js';
import type { KeyUsage } from './tenancy/key-usage.js';
import type { KnownKeys } from './tenancy/known-keys.js';
import type { Limits } from './tenancy/limits.js';
import type { PromotionParts } from './tenancy/promotion.js';
import type { RegistrationParts } from './tenancy/registration.js';
import type { Vault } from './tenancy/vault.js';
import type { WebhookParts } from './webhooks/endpoint-administration.js';

/** The addresses of a server, without a closing slash. */
export interface ServerUrls {
  readonly baseUrl: string;
  readonly appUrl: string;
  /** What the `type` of a problem begins with. */
  readonly docsUrl: string;
}

/** What requests are answered with. */
export interface Services {
  readonly config: Config;
  readonly urls: ServerUrls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: ServerDatabase;
  readonly vault: Vault;
  readonly engine: Engine;
  readonly registration: RegistrationParts;
  /** What administering issuers needs. */
  readonly issuers: IssuerParts;
  /** What administering keys needs. */
  readonly keys: KeyParts;
  /** What publishing, generating and accepting agreements needs. */
  readonly agreements: AgreementParts;
  /** What moving accounts to production needs. */
  readonly promotion: PromotionParts;
  /** An issuer that a request has just read, as the engine needs it. @throws IssuerNotFoundError */
  readonly openIssuer: (issuer: IssuerRecord) => Promise<EngineIssuer>;
  /** What sends mails. */
  readonly outbox: OutboxWorkerParts;
  /** What subscriptions and payments need. */
  readonly billing: BillingParts;
  /** What administering webhooks needs. */
  readonly webhooks: WebhookParts;
  readonly keyUsage: KeyUsage;
  readonly knownKeys: KnownKeys;
  /** Where requests of one issuer that come at the same time have it read. */
  readonly issuerReads: SharedReads<FoundIssuer>;
  readonly limits: Limits;
  /** Answers that stay the same. */
  readonly kept: KeptContents;
  /** Room for the bodies of requests. */
  readonly bodyBudget: BodyBudget;
  /** How many requests of each caller are worked on at once. */
  readonly callerPlaces: CallerPlaces;
  /** Prints and logos, by caller. */
  readonly printTurns: FairTurns;
  /** JSON bodies that take milliseconds of the event loop, by caller. */
  readonly largeBodies: FairTurns;
  readonly background: Background;
  readonly metrics: Metrics;
  /** Which loops in the background still get round. */
  readonly pulses: Pulses;
  /** Short, unguessable, sortable by time. */
  newRequestId(): string;
  /** As `Engine.sriStanding`, read once for all who ask at the time. */
  readonly sriStanding: Engine['sriStanding'];
  /** Waits for no other work of this process. @throws when the database does not answer. */
  checkDatabase(): Promise<void>;
  /** As that. @throws WritesRefusedError when what is written now would not be kept. */
  checkWrites(): Promise<void>;
  /** As that. @throws when a master key that is needed is missing, or is not the one it was. */
  checkMasterKeys(): Promise<void>;
  /** True once the server has been asked to stop. */
  isDraining(): boolean;
}
