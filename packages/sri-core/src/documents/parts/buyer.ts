import type { Static } from '@sinclair/typebox';
import { FINAL_CONSUMER_ID } from '../../catalogs/id-types.js';
import { checkCedula, checkRuc } from '../../identification.js';
import type { Counterparty } from '../document-type.js';
import type { Findings } from '../findings.js';
import { normalizeText, optionalText } from '../text.js';
import type { PreparedBuyer } from './prepared.js';
import type { buyerSchema } from './schemas.js';

/** The buyer as written. The check warns about a doubtful identification. */
export function prepareBuyer(buyer: Static<typeof buyerSchema>, findings: Findings): PreparedBuyer {
  const id = normalizeText(buyer.id);
  const form = ID_FORMS[buyer.idType];
  if (form && !form.pattern.test(id)) findings.warn('buyer.id', 'ID_FORMAT', { form: form.text });
  else if (form?.verdict) {
    const verdict = form.verdict(id);
    // A valid company RUC may fail every published algorithm, so a mismatch only warns.
    if (verdict === 'wrong') findings.warn('buyer.id', 'ID_CHECK_DIGIT');
    if (verdict === 'uncertain') findings.warn('buyer.id', 'ID_CHECK_DIGIT', undefined, 'uncertain');
  }
  return {
    idType: buyer.idType,
    id,
    name: normalizeText(buyer.name),
    email: buyer.email,
    address: optionalText(buyer.address),
  };
}

/** The buyer as the counterparty of the document. */
export function buyerAsCounterparty({ idType, id, name, email }: PreparedBuyer): Counterparty {
  return { idType, id, name, email };
}

// --- internal ---

interface IdForm {
  readonly pattern: RegExp;
  readonly text: string;
  readonly verdict?: (id: string) => 'right' | 'wrong' | 'uncertain';
}

const ID_FORMS: Readonly<Record<string, IdForm>> = {
  '04': { pattern: /^[0-9]{13}$/, text: 'N'.repeat(13), verdict: checkRuc },
  '05': { pattern: /^[0-9]{10}$/, text: 'N'.repeat(10), verdict: checkCedula },
  '07': { pattern: new RegExp(`^${FINAL_CONSUMER_ID}$`), text: FINAL_CONSUMER_ID },
};
