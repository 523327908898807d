import { formatDecimal, formatMoney, MONEY_SCALE, QUANTITY_SCALE, type Scaled } from '../../money.js';
import { escapeAttribute, escapeText, optionalElement } from '../../xml/writer.js';
import type { NameValue, PreparedItem, PreparedTax, TaxTotal } from './prepared.js';

/** A rate [tarifa]: four digits in all, so no trailing zeros from 100 on. */
export function writeRate(rate: Scaled): string {
  return rate < HUNDRED ? formatMoney(rate) : formatMoney(rate).replace(/\.?0+$/, '');
}

/** A quantity or unit price: two decimals, more only if needed. */
export function writeQuantity(value: Scaled): string {
  if (value % CENT_IN_QUANTITY === 0n) return formatMoney(value / CENT_IN_QUANTITY);
  return formatDecimal(value, QUANTITY_SCALE).replace(/0+$/, '');
}

/** [detalles] The lines. Document types differ only in the element names of the two product codes. */
export function writeDetalles(items: readonly PreparedItem[], mainCode: string, auxiliaryCode: string): string {
  let xml = '<detalles>';
  for (const item of items) {
    xml +=
      `<detalle><${mainCode}>${escapeText(item.mainCode)}</${mainCode}>` +
      optionalElement(auxiliaryCode, item.auxiliaryCode) +
      `<descripcion>${escapeText(item.description)}</descripcion>${optionalElement('unidadMedida', item.unitOfMeasure)}` +
      `<cantidad>${writeQuantity(item.quantity)}</cantidad>` +
      `<precioUnitario>${writeQuantity(item.unitPrice)}</precioUnitario>` +
      optionalElement(
        'precioSinSubsidio',
        item.unsubsidizedPrice === null ? null : writeQuantity(item.unsubsidizedPrice),
      ) +
      `<descuento>${formatMoney(item.discount)}</descuento>` +
      `<precioTotalSinImpuesto>${formatMoney(item.subtotal)}</precioTotalSinImpuesto>` +
      `${writeAdditionalDetails(item.additionalDetails)}${writeTaxes(item.taxes)}</detalle>`;
  }
  return `${xml}</detalles>`;
}

/** [totalConImpuestos] Here tarifa comes after baseImponible; in a line's tax it comes before. */
export function writeTaxTotals(totals: readonly TaxTotal[]): string {
  let xml = '<totalConImpuestos>';
  for (const tax of totals) {
    xml +=
      `<totalImpuesto><codigo>${tax.code}</codigo><codigoPorcentaje>${tax.rateCode}</codigoPorcentaje>` +
      `<baseImponible>${formatMoney(tax.taxableBase)}</baseImponible>` +
      optionalElement('tarifa', tax.rate === null ? null : writeRate(tax.rate)) +
      `<valor>${formatMoney(tax.taxAmount)}</valor>${writeRefund(tax)}</totalImpuesto>`;
  }
  return `${xml}</totalConImpuestos>`;
}

/** [impuestos] of a line, or of the heading of a notaDebito. */
export function writeTaxes(taxes: readonly (PreparedTax & Pick<TaxTotal, 'refund'>)[]): string {
  let xml = '<impuestos>';
  for (const tax of taxes) {
    xml +=
      `<impuesto><codigo>${tax.code}</codigo><codigoPorcentaje>${tax.rateCode}</codigoPorcentaje>` +
      `<tarifa>${writeRate(tax.rate)}</tarifa><baseImponible>${formatMoney(tax.taxableBase)}</baseImponible>` +
      `<valor>${formatMoney(tax.taxAmount)}</valor>${writeRefund(tax)}</impuesto>`;
  }
  return `${xml}</impuestos>`;
}

/** [valorDevolucionIva] of a tax; empty without a refund. */
function writeRefund({ refund }: Pick<TaxTotal, 'refund'>): string {
  return optionalElement('valorDevolucionIva', refund ? formatMoney(refund) : null);
}

/** [detallesAdicionales] of a line; empty without pairs. */
export function writeAdditionalDetails(details: readonly NameValue[]): string {
  if (details.length === 0) return '';
  let xml = '<detallesAdicionales>';
  for (const { name, value } of details) {
    xml += `<detAdicional nombre="${escapeAttribute(name)}" valor="${escapeAttribute(value)}"></detAdicional>`;
  }
  return `${xml}</detallesAdicionales>`;
}

/** [infoAdicional] at the foot; empty without pairs. */
export function writeAdditionalInfo(info: readonly NameValue[]): string {
  if (info.length === 0) return '';
  let xml = '<infoAdicional>';
  for (const { name, value } of info) {
    xml += `<campoAdicional nombre="${escapeAttribute(name)}">${escapeText(value)}</campoAdicional>`;
  }
  return `${xml}</infoAdicional>`;
}

// --- internal ---

const CENT_IN_QUANTITY = 10n ** BigInt(QUANTITY_SCALE - MONEY_SCALE);
/** 100.00 at two decimals. */
const HUNDRED = 10_000n;
