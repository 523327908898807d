import { type ElementRule, line, one, optional, pattern, several, text } from '../parts/element-rule.js';
import { DOC_MODIFICADO } from '../parts/modified-document.js';
import {
  AMOUNT,
  COMPENSACIONES,
  DATE,
  ID_TYPE,
  INFO_ADICIONAL,
  INFO_TRIBUTARIA,
  MAQUINA_FISCAL,
  PAGOS,
  RATE,
  RATE_CODE,
  ROOT,
  SIGNED_AMOUNT,
  TAX_CODE,
} from '../parts/structure.js';

/** The structure of a notaDebito, by schema version. Ficha técnica off-line v2.34, anexo 1, and its schema. */
export const DEBIT_NOTE_STRUCTURES: Readonly<Record<string, ElementRule>> = {
  '1.0.0': one(
    'notaDebito',
    [
      INFO_TRIBUTARIA,
      one('infoNotaDebito', [
        one('fechaEmision', DATE),
        optional('dirEstablecimiento', line(300)),
        one('tipoIdentificacionComprador', ID_TYPE),
        one('razonSocialComprador', line(300)),
        one('identificacionComprador', line(20)),
        optional('contribuyenteEspecial', pattern('[A-Za-z0-9]{3,13}')),
        optional('obligadoContabilidad', pattern('SI|NO')),
        optional('rise', text(40)),
        ...DOC_MODIFICADO,
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
      MAQUINA_FISCAL,
      INFO_ADICIONAL,
    ],
    ROOT,
  ),
};
