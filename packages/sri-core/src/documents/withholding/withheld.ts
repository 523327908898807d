import type { Static } from '@sinclair/typebox';
import { type IsoDate, toIsoDate } from '../../calendar.js';
import { findWithholdingCodes, withholdingCodes } from '../../catalogs/withholding-codes.js';
import { WITHHELD } from '../../catalogs/withholding-taxes.js';
import { formatMoney, parseMoney, type Scaled } from '../../money.js';
import type { Findings } from '../findings.js';
import { money } from '../parts/taxes.js';
import { checkAmount, differ, taxOf } from '../parts/totals.js';
import { normalizeText } from '../text.js';
import type { WithholdingVersion, withheldSchema } from './body.js';

/** A withholding, as written. */
export interface PreparedWithheld {
  readonly tax: string;
  readonly code: string;
  readonly taxableBase: Scaled;
  /** Two decimals. */
  readonly rate: Scaled;
  readonly amount: Scaled;
  readonly dividend: { readonly paymentDate: IsoDate; readonly incomeTax: Scaled; readonly fiscalYear: string } | null;
  readonly bananas: { readonly boxes: string; readonly boxPrice: Scaled } | null;
}

/** The facts outside a withholding that its rules need. */
export interface WithheldContext {
  readonly version: WithholdingVersion;
  /** The day whose percentages count: the issue date of the withholding. */
  readonly rateDate: IsoDate;
  /** [codSustento] of its document; null while it is unknown. */
  readonly supportCode: string | null;
}

/** Validates and computes one withholding. @param field its path in the body. */
export function prepareWithheld(
  withheld: Static<typeof withheldSchema>,
  field: string,
  context: WithheldContext,
  findings: Findings,
): PreparedWithheld {
  const code = normalizeText(withheld.code);
  const rate = parseMoney(withheld.rate);
  const taxableBase = parseMoney(withheld.taxableBase);
  const expected = taxOf(taxableBase, rate, 'value');
  const amount = money(withheld.amount) ?? expected;
  checkAmount(amount, `${field}.taxableBase`, findings);
  if (differ(amount, expected)) {
    findings.warn(`${field}.amount`, 'WITHHOLDING_AMOUNT_MISMATCH', { expected: formatMoney(expected) });
  }
  checkCode(withheld.tax, code, rate, field, context, findings);
  checkParts(withheld, code, field, context, findings);
  const { dividend, bananas } = withheld;
  return {
    tax: withheld.tax,
    code,
    taxableBase,
    rate,
    amount,
    dividend: dividend
      ? {
          paymentDate: toIsoDate(dividend.paymentDate) ?? '',
          incomeTax: parseMoney(dividend.incomeTax),
          fiscalYear: dividend.fiscalYear,
        }
      : null,
    bananas: bananas ? { boxes: bananas.boxes, boxPrice: parseMoney(bananas.boxPrice) } : null,
  };
}

// --- internal ---

/** Boxes of the IVA return (form 104), which are often sent as codes. */
const FORM_104_BOX = /^7(2[1-9]|3[01])$/;
/** Codes of bananas. Ficha técnica off-line v2.34, anexo 10. */
const BANANA_CODES: ReadonlySet<string> = new Set(['338', '340', '341', '342', '342A', '342B']);
/** [codSustento] Distribution of dividends. */
const DIVIDENDS = '10';

/** A resolution may change codes and rates before this table has it: even strict checking only warns. */
function checkCode(
  tax: string,
  code: string,
  rate: Scaled,
  field: string,
  { rateDate }: WithheldContext,
  findings: Findings,
): void {
  if (tax === WITHHELD.IVA && FORM_104_BOX.test(code)) {
    findings.fail(`${field}.code`, 'form104Code', { expected: ivaCodesFor(rate) });
    return;
  }
  const rows = findWithholdingCodes(tax, code, rateDate);
  if (rows.length === 0) {
    findings.warn(`${field}.code`, 'WITHHOLDING_CODE_UNKNOWN', undefined, 'uncertain');
    return;
  }
  if (rows.some((row) => row.rate === null || parseMoney(row.rate) === rate)) return;
  const expected = rows.map((row) => row.rate).join(', ');
  findings.warn(`${field}.rate`, 'WITHHOLDING_RATE_MISMATCH', { expected }, 'uncertain');
}

/** The codes of table 20 with that percentage; every one with its percentage when none has it. */
function ivaCodesFor(rate: Scaled): string {
  const rows = withholdingCodes.filter((row) => row.tax === WITHHELD.IVA);
  const matching = rows.filter((row) => row.rate !== null && parseMoney(row.rate) === rate);
  if (matching.length > 0) return matching.map((row) => row.code).join(', ');
  return rows.map((row) => `${row.code} (${row.rate} %)`).join(', ');
}

function checkParts(
  { tax, dividend, bananas }: Static<typeof withheldSchema>,
  code: string,
  field: string,
  { version, supportCode }: WithheldContext,
  findings: Findings,
): void {
  const parts = [
    {
      path: `${field}.dividend`,
      isGiven: Boolean(dividend),
      belongs: supportCode === null ? null : tax === WITHHELD.INCOME && supportCode === DIVIDENDS,
      misplaced: 'dividendSupport',
    },
    {
      path: `${field}.bananas`,
      isGiven: Boolean(bananas),
      belongs: tax === WITHHELD.INCOME && BANANA_CODES.has(code),
      misplaced: 'bananaCode',
    },
  ];
  for (const { path, isGiven, belongs, misplaced } of parts) {
    if (version === '1.0.0') {
      if (isGiven) findings.fail(path, 'onlyVersion2');
    } else if (isGiven && belongs === false) findings.fail(path, misplaced);
    else if (!isGiven && belongs) findings.fail(path, 'required');
  }
}
