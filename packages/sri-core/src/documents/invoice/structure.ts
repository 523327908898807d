import { type ElementRule, line, one, optional, pattern, several, type ValueRule } from '../parts/element-rule.js';
import { reembolsosRule } from '../parts/reimbursements.js';
import {
  AMOUNT,
  COMPENSACIONES,
  DATE,
  DETALLES_ADICIONALES,
  DOCUMENT_NUMBER,
  ID_TYPE,
  INFO_ADICIONAL,
  INFO_TRIBUTARIA,
  MAQUINA_FISCAL,
  PAGOS,
  RATE,
  RATE_CODE,
  ROOT,
  SIGNED_AMOUNT,
  SIX_DECIMALS,
  TAX_CODE,
  TWO_DECIMALS,
} from '../parts/structure.js';
import { RETENCIONES, RUBROS_TERCEROS } from './collected.js';
import { EXPORT_COSTS, EXPORT_TERMS } from './export.js';
import { TIPO_NEGOCIABLE } from './negotiable.js';
import { SUSTITUTIVA_GUIA } from './transport.js';

/** The structure of a factura, by schema version. Ficha técnica off-line v2.34, anexos 1, 3 and 11, and its schemas. */
export const INVOICE_STRUCTURES: Readonly<Record<string, ElementRule>> = createStructures();

// --- internal ---

function createStructures() {
  return {
    '1.0.0': factura(TWO_DECIMALS, []),
    '1.1.0': factura(SIX_DECIMALS, [RETENCIONES]),
    '2.0.0': factura(TWO_DECIMALS, [SUSTITUTIVA_GUIA, RUBROS_TERCEROS]),
    '2.1.0': factura(SIX_DECIMALS, [RETENCIONES, SUSTITUTIVA_GUIA, RUBROS_TERCEROS]),
  };
}

function infoFactura() {
  return one('infoFactura', [
    one('fechaEmision', DATE),
    optional('dirEstablecimiento', line(300)),
    optional('contribuyenteEspecial', pattern('[A-Za-z0-9]{3,13}')),
    optional('obligadoContabilidad', pattern('SI|NO')),
    ...EXPORT_TERMS,
    one('tipoIdentificacionComprador', ID_TYPE),
    optional('guiaRemision', DOCUMENT_NUMBER),
    one('razonSocialComprador', line(300)),
    one('identificacionComprador', line(20)),
    optional('direccionComprador', line(300)),
    one('totalSinImpuestos', AMOUNT),
    optional('totalSubsidio', AMOUNT),
    optional('incoTermTotalSinImpuestos', pattern('[A-Z]{1,10}')),
    one('totalDescuento', SIGNED_AMOUNT),
    optional('codDocReembolso', pattern('[0-9]{2,3}')),
    optional('totalComprobantesReembolso', AMOUNT),
    optional('totalBaseImponibleReembolso', AMOUNT),
    optional('totalImpuestoReembolso', AMOUNT),
    one('totalConImpuestos', [
      several('totalImpuesto', [
        one('codigo', TAX_CODE),
        one('codigoPorcentaje', RATE_CODE),
        optional('descuentoAdicional', SIGNED_AMOUNT),
        one('baseImponible', AMOUNT),
        optional('tarifa', RATE),
        one('valor', AMOUNT),
        optional('valorDevolucionIva', AMOUNT),
      ]),
    ]),
    COMPENSACIONES,
    optional('propina', AMOUNT),
    ...EXPORT_COSTS,
    one('importeTotal', AMOUNT),
    optional('moneda', line(15)),
    optional('placa', line(20)),
    PAGOS,
    optional('valorRetIva', AMOUNT),
    optional('valorRetRenta', AMOUNT),
  ]);
}

/** @param quantity digits of cantidad and unit prices; most versions differ only in these. */
function facturaItems(quantity: ValueRule): ElementRule {
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
          one('codigo', TAX_CODE),
          one('codigoPorcentaje', RATE_CODE),
          one('tarifa', RATE),
          one('baseImponible', AMOUNT),
          one('valor', AMOUNT),
        ]),
      ]),
    ]),
  ]);
}

function factura(quantity: ValueRule, extras: readonly ElementRule[]): ElementRule {
  return one(
    'factura',
    [
      INFO_TRIBUTARIA,
      infoFactura(),
      facturaItems(quantity),
      reembolsosRule(),
      ...extras,
      TIPO_NEGOCIABLE,
      MAQUINA_FISCAL,
      INFO_ADICIONAL,
    ],
    ROOT,
  );
}
