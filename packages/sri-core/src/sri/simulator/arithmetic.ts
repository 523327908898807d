import { findTaxRate } from '../../catalogs/tax-rates.js';
import { TAX } from '../../catalogs/tax-types.js';
import { lineAllowance } from '../../documents/totals.js';
import { formatDecimal, MONEY_SCALE, parseDecimal, roundHalfUp, type Scaled, sum } from '../../money.js';
import { child, children, childText, type XmlElement } from '../../xml/reader.js';
import type { Submission } from './submission.js';

/**
 * Recomputes the sums of a document that has passed the structure check, by the formulas the SRI names in its messages
 * about code 52. A cent for each line is let pass, since the SRI publishes no tolerance and rounds by lines itself.
 *
 * @returns each sum that differs, in Spanish, as the SRI lists them; empty when all agree.
 */
export function findDifferences(submission: Submission): readonly string[] {
  const { root, info, documentType } = submission;
  const lines = children(child(root, 'detalles'), 'detalle');
  const totals = children(child(info, 'totalConImpuestos'), 'totalImpuesto');
  const found: string[] = [];
  const tolerance = CENT * BigInt(Math.max(lines.length, 1));
  const compare = (what: string, stated: Scaled, computed: Scaled, allowed = tolerance): void => {
    const difference = stated > computed ? stated - computed : computed - stated;
    if (difference > allowed) found.push(`${what} ${shown(stated)} debe ser igual al calculado ${shown(computed)}`);
  };

  lines.forEach((line, index) => {
    const computed = lineTotal(line);
    compare(
      `El precio total sin impuesto del detalle ${index + 1}`,
      amount(line, 'precioTotalSinImpuesto'),
      computed,
      lineAllowance(amount(line, 'cantidad')) * CENT,
    );
  });
  compare(
    'El valor del total sin impuestos',
    amount(info, 'totalSinImpuestos'),
    sum(lines.map((line) => amount(line, 'precioTotalSinImpuesto'))),
  );
  for (const total of totals) compareGroup(total, lines, compare);
  if (documentType === '01') compareInvoice(submission, lines, totals, compare);
  else {
    const computed = amount(info, 'totalSinImpuestos') + taxes(totals) - compensations(info);
    compare('El valor de la modificación', amount(info, 'valorModificacion'), computed);
  }
  return found;
}

/**
 * The taxes whose value in the head is more than a cent from base × rate, though lines rounded one by one may bring it
 * there: the SRI compares the two, and publishes no tolerance.
 *
 * @returns each in Spanish, with both figures. ICE is not among them: its base may be another than the line's.
 */
export function findGroupDifferences({ info }: Submission): readonly string[] {
  return children(child(info, 'totalConImpuestos'), 'totalImpuesto').flatMap((total) => {
    const { code, name, value, ...group } = readGroup(total);
    const exact = code === TAX.ICE ? null : taxOfGroup({ code, ...group });
    if (exact === null) return [];
    const expected = roundHalfUp(exact, SCALE, MONEY_SCALE) * CENT;
    const difference = value > expected ? value - expected : expected - value;
    return difference > CENT ? [`El valor ${name} ${shown(value)} debe ser base por tarifa, ${shown(expected)}`] : [];
  });
}

// --- internal ---

type Compare = (what: string, stated: Scaled, computed: Scaled, allowed?: Scaled) => void;

/** Every figure is held with six decimals, the most that the schema allows. */
const SCALE = 6;
const CENT = 10_000n;

function lineTotal(line: XmlElement): Scaled {
  const gross = amount(line, 'cantidad') * amount(line, 'precioUnitario');
  const net = roundHalfUp(gross, 2 * SCALE, SCALE) - amount(line, 'descuento');
  return roundHalfUp(roundHalfUp(net, SCALE, 2), 2, SCALE);
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

/** Base × rate of the table; null where the table has none that can be multiplied. */
function taxOfGroup({ code, rateCode, base }: Pick<Group, 'code' | 'rateCode' | 'base'>): Scaled | null {
  const row = findTaxRate(code, rateCode);
  if (!row?.rate || row.basis === 'mixed') return null;
  return roundHalfUp(base * parseDecimal(row.rate, SCALE), 2 * SCALE + (row.basis === 'value' ? 2 : 0), SCALE);
}

function compareGroup(total: XmlElement, lines: readonly XmlElement[], compare: Compare): void {
  const group = readGroup(total);
  const { code, rateCode, name, base, value } = group;
  const taxLines = lines
    .flatMap((line) => children(child(line, 'impuestos'), 'impuesto'))
    .filter((tax) => childText(tax, 'codigo') === code && childText(tax, 'codigoPorcentaje') === rateCode);
  // A further discount on the whole document lowers the group's base, and no line shows it.
  if (amount(total, 'descuentoAdicional') === 0n) {
    compare(`La base imponible ${name}`, base, sum(taxLines.map((tax) => amount(tax, 'baseImponible'))));
    compare(`El valor ${name}`, value, sum(taxLines.map((tax) => amount(tax, 'valor'))));
  }
  const expected = code === TAX.IVA ? taxOfGroup(group) : null;
  if (expected !== null) compare(`El valor ${name} según su tarifa,`, value, expected);
}

function compareInvoice(
  { root, info }: Submission,
  lines: readonly XmlElement[],
  totals: readonly XmlElement[],
  compare: Compare,
): void {
  const furtherDiscount = sum(totals.map((total) => amount(total, 'descuentoAdicional')));
  const discount = sum(lines.map((line) => amount(line, 'descuento')));
  compare('El valor del total de descuento', amount(info, 'totalDescuento'), discount + furtherDiscount);
  const extras = ['propina', 'fleteInternacional', 'seguroInternacional', 'gastosAduaneros', 'gastosTransporteOtros'];
  const computed =
    amount(info, 'totalSinImpuestos') -
    furtherDiscount +
    taxes(totals) -
    compensations(info) +
    sum(extras.map((name) => amount(info, name))) +
    sum(children(child(root, 'retenciones'), 'retencion').map((each) => amount(each, 'valor'))) +
    sum(children(child(root, 'otrosRubrosTerceros'), 'rubro').map((each) => amount(each, 'total')));
  compare('El valor del importe total', amount(info, 'importeTotal'), computed);
}

/** All taxes of the document, less the IVA given back. */
function taxes(totals: readonly XmlElement[]): Scaled {
  return sum(totals.map((total) => amount(total, 'valor') - amount(total, 'valorDevolucionIva')));
}

function compensations(info: XmlElement | null): Scaled {
  return sum(children(child(info, 'compensaciones'), 'compensacion').map((each) => amount(each, 'valor')));
}

/** The figure of a child; zero when there is none. The schema also takes `+1`, `.5` and `5.`. */
function amount(element: XmlElement | null, name: string): Scaled {
  const written = childText(element, name) ?? '0';
  const [, sign, whole = '', decimals = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(written) ?? [];
  const value = parseDecimal(`${whole || '0'}.${decimals.slice(0, SCALE) || '0'}`, SCALE);
  return sign === '-' ? -value : value;
}

function shown(value: Scaled): string {
  return formatDecimal(value, SCALE).replace(/(\.\d{2}\d*?)0+$/, '$1');
}
