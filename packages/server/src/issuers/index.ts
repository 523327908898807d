import type { EngineIssuer } from 'sri-core';
import type { SharedReads } from '../platform/database/shared-reads.js';
import type { IssuerParts } from './administer-issuers.js';
import type { IssuerRecord } from './issuer-record.js';
import type { FoundIssuer } from './rows.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What administering issuers needs. */
    readonly issuers: IssuerParts;
    /** An issuer that a request has just read, as the engine needs it. @throws IssuerNotFoundError */
    readonly openIssuer: (issuer: IssuerRecord) => Promise<EngineIssuer>;
    /** Requests of one issuer that come at the same time share one read. */
    readonly issuerReads: SharedReads<FoundIssuer>;
  }
}
