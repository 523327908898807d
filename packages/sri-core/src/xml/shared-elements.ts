import type { NameValue, PreparedTax } from '../documents/prepared-document.js';
import { formatDecimal, MONEY_SCALE, QUANTITY_SCALE, type Scaled } from '../money.js';
import { escapeAttribute, escapeText } from './writer.js';

/** An amount as comprobantes write it: two decimals. */
export function writeMoney(value: Scaled): string {
  return formatDecimal(value, MONEY_SCALE);
}

/** A quantity or unit price: two decimals, and more only as needed. */
export function writeQuantity(value: Scaled): string {
  if (value % CENT_IN_QUANTITY === 0n) return formatDecimal(value / CENT_IN_QUANTITY, MONEY_SCALE);
  return formatDecimal(value, QUANTITY_SCALE).replace(/0+$/, '');
}

/** A rate [tarifa]: four digits in all, so from 100 on no decimals that say nothing. */
export function writeRate(rate: Scaled): string {
  return rate < HUNDRED ? formatDecimal(rate, MONEY_SCALE) : formatDecimal(rate, MONEY_SCALE).replace(/\.?0+$/, '');
}

/** [impuestos] of a line, the same in every document. */
export function writeLineTaxes(taxes: readonly PreparedTax[]): string {
  let xml = '<impuestos>';
  for (const tax of taxes) {
    xml +=
      `<impuesto><codigo>${tax.code}</codigo><codigoPorcentaje>${tax.rateCode}</codigoPorcentaje>` +
      `<tarifa>${writeRate(tax.rate)}</tarifa><baseImponible>${writeMoney(tax.taxableBase)}</baseImponible>` +
      `<valor>${writeMoney(tax.taxAmount)}</valor></impuesto>`;
  }
  return `${xml}</impuestos>`;
}

/** [detallesAdicionales] of a line; nothing when it has none. */
export function writeAdditionalDetails(details: readonly NameValue[]): string {
  if (details.length === 0) return '';
  let xml = '<detallesAdicionales>';
  for (const { name, value } of details) {
    xml += `<detAdicional nombre="${escapeAttribute(name)}" valor="${escapeAttribute(value)}"></detAdicional>`;
  }
  return `${xml}</detallesAdicionales>`;
}

/** [infoAdicional] at the foot; nothing when there is none. */
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
