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
    rows: items.map((item) => ({ cells: ITEM_COLUMNS.map(({ text }) => text(item)), details: item.additionalDetails })),
  };
}

// --- internal ---

interface ItemColumn extends RideColumn {
  readonly text: (item: ComprobanteItem) => string;
}

const ITEM_COLUMNS: readonly ItemColumn[] = [
  { title: 'Cód. principal', short: 'Cód.', align: 'left', text: ({ mainCode }) => mainCode ?? '', limits: [44, 70] },
  {
    title: 'Cód. auxiliar',
    short: 'Aux.',
    align: 'left',
    text: ({ auxiliaryCode }) => auxiliaryCode ?? '',
    optional: true,
    limits: [44, 64],
  },
  {
    title: 'Cantidad',
    short: 'Cant.',
    align: 'right',
    text: ({ quantity }) => shortenDecimal(quantity),
    limits: [42, 88],
  },
  {
    title: 'Unidad',
    align: 'left',
    text: ({ unitOfMeasure }) => unitOfMeasure ?? '',
    optional: true,
    limits: [36, 60],
  },
  { title: 'Descripción', align: 'left', text: ({ description }) => description },
  {
    title: 'Precio unitario',
    short: 'P. unit.',
    align: 'right',
    text: ({ unitPrice }) => writeAmount(unitPrice),
    limits: [46, 88],
  },
  {
    title: 'Precio sin subsidio',
    short: 'Sin subsidio',
    align: 'right',
    text: ({ unsubsidizedPrice }) => writeAmount(unsubsidizedPrice ?? ''),
    optional: true,
    limits: [46, 88],
  },
  {
    title: 'Descuento',
    short: 'Dcto.',
    align: 'right',
    text: ({ discount }) => writeAmount(discount ?? '0'),
    limits: [46, 66],
  },
  { title: 'Precio total', align: 'right', text: ({ subtotal }) => writeAmount(subtotal), limits: [50, 70] },
];
