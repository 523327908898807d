import { findTaxRate } from '../../catalogs/tax-rates.js';
import { TAX } from '../../catalogs/tax-types.js';
import { formatDecimal, MONEY_SCALE, parseDecimal, roundHalfUp, type Scaled, sum } from '../../money.js';
import { child, children, childText, type XmlElement } from '../../xml/reader.js';
import { headTaxes } from './reading.js';
import { lineAllowance, lineSubtotal } from './totals.js';

/** Notes a sum that differs from its expected value. The tolerance is a cent per line unless `allowed` sets another. */
export type Compare = (what: string, stated: Scaled, computed: Scaled, allowed?: Scaled) => void;

/** The inputs of the sums of a document with lines. */
export interface SummedParts {
  readonly root: XmlElement;
  readonly info: XmlElement | null;
  readonly lines: readonly XmlElement[];
  readonly totals: readonly XmlElement[];
}

/**
 * Recomputes the sums of a document with lines, by the formulas of the SRI's messages about code 52. The SRI publishes no
 * tolerance and itself rounds by line.
 *
 * @param info name of the element with the heading. @param compareTotal compares the sums that only this type has.
 * @returns each sum that differs, in Spanish as the SRI lists them; empty when all agree.
 */
export function findSumDifferences(
  root: XmlElement,
  info: string,
  compareTotal: (parts: SummedParts, compare: Compare) => void,
): readonly string[] {
  const heading = child(root, info);
  const lines = children(child(root, 'detalles'), 'detalle');
  const totals = headTaxes(heading);
  return compareSums(lines.length, (compare) => {
    lines.forEach((line, index) => {
      compare(
        `El precio total sin impuesto del detalle ${index + 1}`,
        amount(line, 'precioTotalSinImpuesto'),
        lineTotal(line),
        lineAllowance(amount(line, 'cantidad')) * CENT,
      );
    });
    compare(
      'El valor del total sin impuestos',
      amount(heading, 'totalSinImpuestos'),
      sum(lines.map((line) => amount(line, 'precioTotalSinImpuesto'))),
    );
    for (const total of totals) compareGroup(total, lines, compare);
    compareTotal({ root, info: heading, lines, totals }, compare);
  });
}

/**
 * Compares the stated sums of reimbursed documents with the sums of their list.
 *
 * @param parent holds the list. @param sums holds the stated sums. @param of ends each name.
 */
export function compareReimbursements(parent: XmlElement, sums: XmlElement | null, compare: Compare, of = ''): void {
  const documents = children(child(parent, 'reembolsos'), 'reembolsoDetalle');
  const taxes = documents.flatMap((each) => children(child(each, 'detalleImpuestos'), 'detalleImpuesto'));
  const totalOf = (name: string): Scaled => sum(taxes.map((tax) => amount(tax, name)));
  const [bases, amounts] = [totalOf('baseImponibleReembolso'), totalOf('impuestoReembolso')];
  compare(`El total de la base imponible de reembolso${of}`, amount(sums, 'totalBaseImponibleReembolso'), bases);
  compare(`El total del impuesto de reembolso${of}`, amount(sums, 'totalImpuestoReembolso'), amounts);
  const total = amount(sums, 'totalComprobantesReembolso');
  compare(`El total de los comprobantes de reembolso${of}`, total, bases + amounts);
}

/** Runs comparisons and returns each sum that differs. @param lines the tolerance is a cent per line. */
export function compareSums(lines: number, run: (compare: Compare) => void): readonly string[] {
  const found: string[] = [];
  const tolerance = CENT * BigInt(lines);
  run((what, stated, computed, allowed = tolerance) => {
    const difference = stated > computed ? stated - computed : computed - stated;
    if (difference > allowed) found.push(`${what} ${shown(stated)} debe ser igual al calculado ${shown(computed)}`);
  });
  return found;
}

/** Compares the stated discount with the lines and groups. @returns the discount of the groups, which no line shows. */
export function compareDiscounts({ info, lines, totals }: SummedParts, compare: Compare): Scaled {
  const furtherDiscount = sum(totals.map((total) => amount(total, 'descuentoAdicional')));
  const discount = sum(lines.map((line) => amount(line, 'descuento')));
  compare('El valor del total de descuento', amount(info, 'totalDescuento'), discount + furtherDiscount);
  return furtherDiscount;
}

