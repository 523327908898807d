import type { Clock, Engine, EngineIssuer, Logger } from 'sri-core';
import type { AgreementParts } from './agreements/publish-agreements.js';
import type { BillingParts } from './billing/change-billing.js';
import type { Config } from './config/config.js';
import type { IssuerParts } from './issuers/administer-issuers.js';
import type { IssuerRecord } from './issuers/issuer-record.js';
import type { FoundIssuer } from './issuers/rows.js';
import type { KeyParts } from './keys/administer-keys.js';
import type { KeyUsage } from './keys/key-usage.js';
import type { KnownKeys } from './keys/known-keys.js';
import type { OutboxWorkerParts } from './mail/outbox-worker.js';
import type { PromotionParts } from './onboarding/promote.js';
import type { RegistrationParts } from './onboarding/register.js';
import type { SharedReads } from './platform/database/shared-reads.js';
import type { ServerDatabase } from './platform/database/tables.js';
import type { BodyBudget } from './platform/http/body-budget.js';
import type { CallerPlaces } from './platform/http/caller-places.js';
import type { KeptContents } from './platform/http/kept-content.js';
import type { Background } from './platform/jobs/background.js';
import type { FairTurns } from './platform/jobs/fair-turns.js';
import type { Limits } from './platform/limits/limits.js';
import type { Metrics } from './platform/ops/metrics.js';
import type { Pulses } from './platform/ops/pulses.js';
import type { Vault } from './platform/secrets/vault.js';
import type { WebhookParts } from './webhooks/administer-endpoints.js';

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
