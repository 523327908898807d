import type { Comprobante, ComprobanteItem } from '../xml/comprobante-reader.js';
import { shortenDecimal, writeAmount } from './amounts.js';
import { type Align, WIDTH } from './page.js';
import { toGlyphs, widthOf } from './typeface.js';

/** One column of the lines of a document. */
export interface Column {
  readonly title: string;
  readonly align: Align;
  readonly width: number;
  readonly text: (item: ComprobanteItem) => string;
  /** Whether the additional details of a line stand below its text. */
  readonly withDetails: boolean;
}

/** Space left free on both sides of a cell. */
export const CELL_PADDING = 3.5;
/** Size of the text in the lines. */
export const CELL_SIZE = 7.2;

/**
 * The columns a document needs: those nobody filled are left out, columns of numbers are as wide as their widest number,
 * and the description takes the rest.
 */
export function columnsOf(document: Comprobante): readonly Column[] {
  const { items } = document;
  const drafts = COLUMNS.filter(({ always, text }) => always || items.some((item) => text(item) !== ''));
  const widths = drafts.map((draft) => (draft.most === null ? 0 : fittedWidth(draft, items)));
  const taken = widths.reduce((total, width) => total + width, 0);
  return drafts.map(({ title, align, text, most }, index) => ({
    title,
    align,
    text,
    width: most === null ? WIDTH - taken : (widths[index] ?? 0),
    withDetails: most === null,
  }));
}

// --- internal ---

interface Draft {
  readonly title: string;
  readonly align: Align;
  readonly text: (item: ComprobanteItem) => string;
  readonly always: boolean;
  readonly least: number;
  /** Null for the one column that takes what is left. */
  readonly most: number | null;
}

const COLUMNS: readonly Draft[] = [
  { title: 'Cód. principal', align: 'left', text: ({ mainCode }) => mainCode ?? '', always: true, least: 44, most: 70 },
  {
    title: 'Cód. auxiliar',
    align: 'left',
    text: ({ auxiliaryCode }) => auxiliaryCode ?? '',
    always: false,
    least: 44,
    most: 64,
  },
  {
    title: 'Cantidad',
    align: 'right',
    text: ({ quantity }) => shortenDecimal(quantity),
    always: true,
    least: 42,
    most: 88,
  },
  { title: 'Unidad', align: 'left', text: ({ unit }) => unit ?? '', always: false, least: 36, most: 60 },
  { title: 'Descripción', align: 'left', text: ({ description }) => description, always: true, least: 0, most: null },
  {
    title: 'Precio unitario',
    align: 'right',
    text: ({ unitPrice }) => shortenDecimal(unitPrice),
    always: true,
    least: 46,
    most: 88,
  },
  {
    title: 'Precio sin subsidio',
    align: 'right',
    text: ({ priceWithoutSubsidy }) => shortenDecimal(priceWithoutSubsidy ?? ''),
    always: false,
    least: 46,
    most: 88,
  },
  {
    title: 'Descuento',
    align: 'right',
    text: ({ discount }) => writeAmount(discount ?? '0'),
    always: true,
    least: 46,
    most: 66,
  },
  {
    title: 'Precio total',
    align: 'right',
    text: ({ subtotal }) => writeAmount(subtotal),
    always: true,
    least: 50,
    most: 70,
  },
];

/** As wide as its widest text, within its limits. Only the longest texts are measured: digits have one width. */
function fittedWidth({ text, least, most }: Draft, items: readonly ComprobanteItem[]): number {
  let longest = '';
  for (const item of items) {
    const candidate = text(item);
    if (candidate.length > longest.length) longest = candidate;
  }
  const needed = widthOf(toGlyphs(longest), 'regular', CELL_SIZE) + 2 * CELL_PADDING;
  return Math.min(Math.max(needed, least), most ?? needed);
}
