import { documentTypes } from '../../catalogs/document-types.js';
import type { RideColumn, RideFact, RidePanel, RideTable } from '../ride-content.js';
import { shortenDecimal, writeAmount } from './amounts.js';
import type { ComprobanteItem, ComprobanteParty } from './reading.js';

/** The name of a type in a RIDE: `FACTURA`, `NOTA DE CRÉDITO`. */
export function titleOf(documentType: string): string {
  const known = documentTypes.find(({ code }) => code === documentType);
  return known ? known.description.es.toUpperCase() : `COMPROBANTE ${documentType}`;
}

/** As `titleOf`, in full: the title in the head of a RIDE. */
export function fullTitleOf(documentType: string): string {
  const known = documentTypes.find(({ code }) => code === documentType);
  return known && 'title' in known ? known.title.toUpperCase() : titleOf(documentType);
}

/** The panel of a party, with more facts on its right. @param label of its name. */
export function partyPanel(
  party: ComprobanteParty,
  issueDate: string,
  more: readonly RideFact[] = [],
  label = 'Razón social / Nombres y apellidos:',
): RidePanel {
  return {
    left: [
      [label, party.name],
      ['Dirección:', party.address],
    ],
    right: [['Identificación:', party.id], ['Fecha de emisión:', issueDate], ...more],
  };
}

/** The table of the lines. */
export function itemTable(items: readonly ComprobanteItem[]): RideTable {
  return {
    columns: ITEM_COLUMNS.map(({ text: _, ...column }) => column),
    rows: items.map((item) => ({
      cells: ITEM_COLUMNS.map(({ text }) => text(item)),
      details: item.additionalDetails,
    })),
  };
}

// --- internal ---

interface ItemColumn extends RideColumn {
  readonly text: (item: ComprobanteItem) => string;
}

const ITEM_COLUMNS: readonly ItemColumn[] = [
  {
    title: 'Cód. principal',
    short: 'Cód.',
    align: 'left',
    text: ({ mainCode }) => mainCode ?? '',
    always: true,
    least: 44,
    most: 70,
  },
  {
    title: 'Cód. auxiliar',
    short: 'Aux.',
    align: 'left',
    text: ({ auxiliaryCode }) => auxiliaryCode ?? '',
    always: false,
    least: 44,
    most: 64,
  },
  {
    title: 'Cantidad',
    short: 'Cant.',
    align: 'right',
    text: ({ quantity }) => shortenDecimal(quantity),
    always: true,
    least: 42,
    most: 88,
  },
  {
    title: 'Unidad',
    align: 'left',
    text: ({ unitOfMeasure }) => unitOfMeasure ?? '',
    always: false,
    least: 36,
    most: 60,
  },
  { title: 'Descripción', align: 'left', text: ({ description }) => description, always: true, least: 0, most: null },
  {
    title: 'Precio unitario',
    short: 'P. unit.',
    align: 'right',
    text: ({ unitPrice }) => shortenDecimal(unitPrice),
    always: true,
    least: 46,
    most: 88,
  },
  {
    title: 'Precio sin subsidio',
    short: 'Sin subsidio',
    align: 'right',
    text: ({ unsubsidizedPrice }) => shortenDecimal(unsubsidizedPrice ?? ''),
    always: false,
    least: 46,
    most: 88,
  },
  {
    title: 'Descuento',
    short: 'Dcto.',
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
