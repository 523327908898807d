import {
  DOCUMENTS,
  ecuadorTimestamp,
  formatDecimal,
  type Language,
  type LocalizedText,
  MONEY_SCALE,
  parseDecimal,
  type StoredDocument,
  sum,
  type TaxFigures,
  taxRates,
  translate,
} from 'sri-core';
import { toIsoMoment, writeNumber } from './document-words.js';

const IVA = '2';

/** Rates in force, as form 104 asks for them. The other rates follow, for older documents. */
const RATE_ORDER = ['4', '8', '5', '0', '6', '7'];

const NOTHING = '0.00';

/** A document with its amounts by tax; null if its XML cannot be read. */
export interface ExportRow {
  readonly document: StoredDocument;
  readonly figures: TaxFigures | null;
}

/** The content of a cell: a text, a day `YYYY-MM-DD`, or a number as decimal text. */
export type CellForm = 'text' | 'day' | 'number';

/** A column of an export. */
export interface ExportColumn {
  readonly head: LocalizedText;
  readonly form: CellForm;
  /** Its cell; empty where the document has no value. */
  of(row: ExportRow, language: Language): string;
}

/**
 * The columns of an export. Amounts keep the sign of the document. `sign` is the document's effect on the issuer's
 * sales.
 */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  stored('day', { es: 'Fecha de emisión', en: 'Issue date' }, ({ issueDate }) => issueDate),
  stored('text', { es: 'Tipo', en: 'Type' }, ({ documentType }) => documentType),
  {
    head: { es: 'Documento', en: 'Document' },
    form: 'text',
    of: ({ document }, language) => translate(DOCUMENTS[document.documentType].texts.name, language),
  },
  stored('text', { es: 'Número', en: 'Number' }, ({ accessKey }) => writeNumber(accessKey)),
  stored('text', { es: 'Estado', en: 'Status' }, ({ status }) => status),
  stored('number', { es: 'Signo', en: 'Sign' }, ({ documentType }) => SIGNS[DOCUMENTS[documentType].effect]),
  stored(
    'text',
    { es: 'Tipo de identificación', en: 'Identification type' },
    ({ counterparty }) => counterparty.idType ?? '',
  ),
  stored('text', { es: 'Identificación', en: 'Identification' }, ({ counterparty }) => counterparty.id),
  stored('text', { es: 'Nombre', en: 'Name' }, ({ counterparty }) => counterparty.name),
  ...ivaColumns(),
  amount({ es: 'IVA', en: 'IVA' }, ({ iva }) => iva),
  amount({ es: 'IVA devuelto', en: 'IVA returned' }, ({ ivaRefund }) => ivaRefund),
  amount({ es: 'ICE', en: 'ICE' }, ({ ice }) => ice),
  amount({ es: 'IRBPNR', en: 'IRBPNR' }, ({ irbpnr }) => irbpnr),
  amount({ es: 'Propina', en: 'Tip' }, ({ tip }) => tip),
  amount({ es: 'Retención de renta', en: 'Withheld income tax' }, ({ withheldIncomeTax }) => withheldIncomeTax),
  amount({ es: 'Retención de IVA', en: 'Withheld IVA' }, ({ withheldIva }) => withheldIva),
  amount({ es: 'Retención de ISD', en: 'Withheld ISD' }, ({ withheldIsd }) => withheldIsd),
  stored('number', { es: 'Total', en: 'Total' }, ({ total }) => total),
  stored(
    'text',
    { es: 'Tipo del documento modificado', en: 'Type of the modified document' },
    ({ modifies }) => modifies?.documentType ?? '',
  ),
  stored('text', { es: 'Documento modificado', en: 'Modified document' }, ({ modifies }) => modifies?.number ?? ''),
  stored(
    'text',
    { es: 'Número de autorización', en: 'Authorization number' },
    ({ authorization }) => authorization?.number ?? '',
  ),
  stored('text', { es: 'Fecha de autorización', en: 'Authorization date' }, ({ authorization }) =>
    authorization ? toIsoMoment(authorization.date) : '',
  ),
  stored('text', { es: 'Clave de acceso', en: 'Access key' }, ({ accessKey }) => accessKey),
  stored('text', { es: 'RUC del emisor', en: 'RUC of the issuer' }, ({ accessKey }) => accessKey.slice(10, 23)),
  stored('text', { es: 'Id del emisor', en: 'Issuer id' }, ({ issuerId }) => issuerId),
  stored('text', { es: 'Creado', en: 'Created' }, ({ createdAt }) => ecuadorTimestamp(createdAt)),
];

/**
 * A text that no spreadsheet treats as a formula: an apostrophe protects each part that starts like one. In Ecuador, Excel
 * divides any CSV at its semicolons, quoted or not, and drops quotes that stand behind one.
 * Source: https://owasp.org/www-community/attacks/CSV_Injection (2026-11).
 */
export function withoutFormula(text: string): string {
  return text.replace(/(^|;"*)(?=[=+\-@\t\r])/g, "$1'");
}

// --- internal ---

const SIGNS = { charge: '1', credit: '-1', none: '0' } as const;

/** A column for the bases of each rate of the catalogue, and one for all rates beyond it. */
function ivaColumns(): readonly ExportColumn[] {
  const rates = taxRates.filter(({ taxCode }) => taxCode === IVA);
  const first = RATE_ORDER.flatMap((code) => rates.find(({ rateCode }) => rateCode === code) ?? []);
  const known = new Set(rates.map(({ rateCode }) => rateCode));
  const columns = Array.from(new Set([...first, ...rates.toReversed()]), ({ rateCode, description }) =>
    amount(baseOf(description), ({ ivaBases }) => ivaBases[rateCode] ?? NOTHING),
  );
  const others = amount({ es: 'Base: otras tarifas', en: 'Base: other rates' }, ({ ivaBases }) => {
    const bases = Object.entries(ivaBases).flatMap(([rateCode, base]) => (known.has(rateCode) ? [] : base));
    return formatDecimal(sum(bases.map((base) => parseDecimal(base, MONEY_SCALE))), MONEY_SCALE);
  });
  return [...columns, others];
}

/** `Base: IVA 5 %`, without the catalogue's addition in brackets. */
function baseOf({ es, en }: LocalizedText): LocalizedText {
  const short = (text: string) => text.split(' (')[0];
  return { es: `Base: ${short(es)}`, en: `Base: ${short(en)}` };
}

function stored(form: CellForm, head: LocalizedText, of: (document: StoredDocument) => string): ExportColumn {
  return { head, form, of: ({ document }) => of(document) };
}

function amount(head: LocalizedText, of: (figures: TaxFigures) => string): ExportColumn {
  return { head, form: 'number', of: ({ figures }) => (figures ? of(figures) : '') };
}
