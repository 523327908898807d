import { type ElementRule, line, one, optional, several } from '../parts/element-rule.js';
import { NOTE_HEAD } from '../parts/modified-document.js';
import {
  AMOUNT,
  COMPENSACIONES,
  comprobante,
  PAGOS,
  RATE,
  RATE_CODE,
  SIGNED_AMOUNT,
  TAX_CODE,
} from '../parts/structure.js';

/** The structure of a notaDebito, by schema version. Ficha técnica off-line v2.34, anexo 1, and its schema. */
export const DEBIT_NOTE_STRUCTURES: Readonly<Record<string, ElementRule>> = {
  '1.0.0': comprobante('notaDebito', [
    one('infoNotaDebito', [
      ...NOTE_HEAD,
      one('totalSinImpuestos', SIGNED_AMOUNT),
      one('impuestos', [
        several('impuesto', [
          one('codigo', TAX_CODE),
          one('codigoPorcentaje', RATE_CODE),
          one('tarifa', RATE),
          one('baseImponible', AMOUNT),
          one('valor', AMOUNT),
          optional('valorDevolucionIva', AMOUNT),
        ]),
      ]),
      COMPENSACIONES,
      one('valorTotal', AMOUNT),
      { ...PAGOS, max: Number.POSITIVE_INFINITY },
    ]),
    one('motivos', [several('motivo', [one('razon', line(300)), one('valor', AMOUNT)])]),
  ]),
};
