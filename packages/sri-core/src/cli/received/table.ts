import { documentTypes } from '../../catalogs/document-types.js';
import { IVA_RATES } from '../../catalogs/tax-rates.js';
import { TAX } from '../../catalogs/tax-types.js';
import { addAmounts, writeAmount } from '../../documents/parts/amounts.js';
import type { Comprobante } from '../../documents/registry.js';
import { csvLine } from './csv.js';
import type { ReceivedOutcome, ReceivedStatus } from './outcome.js';

/** The headings of the table, as CSV. A mark tells spreadsheets that the file is UTF-8. */
export function tableHeadings(): string {
  return `\uFEFF${csvLine(COLUMNS.map(({ name }) => name))}`;
}

/** A received document as a row of the table: the bases of each rate of IVA stand in columns of their own. */
export function tableRow(outcome: ReceivedOutcome): string {
  return csvLine(COLUMNS.map(({ cell }) => cell(outcome) ?? ''));
}

/** The states in the words of the SRI and of people. */
export const STATUS_WORDS: Readonly<Record<ReceivedStatus, string>> = {
  AUTHORIZED: 'AUTORIZADO',
  PENDING_ANNULMENT: 'PENDIENTE DE ANULAR',
  ANNULLED: 'ANULADO',
  NOT_AUTHORIZED: 'NO AUTORIZADO',
  IN_PROCESS: 'EN PROCESO',
  NOT_FOUND: 'NO CONSTA',
  FAILED: 'SIN RESPUESTA',
  PENDING: 'NO CONSULTADO',
};

// --- internal ---

interface Column {
  readonly name: string;
  readonly cell: (outcome: ReceivedOutcome) => string | null | undefined;
}

/** A column of amounts, with a decimal comma: where Excel divides at semicolons, the point separates thousands. */
const amountColumn = (name: string, amount: Column['cell']): Column => ({
  name,
  cell: (outcome) => amount(outcome)?.replace('.', ','),
});

/** An amount that only a fetched document has. */
const ofDocument = (name: string, amount: (document: Comprobante) => string | null | undefined): Column =>
  amountColumn(name, ({ comprobante }) => comprobante && amount(comprobante));

/** The tax amounts or bases of a document that match; blank without any. */
function taxSum(document: Comprobante, field: 'taxableBase' | 'taxAmount', code: string, rateCode?: string) {
  if (!('taxes' in document)) return null;
  const matching = document.taxes.filter((tax) => tax.code === code && (rateCode ?? tax.rateCode) === tax.rateCode);
  return matching.length === 0 ? null : addAmounts(matching.map((tax) => tax[field]));
}

function withheld(document: Comprobante, tax: string) {
  if (!('fiscalPeriod' in document)) return null;
  const matching = document.supportingDocuments.flatMap(({ withholdings }) =>
    withholdings.filter((one) => one.tax === tax),
  );
  return matching.length === 0 ? null : addAmounts(matching.map(({ amount }) => amount));
}

const BASES: Readonly<Record<string, string>> = { '6': 'base_no_objeto_iva', '7': 'base_exento_iva' };

const COLUMNS: readonly Column[] = [
  {
    name: 'tipo',
    cell: ({ row }) => documentTypes.find(({ code }) => code === row.documentType)?.description.es,
  },
  { name: 'numero', cell: ({ row }) => row.number },
  { name: 'ruc_emisor', cell: ({ row }) => row.issuerRuc },
  { name: 'razon_social_emisor', cell: ({ row, comprobante }) => comprobante?.issuer.businessName ?? row.issuerName },
  { name: 'fecha_emision', cell: ({ row }) => row.issueDate },
  { name: 'fecha_autorizacion', cell: ({ row, verdict }) => verdict.authorizationDate ?? row.authorizationDate },
  { name: 'clave_acceso', cell: ({ row }) => row.accessKey },
  ...IVA_RATES.toSorted((one, other) => Number(other.rate) - Number(one.rate)).map(({ rateCode, rate }) =>
    ofDocument(BASES[rateCode] ?? `base_iva_${rate}`, (document) => taxSum(document, 'taxableBase', TAX.IVA, rateCode)),
  ),
  amountColumn('subtotal', ({ row, comprobante }) =>
    comprobante && 'subtotal' in comprobante ? writeAmount(comprobante.subtotal) : row.subtotal,
  ),
  ofDocument('iva', (document) => taxSum(document, 'taxAmount', TAX.IVA)),
  ofDocument('ice', (document) => taxSum(document, 'taxAmount', TAX.ICE)),
  ofDocument('irbpnr', (document) => taxSum(document, 'taxAmount', TAX.IRBPNR)),
  ofDocument('propina', (document) => ('tip' in document && document.tip ? writeAmount(document.tip) : null)),
  ofDocument('retenido_renta', (document) => withheld(document, '1')),
  ofDocument('retenido_iva', (document) => withheld(document, '2')),
  ofDocument('retenido_isd', (document) => withheld(document, '6')),
  amountColumn('total', ({ row, comprobante }) =>
    comprobante && 'total' in comprobante ? writeAmount(comprobante.total) : row.total,
  ),
  { name: 'estado', cell: ({ verdict }) => STATUS_WORDS[verdict.status] },
  {
    name: 'firma',
    cell: ({ verdict: { signatureValid } }) => (signatureValid === null ? '' : signatureValid ? 'VÁLIDA' : 'NO VÁLIDA'),
  },
  { name: 'motivo', cell: ({ verdict }) => verdict.reason },
];
