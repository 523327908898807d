import type { AgreementDeps } from './publish-agreements.js';

export { AGREEMENT_TYPES, type AgreementType } from './agreement.js';
export { type AgreementRules, readAgreementStanding } from './agreement-standing.js';
export { publishAgreement } from './publish-agreements.js';
export { type AgreementTexts, currentAgreements } from './rows.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** Dependencies of publishing, generating and accepting agreements. */
    readonly agreements: AgreementDeps;
  }
}
