import type { AgreementParts } from './publish-agreements.js';

export { AGREEMENT_TYPES, type AgreementType } from './agreement.js';
export { type AgreementRules, readAgreementStanding } from './agreement-standing.js';
export { publishAgreement } from './publish-agreements.js';
export { type AgreementTexts, currentAgreements } from './rows.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What publishing, generating and accepting agreements needs. */
    readonly agreements: AgreementParts;
  }
}
