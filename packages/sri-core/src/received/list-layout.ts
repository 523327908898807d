import { typeOfLabel } from './document-label.js';

/** The columns of the portal's list, as the portal names them. Seen in its downloads of 2020 and of 2026. */
export const LIST_COLUMNS = {
  issuerRuc: 'RUC_EMISOR',
  issuerName: 'RAZON_SOCIAL_EMISOR',
  documentType: 'TIPO_COMPROBANTE',
  number: 'SERIE_COMPROBANTE',
  accessKey: 'CLAVE_ACCESO',
  authorizationDate: 'FECHA_AUTORIZACION',
  issueDate: 'FECHA_EMISION',
  receiverId: 'IDENTIFICACION_RECEPTOR',
  subtotal: 'VALOR_SIN_IMPUESTOS',
  iva: 'IVA',
  total: 'IMPORTE_TOTAL',
  modifiedNumber: 'NUMERO_DOCUMENTO_MODIFICADO',
  authorizationNumber: 'NUMERO_AUTORIZACION',
  emissionType: 'TIPO_EMISION',
} as const;

/** A column of the portal's list. */
export type ListField = keyof typeof LIST_COLUMNS;

/** The columns of a list in order; null for a column that is not read. */
export type ListLayout = readonly (ListField | null)[];

/** The fields by the portal's names. */
const FIELDS: ReadonlyMap<string, ListField> = new Map([
  ...(Object.keys(LIST_COLUMNS) as ListField[]).map((field) => [LIST_COLUMNS[field], field] as const),
  ['COMPROBANTE', 'documentType'],
]);

/** The present layout of the portal. */
const PRESENT: ListLayout = [
  'issuerRuc',
  'issuerName',
  'documentType',
  'number',
  'accessKey',
  'authorizationDate',
  'issueDate',
  'receiverId',
  'subtotal',
  'iva',
  'total',
  'modifiedNumber',
];

/** The earlier layout. Its downloads have the total on a line of its own. */
const EARLIER: ListLayout = [
  'documentType',
  'number',
  'issuerRuc',
  'issuerName',
  'issueDate',
  'authorizationDate',
  'emissionType',
  'modifiedNumber',
  'receiverId',
  'accessKey',
  'authorizationNumber',
  'total',
];

/** A list of access keys alone. */
const KEYS: ListLayout = ['accessKey'];

/** The columns that a line of headings names; null for a line of data. */
export function readHeadings(cells: readonly string[]): ListLayout | null {
  const fields = cells.map((cell) => FIELDS.get(cell.toUpperCase().replace(/\s+/g, '_')) ?? null);
  // The portal may add a column; its name then has the form of the others.
  const isHeading = cells.every((cell, index) => fields[index] !== null || /^[A-Z_ ]*$/.test(cell));
  return isHeading && fields.some((field) => field !== null) ? fields : null;
}

/** The layout of a list without headings, by the first line that begins a row; null for another line. */
export function guessLayout(cells: readonly string[]): ListLayout | null {
  const [first = ''] = cells;
  if (cells.length === 1) return /^\d{49}$/.test(first) ? KEYS : null;
  if (/^\d{12,13}$/.test(first)) return PRESENT;
  return typeOfLabel(first) === null ? null : EARLIER;
}

/** Adds the column that rows of the earlier layout have and its headings do not. */
export function withModifiedNumber(layout: ListLayout): ListLayout {
  const at = layout.indexOf('receiverId');
  return layout.includes('modifiedNumber') || at < 0 ? layout : layout.toSpliced(at, 0, 'modifiedNumber');
}
