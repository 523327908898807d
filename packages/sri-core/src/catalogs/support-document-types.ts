import type { CatalogEntry } from './catalog.js';

const ATS_TABLE_4 = 'Catálogo del Anexo Transaccional Simplificado (2026-08-06), tabla 4';

function row<const Code extends string>(code: Code, es: string, en: string) {
  return { code, description: { es, en }, source: ATS_TABLE_4 } as const satisfies CatalogEntry;
}

/** Documents that support a purchase, a withholding or a reimbursement [codDocSustento, codDocReembolso]. */
export const supportDocumentTypes = [
  row('01', 'Factura', 'Invoice'),
  row('02', 'Nota de venta', 'Sales note'),
  row('03', 'Liquidación de compra', 'Purchase settlement'),
  row('04', 'Nota de crédito', 'Credit note'),
  row('05', 'Nota de débito', 'Debit note'),
  row('06', 'Guía de remisión', 'Delivery guide'),
  row('07', 'Comprobante de retención', 'Withholding receipt'),
  row('08', 'Boletos a espectáculos públicos', 'Tickets of public shows'),
  row('09', 'Tiquetes de máquina registradora', 'Cash register slips'),
  row('11', 'Pasajes de empresas de aviación', 'Air tickets'),
  row('12', 'Documentos de instituciones financieras', 'Documents of financial institutions'),
  row('15', 'Comprobante de venta emitido en el exterior', 'Sales document issued abroad'),
  row('16', 'Formulario único de exportación o declaración aduanera', 'Export form or customs declaration'),
  row('18', 'Documentos autorizados en ventas, salvo notas', 'Documents authorized for sales, without notes'),
  row('19', 'Comprobantes de cuotas o aportes', 'Receipts of dues or contributions'),
  row('20', 'Servicios administrativos del Estado', 'Administrative services of the State'),
  row('21', 'Carta de porte aéreo', 'Air waybill'),
  row('22', 'RECAP', 'RECAP'),
  row('23', 'Nota de crédito de tarjeta de crédito', 'Credit note of a credit card'),
  row('24', 'Nota de débito de tarjeta de crédito', 'Debit note of a credit card'),
  row('41', 'Comprobante de venta emitido por reembolso', 'Sales document issued for a reimbursement'),
  row('42', 'Retención presuntiva o por el propio vendedor', 'Presumptive withholding, or by the seller itself'),
  row('43', 'Liquidación de hidrocarburos', 'Settlement of hydrocarbons'),
  row('44', 'Comprobante de contribuciones y aportes', 'Receipt of contributions'),
  row('45', 'Liquidación por reclamos de aseguradoras', 'Settlement of insurance claims'),
  row('47', 'Nota de crédito por reembolso de intermediario', 'Credit note for a reimbursement by an intermediary'),
  row('48', 'Nota de débito por reembolso de intermediario', 'Debit note for a reimbursement by an intermediary'),
  row('49', 'Proveedor directo de exportador', 'Direct supplier of an exporter'),
  row('50', 'A instituciones exentas: venta', 'To exempt institutions: sale'),
  row('51', 'A instituciones exentas: nota de crédito', 'To exempt institutions: credit note'),
  row('52', 'A instituciones exentas: nota de débito', 'To exempt institutions: debit note'),
  row('294', 'Liquidación de compra de bienes muebles usados', 'Settlement of used movable goods'),
  row('344', 'Liquidación de compra de vehículos usados', 'Settlement of used vehicles'),
  row('364', 'Acta de entrega y recepción PET', 'PET delivery record'),
] as const;

/** The code of a supporting document. */
export type SupportDocumentCode = (typeof supportDocumentTypes)[number]['code'];
