import type { Comprobante } from '../xml/comprobante-reader.js';
import { writeAmount } from './amounts.js';
import type { Panel } from './panel.js';
import { titleOf } from './ride.js';

/** The boxes between the head and the lines: buyer, corrected invoice, terms of an export, reimbursement. */
export function partyPanels(document: Comprobante): readonly Panel[] {
  const { buyer, original, foreignTrade: trade, reimbursement } = document;
  const panels: Panel[] = [
    {
      left: [
        ['Razón social / Nombres y apellidos:', buyer.name],
        ['Dirección:', buyer.address],
      ],
      right: [
        ['Identificación:', buyer.id],
        ['Fecha de emisión:', document.issueDate],
        ['Guía de remisión:', document.deliveryNote],
        ['Placa / Matrícula:', document.plate],
      ],
    },
  ];
  if (original) {
    panels.push({
      left: [['Comprobante que se modifica:', `${titleOf(original.documentType)} ${original.number}`]],
      right: [],
      below: [
        ['Fecha de emisión del comprobante que se modifica:', original.issueDate],
        ['Razón de modificación:', original.reason],
      ],
    });
  }
  if (trade) {
    panels.push({
      left: [
        ['Comercio exterior:', trade.kind],
        ['Incoterm:', joined(trade.incoterm, trade.incotermPlace)],
        ['Incoterm del total sin impuestos:', trade.incotermSubtotal],
        ['País de adquisición:', trade.acquisitionCountry],
      ],
      right: [
        ['Origen:', joined(trade.originCountry, trade.loadingPort)],
        ['Destino:', joined(trade.destinationCountry, trade.destinationPort)],
      ],
    });
  }
  if (reimbursement) {
    panels.push({
      left: [['Reembolso, total de comprobantes:', reimbursement.total && writeAmount(reimbursement.total)]],
      right: [
        ['Base imponible:', reimbursement.base && writeAmount(reimbursement.base)],
        ['Impuesto:', reimbursement.tax && writeAmount(reimbursement.tax)],
      ],
    });
  }
  return panels;
}

// --- internal ---

function joined(first: string | null, second: string | null): string | null {
  const parts = [first, second].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