/** Compares an IVA of the head with its base × rate. */
export function compareTaxRate(total: XmlElement, compare: Compare): void {
  const group = readGroup(total);
  const expected = group.code === TAX.IVA ? taxOfGroup(group) : null;
  if (expected !== null) compare(`El valor ${group.name} según su tarifa,`, group.value, expected);
}

/**
 * The taxes in the head that differ by more than a cent from base × rate, even if rounding by line explains the difference.
 * The SRI compares both and publishes no tolerance.
 *
 * @returns each in Spanish, with both figures. ICE is left out: its base may differ from the line's.
 */
export function findGroupDifferences(root: XmlElement, info: string): readonly string[] {
  return headTaxes(child(root, info)).flatMap((total) => {
    const { code, name, value, ...group } = readGroup(total);
    const exact = code === TAX.ICE ? null : taxOfGroup({ code, ...group });
    if (exact === null) return [];
    const expected = roundHalfUp(exact, SCALE, MONEY_SCALE) * CENT;
    const difference = value > expected ? value - expected : expected - value;
    return difference > CENT ? [`El valor ${name} ${shown(value)} debe ser base por tarifa, ${shown(expected)}`] : [];
  });
}

/** All taxes of the document, minus the returned IVA. */
export function taxesOf(totals: readonly XmlElement[]): Scaled {
  return sum(totals.map((total) => amount(total, 'valor') - amount(total, 'valorDevolucionIva')));
}

/** [compensaciones] Their sum. */
export function compensationsOf(info: XmlElement | null): Scaled {
  return sum(children(child(info, 'compensaciones'), 'compensacion').map((each) => amount(each, 'valor')));
}

/** The amount of a child; zero without one. The schema also accepts `+1`, `.5` and `5.`. */
export function amount(element: XmlElement | null, name: string): Scaled {
  const written = childText(element, name) ?? '0';
  const [, sign, whole = '', decimals = ''] = /^([+-]?)0*(\d*)\.?(\d*)$/.exec(written) ?? [];
  const value = parseDecimal(`${whole || '0'}.${decimals.slice(0, SCALE) || '0'}`, SCALE);
  return sign === '-' ? -value : value;
}

// --- internal ---

/** Every amount has six decimals, the maximum of the schema. */
const SCALE = 6;
const CENT = 10_000n;

function lineTotal(line: XmlElement): Scaled {
  const discount = amount(line, 'descuento') / CENT;
  return lineSubtotal(amount(line, 'cantidad'), amount(line, 'precioUnitario'), discount) * CENT;
}

/** One tax at one rate code, as the head states it. */
interface Group {
  readonly code: string;
  readonly rateCode: string;
  readonly name: string;
  readonly base: Scaled;
  readonly value: Scaled;
}

function readGroup(total: XmlElement): Group {
  const code = childText(total, 'codigo') ?? '';
  const rateCode = childText(total, 'codigoPorcentaje') ?? '';
  return {
    code,
    rateCode,
    name: `del impuesto ${code}, código de porcentaje ${rateCode},`,
    base: amount(total, 'baseImponible'),
    value: amount(total, 'valor'),
  };
}

/** Base × rate of the table; null without a rate that can be multiplied. */
function taxOfGroup({ code, rateCode, base }: Pick<Group, 'code' | 'rateCode' | 'base'>): Scaled | null {
  const row = findTaxRate(code, rateCode);
  if (!row?.rate || row.basis === 'mixed') return null;
  return roundHalfUp(base * parseDecimal(row.rate, SCALE), 2 * SCALE + (row.basis === 'value' ? 2 : 0), SCALE);
}

function compareGroup(total: XmlElement, lines: readonly XmlElement[], compare: Compare): void {
  const { code, rateCode, name, base, value } = readGroup(total);
  const taxLines = lines
    .flatMap((line) => children(child(line, 'impuestos'), 'impuesto'))
    .filter((tax) => childText(tax, 'codigo') === code && childText(tax, 'codigoPorcentaje') === rateCode);
  // A discount on the whole document lowers the group's base, and no line shows it.
  if (amount(total, 'descuentoAdicional') === 0n) {
    compare(`La base imponible ${name}`, base, sum(taxLines.map((tax) => amount(tax, 'baseImponible'))));
    compare(`El valor ${name}`, value, sum(taxLines.map((tax) => amount(tax, 'valor'))));
  }
  compareTaxRate(total, compare);
}

function shown(value: Scaled): string {
  return formatDecimal(value, SCALE).replace(/(\.\d{2}\d*?)0+$/, '$1');
}
