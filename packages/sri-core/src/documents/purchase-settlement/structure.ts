import { type ElementRule, line, one, optional, pattern, type ValueRule } from '../parts/element-rule.js';
import { REEMBOLSO_SUMS, reembolsosRule } from '../parts/reimbursements.js';
import {
  AMOUNT,
  comprobante,
  detallesRule,
  ID_TYPE,
  issueHead,
  PAGOS,
  SIGNED_AMOUNT,
  SIX_DECIMALS,
  TWO_DECIMALS,
  totalsRule,
} from '../parts/structure.js';

/** The structure of a liquidacionCompra, by schema version. Ficha técnica off-line v2.34, anexo 17, and its schemas. */
export const PURCHASE_SETTLEMENT_STRUCTURES: Readonly<Record<string, ElementRule>> = {
  '1.0.0': liquidacionCompra(TWO_DECIMALS),
  '1.1.0': liquidacionCompra(SIX_DECIMALS),
};

// --- internal ---

/** @param quantity digits of cantidad and unit prices; the versions differ only in these. */
function liquidacionCompra(quantity: ValueRule): ElementRule {
  return comprobante('liquidacionCompra', [
    infoLiquidacionCompra(),
    detallesRule(quantity, pattern('2')),
    reembolsosRule({ compensations: false }),
    optional('tipoNegociable', [one('correo', line(100))]),
  ]);
}

function infoLiquidacionCompra(): ElementRule {
  return one('infoLiquidacionCompra', [
    ...issueHead(),
    one('tipoIdentificacionProveedor', ID_TYPE),
    one('razonSocialProveedor', line(300)),
    one('identificacionProveedor', line(20)),
    optional('direccionProveedor', line(300)),
    one('totalSinImpuestos', AMOUNT),
    one('totalDescuento', SIGNED_AMOUNT),
    ...REEMBOLSO_SUMS,
    totalsRule(pattern('2')),
    one('importeTotal', AMOUNT),
    optional('moneda', line(15)),
    PAGOS,
  ]);
}
