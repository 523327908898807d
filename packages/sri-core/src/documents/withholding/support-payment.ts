import type { Static } from '@sinclair/typebox';
import { countries } from '../../catalogs/countries.js';
import type { Findings } from '../findings.js';
import type { supportPaymentSchema, WithholdingVersion } from './body.js';

/** Where a supporting document is paid, as written. Null is left out of the XML. */
export interface SupportPayment {
  readonly location: '01' | '02';
  readonly regime: string | null;
  readonly country: string | null;
  readonly treaty: boolean | null;
  readonly subjectToWithholding: boolean | null;
  readonly taxHaven: boolean | null;
}

/** Validates where a document is paid. @param field its path in the body. @see Ficha técnica off-line v2.34, anexo 10. */
export function prepareSupportPayment(
  payment: Static<typeof supportPaymentSchema> | null | undefined,
  field: string,
  version: WithholdingVersion,
  findings: Findings,
): SupportPayment {
  const prepared: SupportPayment = {
    location: payment?.location ?? '01',
    regime: payment?.regime ?? null,
    country: payment?.country ?? null,
    treaty: payment?.treaty ?? null,
    subjectToWithholding: payment?.subjectToWithholding ?? null,
    taxHaven: payment?.taxHaven ?? null,
  };
  if (prepared.location === '01') {
    for (const name of FOREIGN_FIELDS) {
      if (prepared[name] !== null) findings.fail(`${field}.${name}`, 'paymentAbroad');
    }
  } else if (version === '1.0.0') findings.fail(`${field}.location`, 'onlyVersion2');
  else checkForeign(prepared, field, findings);
  return prepared;
}

// --- internal ---

const FOREIGN_FIELDS = ['regime', 'country', 'treaty', 'subjectToWithholding', 'taxHaven'] as const;
const ECUADOR = '593';
const COUNTRIES: ReadonlySet<string> = new Set(countries.map(({ code }) => code));
/** [tipoRegi] Tax havens have a table of their own, which is not part of the Ficha: ATS, table 17. */
const TAX_HAVEN = '02';
/** [tipoRegi] Regimes without Ecuador. */
const REGIMES_ABROAD: ReadonlySet<string | null> = new Set([TAX_HAVEN, '03']);

function checkForeign(payment: SupportPayment, field: string, findings: Findings): void {
  for (const name of ['regime', 'country', 'treaty'] as const) {
    if (payment[name] === null) findings.fail(`${field}.${name}`, 'required');
  }
  if (payment.country !== null && payment.regime !== TAX_HAVEN && !COUNTRIES.has(payment.country)) {
    findings.fail(`${field}.country`, 'catalog', { catalog: 'countries' });
  }
  if (payment.country === ECUADOR && REGIMES_ABROAD.has(payment.regime)) {
    findings.fail(`${field}.country`, 'countryAbroad');
  }
  const given = payment.subjectToWithholding !== null;
  if (payment.treaty === false && !given) findings.fail(`${field}.subjectToWithholding`, 'required');
  if (payment.treaty === true && given) findings.fail(`${field}.subjectToWithholding`, 'withoutTreaty');
}
