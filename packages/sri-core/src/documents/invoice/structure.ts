import { type ElementRule, line, one, optional, pattern, type ValueRule } from '../parts/element-rule.js';
import { REEMBOLSO_SUMS, reembolsosRule } from '../parts/reimbursements.js';
import {
  AMOUNT,
  COMPENSACIONES,
  comprobante,
  DOCUMENT_NUMBER,
  detallesRule,
  ID_TYPE,
  issueHead,
  PAGOS,
  SIGNED_AMOUNT,
  SIX_DECIMALS,
  TAX_CODE,
  TWO_DECIMALS,
  totalsRule,
} from '../parts/structure.js';
import { RETENCIONES, RUBROS_TERCEROS } from './collected.js';
import { EXPORT_COSTS, EXPORT_TERMS } from './export.js';
import { TIPO_NEGOCIABLE } from './negotiable.js';
import { SUSTITUTIVA_GUIA } from './transport.js';

/** The structure of a factura, by schema version. Ficha técnica off-line v2.34, anexos 1, 3 and 11, and its schemas. */
export const INVOICE_STRUCTURES: Readonly<Record<string, ElementRule>> = {
  '1.0.0': factura(TWO_DECIMALS, []),
  '1.1.0': factura(SIX_DECIMALS, [RETENCIONES]),
  '2.0.0': factura(TWO_DECIMALS, [SUSTITUTIVA_GUIA, RUBROS_TERCEROS]),
  '2.1.0': factura(SIX_DECIMALS, [RETENCIONES, SUSTITUTIVA_GUIA, RUBROS_TERCEROS]),
};

// --- internal ---

function infoFactura() {
  return one('infoFactura', [
    ...issueHead(),
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
    ...REEMBOLSO_SUMS,
    totalsRule(TAX_CODE, [optional('valorDevolucionIva', AMOUNT)]),
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

function factura(quantity: ValueRule, extras: readonly ElementRule[]): ElementRule {
  return comprobante('factura', [
    infoFactura(),
    detallesRule(quantity, TAX_CODE),
    reembolsosRule(),
    ...extras,
    TIPO_NEGOCIABLE,
  ]);
}
