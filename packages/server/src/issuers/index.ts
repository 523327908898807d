import type { EngineIssuer } from 'sri-core';
import type { KeyedReads } from 'sri-storage-adapters';
import type { IssuerDeps } from './administer-issuers.js';
import type { IssuerRecord } from './issuer-record.js';

export { toCertificateWarnings } from './certificate-warnings.js';
export { rimpeField, specialTaxpayerField, withholdingAgentField } from './change-fields.js';
export { recordCounterMove } from './counter-move-rows.js';
export { MAY_SIGN } from './expiring-certificate-rows.js';
export {
  documentTypesField,
  type FirstNumber,
  firstNumbersField,
  initialSequentialsField,
} from './first-numbers.js';
export type { IssuerRecord } from './issuer-record.js';
export {
  asksForAllIssuers,
  everyIssuer,
  type IssuerCall,
  type IssuerRoute,
  type IssuersCall,
  type IssuersRoute,
  issuer,
  issuers,
} from './issuer-route.js';
export { type LogoDeps, readUploadedLogo } from './logo.js';
export { requireIssuer, requireOwnIssuer } from './own-issuer.js';
export { findOwner, findOwners, findTenantsOf, type IssuerOwner } from './owner-rows.js';
export { listIssuerIds, listIssuers, readBusinessName, readIssuer, readLogoImage } from './rows.js';
export { registeredIssuerSchema, toRegisteredIssuerBody } from './schemas.js';
export { openP12File, type P12Deps, type UploadedP12 } from './signing-credentials.js';
export { type IssuerSetup, storeNewIssuer } from './store-issuer.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** Dependencies of administering issuers. */
    readonly issuers: IssuerDeps;
    /** An issuer that a request has just read, in the form of the engine. @throws IssuerNotFoundError */
    readonly openIssuer: (issuer: IssuerRecord) => Promise<EngineIssuer>;
    /** Active issuers of any account, by id. Concurrent requests share one read. */
    readonly issuerReads: KeyedReads<IssuerRecord>;
  }
}
