import type { CatalogEntry } from './catalog.js';
import type { SupportDocumentCode } from './support-document-types.js';

const ATS_TABLE_5 = 'Catálogo del Anexo Transaccional Simplificado (2026-08-06), tabla 5';

interface SupportRow<Code extends string> extends CatalogEntry {
  readonly code: Code;
  readonly documentTypes: readonly SupportDocumentCode[];
}

/** @param documentTypes their codes, with a space between. */
function row<const Code extends string>(code: Code, es: string, en: string, documentTypes: string): SupportRow<Code> {
  const codes = documentTypes.split(' ') as readonly SupportDocumentCode[];
  return { code, description: { es, en }, documentTypes: codes, source: ATS_TABLE_5 };
}

/**
 * What a purchase is used for [codSustento], with the types of document that support each use [codDocSustento]. Code 00 ended
 * on 2015-02-28 and is left out.
 */
export const supportCodes = [
  row(
    '01',
    'Crédito tributario de IVA: servicios y bienes que no son inventario ni activo fijo',
    'IVA credit: services, and goods other than stock and fixed assets',
    '01 03 04 05 11 12 21 41 43 47 48 294 344',
  ),
  row(
    '02',
    'Costo o gasto de impuesto a la renta: servicios y bienes que no son inventario ni activo fijo',
    'Cost or expense of income tax: services, and goods other than stock and fixed assets',
    '01 02 03 04 05 09 11 12 15 19 20 21 41 43 47 48 294 344 364',
  ),
  row('03', 'Activo fijo: crédito tributario de IVA', 'Fixed asset: IVA credit', '01 03 04 05 41 47 48 294 344'),
  row(
    '04',
    'Activo fijo: costo o gasto de impuesto a la renta',
    'Fixed asset: cost or expense of income tax',
    '01 02 03 04 05 15 41 47 48 294 344',
  ),
  row(
    '05',
    'Gastos de viaje, hospedaje y alimentación, a nombre del empleado',
    "Travel expenses in the employee's name",
    '01 02 03 04 05 11 15 41 294 344',
  ),
  row('06', 'Inventario: crédito tributario de IVA', 'Stock: IVA credit', '01 03 04 05 41 43 47 48 294 344'),
  row(
    '07',
    'Inventario: costo o gasto de impuesto a la renta',
    'Stock: cost or expense of income tax',
    '01 02 03 04 05 15 41 43 47 48 294 344 364',
  ),
  row(
    '08',
    'Valor pagado para pedir su reembolso, como intermediario',
    'Paid to be reimbursed, as an intermediary',
    '01 02 03 04 05 21 294 344',
  ),
  row('09', 'Reembolso por siniestros', 'Reimbursement of insurance claims', '01 04 05 45'),
  row('10', 'Distribución de dividendos o utilidades', 'Distribution of dividends or profits', '19'),
  row(
    '11',
    'Convenios de débito o recaudación de instituciones financieras',
    'Debit or collection agreements of financial institutions',
    '12',
  ),
  row('12', 'Impuestos y retenciones presuntivos', 'Presumptive taxes and withholdings', '42'),
  row(
    '13',
    'Valores reconocidos por entidades del sector público',
    'Amounts recognized by entities of the public sector',
    '19',
  ),
  row(
    '14',
    'Valores facturados por socios a operadoras de transporte',
    'Invoiced by members to transport operators',
    '01 02 03 04 05',
  ),
  row('15', 'Servicios digitales', 'Digital services', '01 02 03 04 05 12 15'),
] as const;

/** The code of a use. */
export type SupportCode = (typeof supportCodes)[number]['code'];
