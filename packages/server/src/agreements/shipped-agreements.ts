import type { Language } from '../platform/language.js';
import type { AgreementType } from './agreement.js';
import { DPA } from './texts/dpa.js';
import { PRIVACY } from './texts/privacy.js';
import { TERMS } from './texts/terms.js';

/** An agreement that comes with the server, in Markdown with placeholders. */
export interface ShippedAgreement {
  readonly version: string;
  readonly texts: Readonly<Record<Language, string>>;
}

/**
 * The agreements that come with the server: neutral texts without a company name. The operator publishes own texts in
 * their place.
 */
export const SHIPPED_AGREEMENTS: Readonly<Record<AgreementType, ShippedAgreement>> = {
  TERMS: { version: '1.0', texts: TERMS },
  PRIVACY: { version: '1.0', texts: PRIVACY },
  DPA: { version: '1.0', texts: DPA },
};
