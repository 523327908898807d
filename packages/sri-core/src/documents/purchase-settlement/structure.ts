import { type ElementRule, line, one, optional, pattern, several, type ValueRule } from '../parts/element-rule.js';
import { reembolsosRule } from '../parts/reimbursements.js';
import {
  AMOUNT,
  DATE,
  DETALLES_ADICIONALES,
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
  TWO_DECIMALS,
} from '../parts/structure.js';

/** The structure of a liquidacionCompra, by schema version. Ficha técnica off-line v2.34, anexo 17, and its schemas. */
export const PURCHASE_SETTLEMENT_STRUCTURES: Readonly<Record<string, ElementRule>> = createStructures();

// --- internal ---

function createStructures() {
  return { '1.0.0': liquidacionCompra(TWO_DECIMALS), '1.1.0': liquidacionCompra(SIX_DECIMALS) };
}

/** @param quantity digits of cantidad and unit prices; the versions differ only in these. */
function liquidacionCompra(quantity: ValueRule): ElementRule {
  return one(
    'liquidacionCompra',
    [
      INFO_TRIBUTARIA,
      infoLiquidacionCompra(),
      detalles(quantity),
      reembolsosRule({ compensations: false }),
      optional('tipoNegociable', [one('correo', line(100))]),
      MAQUINA_FISCAL,
      INFO_ADICIONAL,
    ],
    ROOT,
  );
}

function infoLiquidacionCompra(): ElementRule {
  return one('infoLiquidacionCompra', [
    one('fechaEmision', DATE),
    optional('dirEstablecimiento', line(300)),
    optional('contribuyenteEspecial', pattern('[A-Za-z0-9]{3,13}')),
    optional('obligadoContabilidad', pattern('SI|NO')),
    one('tipoIdentificacionProveedor', ID_TYPE),
    one('razonSocialProveedor', line(300)),
    one('identificacionProveedor', line(20)),
    optional('direccionProveedor', line(300)),
    one('totalSinImpuestos', AMOUNT),
    one('totalDescuento', SIGNED_AMOUNT),
    optional('codDocReembolso', pattern('[0-9]{2,3}')),
    optional('totalComprobantesReembolso', AMOUNT),
    optional('totalBaseImponibleReembolso', AMOUNT),
    optional('totalImpuestoReembolso', AMOUNT),
    one('totalConImpuestos', [
      several('totalImpuesto', [
        one('codigo', pattern('2')),
        one('codigoPorcentaje', RATE_CODE),
        optional('descuentoAdicional', SIGNED_AMOUNT),
        one('baseImponible', AMOUNT),
        optional('tarifa', RATE),
        one('valor', AMOUNT),
      ]),
    ]),
    one('importeTotal', AMOUNT),
    optional('moneda', line(15)),
    PAGOS,
  ]);
}

function detalles(quantity: ValueRule): ElementRule {
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
          one('codigo', pattern('2')),
          one('codigoPorcentaje', RATE_CODE),
          one('tarifa', RATE),
          one('baseImponible', AMOUNT),
          one('valor', AMOUNT),
        ]),
      ]),
    ]),
  ]);
}
