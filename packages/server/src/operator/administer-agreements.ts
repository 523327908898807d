import { type AgreementTexts, type AgreementType, currentAgreements, publishAgreement } from '../agreements/index.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import type { Services } from '../platform/http/services.js';
import { auditing } from './audited.js';
import type { Operator } from './operator.js';

/** A new version of an agreement. */
export interface AgreementDraft {
  readonly documentType: AgreementType;
  readonly version: string;
  readonly texts: AgreementTexts;
}

/** Puts a version of an agreement in force. @throws Refusal as `publishAgreement` */
export function publishAgreementAs(
  services: Pick<Services, keyof WriteDeps | 'agreements'>,
  operator: Operator,
  agreement: AgreementDraft,
): Promise<void> {
  const { documentType } = agreement;
  const audited = auditing(services, operator, {
    action: 'agreement.publish',
    targetType: 'agreement',
    targetId: documentType,
    describe: async (tables) => {
      const current = (await currentAgreements(tables)).find((each) => each.documentType === documentType);
      return current ? { version: current.version } : null;
    },
  });
  return publishAgreement({ ...services.agreements, database: audited }, agreement);
}
