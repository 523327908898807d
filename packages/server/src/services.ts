import type { Clock, Engine, Logger } from 'sri-core';
import type { Config } from './config.js';
import type { OutboxWorkerParts } from './mail/outbox-worker.js';
import type { Background } from './scheduler/background.js';
import type { ServerDatabase } from './store/schema.js';
import type { IssuerParts } from './tenancy/issuer-administration.js';
import type { KeyUsage } from './tenancy/key-usage.js';
import type { Limits } from './tenancy/limits.js';
import type { RegistrationParts } from './tenancy/registration.js';
import type { Vault } from './tenancy/vault.js';

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
  /** What sends mails. */
  readonly outbox: OutboxWorkerParts;
  readonly keyUsage: KeyUsage;
  readonly limits: Limits;
  readonly background: Background;
  /** Short, unguessable, sortable by time. */
  newRequestId(): string;
  /** @throws when the database does not answer. */
  checkDatabase(): Promise<void>;
  /** True once the server has been asked to stop. */
  isDraining(): boolean;
}
