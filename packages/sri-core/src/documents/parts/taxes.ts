import type { Static } from '@sinclair/typebox';
import type { IsoDate } from '../../calendar.js';
import { isInForce } from '../../catalogs/catalog.js';
import { findTaxRate, isTaxRate, type TaxRate } from '../../catalogs/tax-rates.js';
import { TAX, type TaxTypeCode } from '../../catalogs/tax-types.js';
import { formatMoney, MONEY_SCALE, parseMoney, QUANTITY_SCALE, roundHalfUp, type Scaled, sum } from '../../money.js';
import type { Findings } from '../findings.js';
import type { PreparedTax } from './prepared.js';
import type { taxesWithOptionalSums } from './schemas.js';
import { createTaxSharer, differ, taxOf } from './totals.js';

type Tax = Static<typeof taxesWithOptionalSums>[number];

/** A line or reason with taxes. */
export interface TaxedLine {
  /** Its path in the body. */
  readonly field: string;
  readonly subtotal: Scaled;
  /** Null when the body has no quantity. */
  readonly quantity: Scaled | null;
}

/**
 * Creates a function that validates and computes the taxes of one line after another.
 *
 * @param rateDate the day whose tax rates count; null while it is unknown.
 */
export function createTaxPreparer(rateDate: IsoDate | null, findings: Findings) {
  const shareTax = createTaxSharer();

  function prepareTaxes(taxes: readonly Tax[], line: TaxedLine): PreparedTax[] {
    // IVA applies to the price including ICE (Ficha v2.34, §9.16), so ICE is computed first, whatever its position.
    const others = taxes.map((tax, index) =>
      tax.code === TAX.IVA ? null : prepareOtherTax(tax, `${line.field}.taxes[${index}]`, line),
    );
    const ice = sum(others.map((tax) => (tax?.code === TAX.ICE ? tax.taxAmount : 0n)));
    const base = line.subtotal + ice;
    const prepared = taxes.map((tax, index) => others[index] ?? prepareIva(tax, `${line.field}.taxes[${index}]`, base));
    checkBase(prepared, line.field, base);
    return prepared;
  }

  function prepareIva(tax: Tax, field: string, lineBase: Scaled): PreparedTax {
    checkRate(tax, field, rateDate, findings);
    const rate = parseMoney(tax.rate);
    const taxableBase = money(tax.taxableBase) ?? lineBase;
    const taxAmount = money(tax.taxAmount) ?? shareTax(`${tax.code}:${tax.rateCode}`, taxableBase, rate, 'value');
    const expected = taxOf(taxableBase, rate, 'value');
    if (differ(taxAmount, expected))
      findings.warn(`${field}.taxAmount`, 'TAX_MISMATCH', { expected: formatMoney(expected) });
    return { code: tax.code, rateCode: tax.rateCode, rate, taxableBase, taxAmount };
  }

  function prepareOtherTax(tax: Tax, field: string, line: TaxedLine): PreparedTax {
    const row = checkRate(tax, field, rateDate, findings);
    const rate = parseMoney(tax.rate);
    const taxableBase = money(tax.taxableBase) ?? baseOf(row, line);
    if (taxableBase === null) findings.fail(`${field}.taxableBase`, 'required');
    let taxAmount = money(tax.taxAmount);
    // A tax on litres of alcohol or grams of sugar cannot be computed from the line. A guess would be a wrong tax.
    if (taxAmount === null && (!row || row.basis === 'mixed')) findings.fail(`${field}.taxAmount`, 'required');
    else if (taxAmount === null && row && row.basis !== 'mixed' && taxableBase !== null) {
      taxAmount = shareTax(`${tax.code}:${tax.rateCode}`, taxableBase, rate, row.basis);
    }
    return { code: tax.code, rateCode: tax.rateCode, rate, taxableBase: taxableBase ?? 0n, taxAmount: taxAmount ?? 0n };
  }

  function checkBase(taxes: readonly PreparedTax[], field: string, expected: Scaled): void {
    const first = taxes.findIndex((tax) => tax.code === TAX.IVA);
    if (first < 0) return;
    const base = sum(taxes.map((tax) => (tax.code === TAX.IVA ? tax.taxableBase : 0n)));
    if (!differ(base, expected)) return;
    findings.warn(`${field}.taxes[${first}].taxableBase`, 'LINE_BASE_MISMATCH', { expected: formatMoney(expected) });
  }

  return prepareTaxes;
}

