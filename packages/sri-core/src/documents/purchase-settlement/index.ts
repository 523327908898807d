import type { DocumentType } from '../document-type.js';
import { summaryFor } from '../parts/party.js';
import { partyIdOf } from '../parts/reading.js';
import { taxFigures } from '../parts/tax-figures.js';
import { type PurchaseSettlementBody, purchaseSettlementSchema } from './body.js';
import { PURCHASE_SETTLEMENT_EXAMPLES } from './examples.js';
import {
  inspectPurchaseSettlement,
  type PreparedPurchaseSettlement,
  preparePurchaseSettlement,
  refuseOtherTaxes,
} from './prepare.js';
import { purchaseSettlementRide } from './ride.js';
import { PURCHASE_SETTLEMENT_SRI_CHECKS } from './sri-checks.js';
import { PURCHASE_SETTLEMENT_STRUCTURES } from './structure.js';
import { PURCHASE_SETTLEMENT_TEXTS } from './texts.js';
import { type PurchaseSettlementComprobante, readLiquidacionCompra, writeLiquidacionCompra } from './xml.js';

/** `03`: purchase settlement (liquidación de compra de bienes y prestación de servicios). */
export const purchaseSettlement: DocumentType<
  '03',
  PurchaseSettlementBody,
  PreparedPurchaseSettlement,
  PurchaseSettlementComprobante
> = {
  code: '03',
  root: 'liquidacionCompra',
  info: 'infoLiquidacionCompra',
  texts: PURCHASE_SETTLEMENT_TEXTS,
  effect: 'none',
  counterpartyRole: 'SUPPLIER',
  body: { name: 'PurchaseSettlementInput', withSums: purchaseSettlementSchema, optionalSums: purchaseSettlementSchema },
  examples: PURCHASE_SETTLEMENT_EXAMPLES,
  checkFirst: refuseOtherTaxes,
  inspect: inspectPurchaseSettlement,
  prepare: preparePurchaseSettlement,
  summary: ({ supplier, total }) => summaryFor(supplier, total),
  schema: () => 'LiquidacionCompra_V1.1.0.xsd',
  write: writeLiquidacionCompra,
  read: readLiquidacionCompra,
  counterpartyId: partyIdOf('infoLiquidacionCompra', 'Proveedor'),
  structures: PURCHASE_SETTLEMENT_STRUCTURES,
  sriChecks: PURCHASE_SETTLEMENT_SRI_CHECKS,
  ride: purchaseSettlementRide,
  figures: taxFigures,
};
