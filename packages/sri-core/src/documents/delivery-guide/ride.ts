import { shortenDecimal } from '../parts/amounts.js';
import { titleOf } from '../parts/ride-blocks.js';
import type { RideColumn, RideContent, RidePanel, RideTable } from '../ride-content.js';
import type { ComprobanteGoods, ComprobanteRecipient, ComprobanteSupport, DeliveryGuideComprobante } from './xml.js';

/** What the RIDE of a delivery guide prints: carrier, then each recipient with its goods. It has no sums. */
export function deliveryGuideRide(guide: DeliveryGuideComprobante): RideContent {
  const { recipients } = guide;
  return {
    blocks: [
      carrierPanel(guide),
      ...recipients.flatMap((recipient, index) => {
        const about = recipients.length > 1 ? `Destinatario ${index + 1} de ${recipients.length}` : null;
        return [recipientPanel(recipient, about ?? 'Destinatario'), goodsTable(recipient.items, about)];
      }),
    ],
    sums: [],
    payments: [],
  };
}

// --- internal ---

function carrierPanel({ carrier, ...guide }: DeliveryGuideComprobante): RidePanel {
  return {
    left: [
      ['Transportista:', carrier.name],
      ['Identificación (transportista):', carrier.id],
      ['Punto de partida:', guide.departureAddress],
    ],
    right: [
      ['Placa:', guide.licensePlate],
      ['Fecha de emisión:', guide.issueDate],
      ['Fecha inicio transporte:', guide.startDate],
      ['Fecha fin transporte:', guide.endDate],
    ],
  };
}

function recipientPanel(recipient: ComprobanteRecipient, about: string): RidePanel {
  const { supportingDocument: support } = recipient;
  return {
    left: [
      [`${about}:`, recipient.name],
      ['Identificación (destinatario):', recipient.id],
      ['Motivo del traslado:', recipient.reason],
    ],
    right: [
      ['Documento aduanero:', recipient.customsDocument],
      ['Establecimiento destino:', recipient.branchCode],
      ['Emisión del comprobante:', support?.issueDate ?? null],
    ],
    below: [
      ['Destino (punto de llegada):', recipient.address],
      ['Ruta:', recipient.route],
      ['Comprobante:', support && nameOf(support)],
      ['Número de autorización:', support?.authorizationNumber ?? null],
    ],
  };
}

/** `FACTURA 001-001-000000123` */
function nameOf({ documentType, number }: ComprobanteSupport): string {
  return [documentType && titleOf(documentType), number].filter(Boolean).join(' ');
}

function goodsTable(items: readonly ComprobanteGoods[], about: string | null): RideTable {
  return {
    about,
    columns: GOODS_COLUMNS,
    rows: items.map((item) => ({
      cells: [shortenDecimal(item.quantity), item.description, item.mainCode ?? '', item.auxiliaryCode ?? ''],
      details: item.additionalDetails,
    })),
  };
}

const GOODS_COLUMNS: readonly RideColumn[] = [
  { title: 'Cantidad', align: 'right', limits: [56, 88] },
  { title: 'Descripción', align: 'left' },
  { title: 'Código principal', align: 'left', optional: true, limits: [60, 110] },
  { title: 'Código auxiliar', align: 'left', optional: true, limits: [60, 110] },
];
