import {
  decimal,
  type ElementRule,
  line,
  one,
  optional,
  pattern,
  several,
  text,
  type ValueRule,
} from './element-rule.js';

// Parts that several schemas share. Ficha técnica off-line v2.34, anexos 1, 3, 8, 9 and 11, and the rules of the schemas.

/** An amount of money. */
export const AMOUNT = decimal(14, 2);
/** An amount that may be negative. */
export const SIGNED_AMOUNT: ValueRule = { kind: 'decimal', digits: 14, decimals: 2, signed: true };
/** [tarifa] */
export const RATE = decimal(4, 2);
/** A day, DD/MM/YYYY. */
export const DATE = pattern('(0[1-9]|[12][0-9]|3[01])/(0[1-9]|1[012])/20[0-9][0-9]');
export const THREE_DIGITS = pattern('[0-9]{3}');
export const NINE_DIGITS = pattern('[0-9]{9}');
export const TWO_DIGITS = pattern('[0-9]{2}');
export const YES_OR_NO = pattern('SI|NO');
/** `001-001-000000123` */
export const DOCUMENT_NUMBER = pattern('[0-9]{3}-[0-9]{3}-[0-9]{9}');
/** [tipoIdentificacion…] */
export const ID_TYPE = pattern('0[4-8]');
/** [codigo] of a tax. */
export const TAX_CODE = pattern('[235]');
/** [codigoPorcentaje] */
export const RATE_CODE = pattern('[0-9]{1,4}');
/** Attributes of the root element. */
const ROOT = { id: pattern('comprobante'), version: text(10) };
const RIMPE = pattern('CONTRIBUYENTE (NEGOCIO POPULAR - )?RÉGIMEN RIMPE');

/** [infoTributaria] The same in every comprobante. */
const INFO_TRIBUTARIA = one('infoTributaria', [
  one('ambiente', pattern('[12]')),
  one('tipoEmision', pattern('[12]')),
  one('razonSocial', line(300)),
  optional('nombreComercial', line(300)),
  one('ruc', pattern('[0-9]{10}001')),
  one('claveAcceso', pattern('[0-9]{49}')),
  one('codDoc', TWO_DIGITS),
  one('estab', THREE_DIGITS),
  one('ptoEmi', THREE_DIGITS),
  one('secuencial', NINE_DIGITS),
  one('dirMatriz', line(300)),
  optional('agenteRetencion', pattern('[0-9]{1,8}')),
  optional('contribuyenteRimpe', RIMPE),
]);

/** [infoAdicional] The pairs at the foot. */
export const INFO_ADICIONAL = optional('infoAdicional', [
  several('campoAdicional', text(300), { max: 15, attributes: { nombre: text(300) } }),
]);

/** [maquinaFiscal] */
const MAQUINA_FISCAL = optional('maquinaFiscal', [
  one('marca', line(30)),
  one('modelo', line(30)),
  one('serie', line(30)),
]);

/** A whole comprobante. @param parts those of its type. @param foot its infoAdicional. */
export function comprobante(
  root: string,
  parts: readonly ElementRule[],
  foot: ElementRule = INFO_ADICIONAL,
): ElementRule {
  return one(root, [INFO_TRIBUTARIA, ...parts, MAQUINA_FISCAL, foot], ROOT);
}

/** [fechaEmision … obligadoContabilidad] The start of most headings. @param specialTaxpayer the form of contribuyenteEspecial. */
export function issueHead(specialTaxpayer = '[A-Za-z0-9]{3,13}'): readonly ElementRule[] {
  return [
    one('fechaEmision', DATE),
    optional('dirEstablecimiento', line(300)),
    optional('contribuyenteEspecial', pattern(specialTaxpayer)),
    optional('obligadoContabilidad', YES_OR_NO),
  ];
}

/** [detAdicional] A pair of a line. */
export const DET_ADICIONAL = several('detAdicional', null, {
  max: 3,
  attributes: { nombre: text(300), valor: text(300) },
});
/** [detallesAdicionales] of a line. */
export const DETALLES_ADICIONALES = optional('detallesAdicionales', [DET_ADICIONAL]);

/** [totalConImpuestos] of an invoice or purchase settlement. @param more the further elements of each total. */
export function totalsRule(taxCode: ValueRule, more: readonly ElementRule[] = []): ElementRule {
  return one('totalConImpuestos', [
    several('totalImpuesto', [
      one('codigo', taxCode),
      one('codigoPorcentaje', RATE_CODE),
      optional('descuentoAdicional', SIGNED_AMOUNT),
      one('baseImponible', AMOUNT),
      optional('tarifa', RATE),
      one('valor', AMOUNT),
      ...more,
    ]),
  ]);
}

/** [compensacion] */
export const COMPENSACION = [one('codigo', pattern('1')), one('tarifa', RATE), one('valor', AMOUNT)];
/** [compensaciones] */
export const COMPENSACIONES = optional('compensaciones', [several('compensacion', COMPENSACION)]);

/** [pagos] */
export const PAGOS = optional('pagos', [
  several('pago', [
    one('formaPago', pattern('0[1-9]|1[0-9]|2[01]')),
    one('total', AMOUNT),
    optional('plazo', AMOUNT),
    optional('unidadTiempo', line(10)),
  ]),
]);

/** Quantities and unit prices in the schemas of two decimals. */
export const TWO_DECIMALS = decimal(14, 2);
/** Quantities and unit prices in the schemas of six decimals. */
export const SIX_DECIMALS = decimal(18, 6);

/**
 * [detalles] The lines of an invoice or purchase settlement.
 *
 * @param quantity digits of cantidad and unit prices; most versions differ only in these. @param taxCode the accepted taxes.
 */
export function detallesRule(quantity: ValueRule, taxCode: ValueRule): ElementRule {
  return one('detalles', [
    several('detalle', [
      optional('codigoPrincipal', line(25)),
      optional('codigoAuxiliar', line(25)),
      one('descripcion', line(300)),
      optional('unidadMedida', line(50)),
      one('cantidad', quantity),
      one('precioUnitario', quantity),
      optional('precioSinSubsidio', quantity),
      one('descuento', AMOUNT),
      one('precioTotalSinImpuesto', AMOUNT),
      DETALLES_ADICIONALES,
      one('impuestos', [
        several('impuesto', [
          one('codigo', taxCode),
          one('codigoPorcentaje', RATE_CODE),
          one('tarifa', RATE),
          one('baseImponible', AMOUNT),
          one('valor', AMOUNT),
        ]),
      ]),
    ]),
  ]);
}