/** A tax with a given base, apart from any line. Absent, the rate is the table's, and the amount is base × rate. */
export interface FlatTax {
  readonly code: TaxTypeCode;
  readonly rateCode: string;
  readonly rate?: string | null;
  readonly taxableBase: string;
  readonly taxAmount?: string | null;
}

/**
 * Validates and computes the taxes of a document of others. Its day decides its rates; a note has the rates of the document
 * that it modifies, whose day is unknown. Warns of a tax that occurs twice at one rate: its base counts twice.
 */
export function prepareFlatTaxes(
  taxes: readonly FlatTax[],
  field: string,
  { documentType, issueDate }: { readonly documentType: string; readonly issueDate: IsoDate },
  findings: Findings,
): readonly PreparedTax[] {
  const rateDate = NOTES.has(documentType) ? null : issueDate;
  const seen = new Set<string>();
  return taxes.map((tax, index) => {
    const name = `${tax.code}:${tax.rateCode}`;
    if (seen.has(name)) findings.warn(`${field}[${index}].rateCode`, 'TAX_REPEATED', undefined, 'uncertain');
    seen.add(name);
    return prepareFlatTax(tax, `${field}[${index}]`, rateDate, findings);
  });
}

/** An amount of the body in cents; null without one. */
export function money(text: string | null | undefined): Scaled | null {
  return text === null || text === undefined ? null : parseMoney(text);
}

// --- internal ---

/** Credit and debit notes among the types of ATS table 4. */
const NOTES: ReadonlySet<string> = new Set(['04', '05', '23', '24', '47', '48', '51', '52']);

/** Validates and computes a tax with a given base. @param rateDate the day whose tax rates count; null while it is unknown. */
function prepareFlatTax(tax: FlatTax, field: string, rateDate: IsoDate | null, findings: Findings): PreparedTax {
  const row = checkRate(tax, field, rateDate, findings);
  const text = tax.rate ?? row?.rate ?? null;
  if (text === null) findings.fail(`${field}.rate`, 'required');
  const rate = parseMoney(text ?? '0');
  const taxableBase = parseMoney(tax.taxableBase);
  const expected = row && row.basis !== 'mixed' ? taxOf(taxableBase, rate, row.basis) : null;
  const given = money(tax.taxAmount);
  if (given === null && expected === null) findings.fail(`${field}.taxAmount`, 'required');
  if (given !== null && expected !== null && tax.code === TAX.IVA && differ(given, expected)) {
    findings.warn(`${field}.taxAmount`, 'TAX_MISMATCH', { expected: formatMoney(expected) });
  }
  return { code: tax.code, rateCode: tax.rateCode, rate, taxableBase, taxAmount: given ?? expected ?? 0n };
}

/** The row of the table. Fails for an unknown code, warns about another rate or a rate that was not in force. */
function checkRate(
  tax: Pick<FlatTax, 'code' | 'rateCode' | 'rate'>,
  field: string,
  rateDate: IsoDate | null,
  findings: Findings,
): TaxRate | null {
  const row = findTaxRate(tax.code, tax.rateCode);
  if (!isTaxRate(tax.code, tax.rateCode)) {
    findings.fail(`${field}.rateCode`, 'catalog', { catalog: 'tax-rates' });
  }
  if (row?.rate && tax.rate && parseMoney(row.rate) !== parseMoney(tax.rate)) {
    findings.warn(`${field}.rate`, 'TAX_RATE_MISMATCH', { expected: row.rate });
  } else if (row && rateDate && !isInForce(row, rateDate)) {
    const { validFrom = '…', validTo = '…' } = row;
    findings.warn(`${field}.rateCode`, 'TAX_RATE_MISMATCH', { expected: `${row.rate} (${validFrom} – ${validTo})` });
  }
  return row;
}

/** The base computed from the line: its value, or its units for IRBPNR. Other taxes have no computable base. */
function baseOf(row: TaxRate | null, { subtotal, quantity }: TaxedLine): Scaled | null {
  if (row?.taxCode === TAX.IRBPNR) return quantity === null ? null : roundHalfUp(quantity, QUANTITY_SCALE, MONEY_SCALE);
  return row?.basis === 'value' ? subtotal : null;
}
