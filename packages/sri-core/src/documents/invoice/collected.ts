import { type Static, Type } from '@sinclair/typebox';
import { type PresumptiveWithholdingCode, presumptiveWithholdings } from '../../catalogs/presumptive-withholdings.js';
import { formatMoney, parseMoney, type Scaled } from '../../money.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element } from '../../xml/writer.js';
import { codeField, decimalField, patternField, textField } from '../field.js';
import type { Findings } from '../findings.js';
import { decimal, line, one, optional, pattern, several } from '../parts/element-rule.js';
import { text } from '../parts/reading.js';
import { AMOUNT } from '../parts/structure.js';
import { normalizeText } from '../text.js';

// Amounts that an invoice collects besides its sale: for third parties, and withholdings in advance. Both are in the total.

const AMOUNT_FIELD = decimalField({ decimals: 2, description: 'Amount, part of the total.', example: '4.00' });

/** Amounts collected for third parties. */
export const thirdPartyChargesSchema = Type.Array(
  Type.Object(
    {
      concept: textField({ max: 300, description: 'What it is for.', example: 'Contribución bomberos' }),
      amount: AMOUNT_FIELD,
    },
    { description: 'An amount that the issuer collects for a third party.' },
  ),
  { maxItems: 100, description: 'Up to 100 amounts collected for third parties.' },
);

/** Withholdings in advance. */
export const withholdingsSchema = Type.Array(
  Type.Object(
    {
      code: codeField({ codes: [{ code: '4' }], description: 'Presumptive IVA and income tax.', example: '4' }),
      rateCode: codeField<PresumptiveWithholdingCode>({
        codes: presumptiveWithholdings,
        description: 'Code of the withholding: 3 to 6 IVA, 327 and 328 income tax.',
        example: '3',
      }),
      rate: patternField({
        pattern: '^[0-9]{1,3}(\\.[0-9]{1,2})?$',
        form: 'N … NNN.NN',
        description: 'Rate, as the table of the code has it.',
        example: '1.00',
      }),
      amount: AMOUNT_FIELD,
    },
    { description: 'A withholding that the invoice collects in advance.' },
  ),
  { maxItems: 50, description: 'Withholdings of an invoice of fuel or newspapers.' },
);

/** [rubro] An amount for a third party. `Amount` is the form of its amounts. */
interface Charge<Amount> {
  readonly concept: string;
  readonly amount: Amount;
}

/** [retencion] A withholding in advance. `Amount` is the form of its amounts. */
interface Advance<Amount> {
  readonly code: string;
  readonly rateCode: string;
  readonly rate: Amount;
  readonly amount: Amount;
}

/** An amount for a third party, as written. */
export type PreparedCharge = Charge<Scaled>;

/** A withholding in advance, as written. */
export type PreparedAdvance = Advance<Scaled>;

/** An amount for a third party, as in the XML. */
export type ThirdPartyCharge = Charge<string>;

/** A withholding in advance, as in the XML. */
export type AdvanceWithholding = Advance<string>;

/** The amounts for third parties, as written. */
export function prepareCharges(
  charges: Static<typeof thirdPartyChargesSchema> | null | undefined,
): readonly PreparedCharge[] {
  return (charges ?? []).map(({ concept, amount }) => ({
    concept: normalizeText(concept),
    amount: parseMoney(amount),
  }));
}

/** The withholdings as written. Warns about a rate that is not the table's. */
export function prepareAdvances(
  withholdings: Static<typeof withholdingsSchema> | null | undefined,
  findings: Findings,
): readonly PreparedAdvance[] {
  return (withholdings ?? []).map(({ code, rateCode, rate, amount }, index) => {
    const prepared = { code, rateCode, rate: parseMoney(rate), amount: parseMoney(amount) };
    const row = presumptiveWithholdings.find((each) => each.code === rateCode);
    if (row && formatMoney(prepared.rate) !== row.rate) {
      findings.warn(`withholdings[${index}].rate`, 'TAX_RATE_MISMATCH', { expected: row.rate });
    }
    return prepared;
  });
}

/** [otrosRubrosTerceros] Empty without any. */
export function writeCharges(charges: readonly PreparedCharge[]): string {
  if (charges.length === 0) return '';
  const entries = charges.map(
    ({ concept, amount }) => `<rubro>${element('concepto', concept)}${element('total', formatMoney(amount))}</rubro>`,
  );
  return `<otrosRubrosTerceros>${entries.join('')}</otrosRubrosTerceros>`;
}

/** [retenciones] Empty without any. */
export function writeAdvances(withholdings: readonly PreparedAdvance[]): string {
  if (withholdings.length === 0) return '';
  const entries = withholdings.map(
    ({ code, rateCode, rate, amount }) =>
      `<retencion>${element('codigo', code)}${element('codigoPorcentaje', rateCode)}` +
      `${element('tarifa', formatMoney(rate))}${element('valor', formatMoney(amount))}</retencion>`,
  );
  return `<retenciones>${entries.join('')}</retenciones>`;
}

/** [otrosRubrosTerceros] */
export function readCharges(root: XmlElement): readonly ThirdPartyCharge[] {
  return children(child(root, 'otrosRubrosTerceros'), 'rubro').map((charge) => ({
    concept: text(charge, 'concepto'),
    amount: text(charge, 'total'),
  }));
}

/** [retenciones] */
export function readAdvances(root: XmlElement): readonly AdvanceWithholding[] {
  return children(child(root, 'retenciones'), 'retencion').map((withholding) => ({
    code: text(withholding, 'codigo'),
    rateCode: text(withholding, 'codigoPorcentaje'),
    rate: text(withholding, 'tarifa'),
    amount: text(withholding, 'valor'),
  }));
}

/** The structure of the amounts for third parties. */
export const RUBROS_TERCEROS = optional('otrosRubrosTerceros', [
  several('rubro', [one('concepto', line(300)), one('total', AMOUNT)]),
]);

/** The structure of the withholdings. */
export const RETENCIONES = optional('retenciones', [
  several('retencion', [
    one('codigo', pattern('4')),
    one('codigoPorcentaje', pattern('[0-9]{1,3}')),
    one('tarifa', decimal(5, 2)),
    one('valor', AMOUNT),
  ]),
]);
