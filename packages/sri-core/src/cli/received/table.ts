import { documentTypes } from '../../catalogs/document-types.js';
import { IVA_RATES } from '../../catalogs/tax-rates.js';
import { addAmounts, writeAmount } from '../../documents/parts/amounts.js';
import type { TaxFigures } from '../../documents/parts/tax-figures.js';
import { documentTypeOf } from '../../documents/registry.js';
import { csvLine } from './csv.js';
import type { ReceivedOutcome, ReceivedStatus } from './outcome.js';

/** The headings of the table, as CSV. A mark tells spreadsheets that the file is UTF-8. */
export function tableHeadings(): string {
  return `\uFEFF${csvLine(COLUMNS.map(({ name }) => name))}`;
}

/** A received document as a row of the table: the bases of each rate of IVA stand in columns of their own. */
export function tableRow(outcome: ReceivedOutcome): string {
  const { comprobante } = outcome;
  const figures = comprobante && documentTypeOf(comprobante.documentType).figures(comprobante);
  return csvLine(COLUMNS.map(({ cell }) => cell({ ...outcome, figures }) ?? ''));
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
  readonly cell: (outcome: ReceivedOutcome & { readonly figures: TaxFigures | null }) => string | null | undefined;
}

/** A column of amounts, with a decimal comma: where Excel divides at semicolons, the point separates thousands. */
const amountColumn = (name: string, amount: Column['cell']): Column => ({
  name,
  cell: (outcome) => amount(outcome)?.replace('.', ','),
});

/** An amount by tax; blank without the document. */
const figureColumn = (name: string, amount: (figures: TaxFigures) => string | undefined): Column =>
  amountColumn(name, ({ figures }) => figures && amount(figures));

/** The bases of rates that the catalogue does not have; blank without any. */
function otherBases(ivaBases: TaxFigures['ivaBases']): string | undefined {
  const bases = Object.entries(ivaBases).flatMap(([code, base]) =>
    IVA_RATES.some(({ rateCode }) => rateCode === code) ? [] : base,
  );
  return bases.length === 0 ? undefined : (addAmounts(bases) ?? undefined);
}

/** The total of a withholding, which its schema does not have. */
function withheldTotal({ withheldIncomeTax, withheldIva, withheldIsd }: TaxFigures): string | null {
  return addAmounts([withheldIncomeTax, withheldIva, withheldIsd]);
}

const BASES: Readonly<Record<string, string>> = { '6': 'base_no_objeto_iva', '7': 'base_exento_iva' };

const COLUMNS: readonly Column[] = [
  { name: 'tipo', cell: ({ row }) => documentTypes.find(({ code }) => code === row.documentType)?.description.es },
  { name: 'numero', cell: ({ row }) => row.number },
  { name: 'ruc_emisor', cell: ({ row }) => row.issuerRuc },
  { name: 'razon_social_emisor', cell: ({ row, comprobante }) => comprobante?.issuer.businessName ?? row.issuerName },
  { name: 'fecha_emision', cell: ({ row }) => row.issueDate },
  { name: 'fecha_autorizacion', cell: ({ row, verdict }) => verdict.authorizationDate ?? row.authorizationDate },
  { name: 'clave_acceso', cell: ({ row }) => row.accessKey },
  ...IVA_RATES.toSorted((one, other) => Number(other.rate) - Number(one.rate)).map(({ rateCode, rate }) =>
    figureColumn(BASES[rateCode] ?? `base_iva_${rate}`, ({ ivaBases }) => ivaBases[rateCode]),
  ),
  figureColumn('base_otras_tarifas', ({ ivaBases }) => otherBases(ivaBases)),
  amountColumn('subtotal', ({ row, comprobante }) =>
    comprobante && 'subtotal' in comprobante ? writeAmount(comprobante.subtotal) : row.subtotal,
  ),
  amountColumn('iva', ({ row, figures }) => figures?.iva ?? row.iva),
  figureColumn('iva_devuelto', ({ ivaRefund }) => ivaRefund),
  figureColumn('ice', ({ ice }) => ice),
  figureColumn('irbpnr', ({ irbpnr }) => irbpnr),
  figureColumn('propina', ({ tip }) => tip),
  figureColumn('retenido_renta', ({ withheldIncomeTax }) => withheldIncomeTax),
  figureColumn('retenido_iva', ({ withheldIva }) => withheldIva),
  figureColumn('retenido_isd', ({ withheldIsd }) => withheldIsd),
  amountColumn('total', ({ row, comprobante, figures }) => {
    if (comprobante && 'total' in comprobante) return writeAmount(comprobante.total);
    return comprobante && 'supportingDocuments' in comprobante && figures ? withheldTotal(figures) : row.total;
  }),
  { name: 'estado', cell: ({ verdict }) => STATUS_WORDS[verdict.status] },
  {
    name: 'firma',
    cell: ({ verdict: { signatureValid } }) => (signatureValid === null ? '' : signatureValid ? 'VÁLIDA' : 'NO VÁLIDA'),
  },
  { name: 'motivo', cell: ({ verdict }) => verdict.reason },
];
