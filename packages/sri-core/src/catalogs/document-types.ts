import type { CatalogEntry } from './catalog.js';

const TABLE_3 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 3';

/** Types of comprobante [codDoc] that a document may name. `DOCUMENT_TYPES` has the types that this library issues. */
export const documentTypes = [
  { code: '01', shortName: 'FAC', description: { es: 'Factura', en: 'Invoice' }, source: TABLE_3 },
  {
    code: '03',
    shortName: 'LIQ',
    description: { es: 'Liquidación de compra', en: 'Purchase settlement' },
    title: 'Liquidación de compra de bienes y prestación de servicios',
    source: TABLE_3,
  },
  { code: '04', shortName: 'CRE', description: { es: 'Nota de crédito', en: 'Credit note' }, source: TABLE_3 },
  { code: '05', shortName: 'DEB', description: { es: 'Nota de débito', en: 'Debit note' }, source: TABLE_3 },
  { code: '06', shortName: 'GUI', description: { es: 'Guía de remisión', en: 'Delivery guide' }, source: TABLE_3 },
  {
    code: '07',
    shortName: 'RET',
    description: { es: 'Comprobante de retención', en: 'Withholding receipt' },
    source: TABLE_3,
  },
] as const satisfies readonly (CatalogEntry & {
  /** Three letters for lists and statistics. */
  readonly shortName: string;
  /** The name above the printed document, where it is longer than the description. */
  readonly title?: string;
})[];
