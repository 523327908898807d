import type { AgreementParts } from './publish-agreements.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What publishing, generating and accepting agreements needs. */
    readonly agreements: AgreementParts;
  }
}
