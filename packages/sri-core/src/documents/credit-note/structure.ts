import { type ElementRule, line, one, optional, several, type ValueRule } from '../parts/element-rule.js';
import { NOTE_HEAD } from '../parts/modified-document.js';
import {
  AMOUNT,
  COMPENSACIONES,
  comprobante,
  DETALLES_ADICIONALES,
  RATE,
  RATE_CODE,
  SIX_DECIMALS,
  TAX_CODE,
  TWO_DECIMALS,
} from '../parts/structure.js';

/** The structure of a notaCredito, by schema version. Ficha técnica off-line v2.34, anexos 8 and 9, and its schemas. */
export const CREDIT_NOTE_STRUCTURES: Readonly<Record<string, ElementRule>> = {
  '1.0.0': notaCredito(TWO_DECIMALS),
  '1.1.0': notaCredito(SIX_DECIMALS),
};

// --- internal ---

function notaCredito(quantity: ValueRule): ElementRule {
  return comprobante('notaCredito', [
    one('infoNotaCredito', [
      ...NOTE_HEAD,
      one('totalSinImpuestos', AMOUNT),
      COMPENSACIONES,
      one('valorModificacion', AMOUNT),
      optional('moneda', line(15)),
      one('totalConImpuestos', [
        several('totalImpuesto', [
          one('codigo', TAX_CODE),
          one('codigoPorcentaje', RATE_CODE),
          one('baseImponible', AMOUNT),
          one('valor', AMOUNT),
          optional('valorDevolucionIva', AMOUNT),
        ]),
      ]),
      one('motivo', line(300)),
    ]),
    one('detalles', [
      several('detalle', [
        optional('codigoInterno', line(25)),
        optional('codigoAdicional', line(25)),
        one('descripcion', line(300)),
        one('cantidad', quantity),
        one('precioUnitario', quantity),
        optional('descuento', AMOUNT),
        one('precioTotalSinImpuesto', AMOUNT),
        DETALLES_ADICIONALES,
        one('impuestos', [
          several(
            'impuesto',
            [
              one('codigo', TAX_CODE),
              one('codigoPorcentaje', RATE_CODE),
              optional('tarifa', RATE),
              one('baseImponible', AMOUNT),
              one('valor', AMOUNT),
            ],
            { min: 0 },
          ),
        ]),
      ]),
    ]),
  ]);
}
