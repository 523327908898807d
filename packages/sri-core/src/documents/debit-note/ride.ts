import { writeAmount } from '../parts/amounts.js';
import { modifiedPanel } from '../parts/modified-document.js';
import { partyPanel } from '../parts/ride-blocks.js';
import { rideSums } from '../parts/ride-sums.js';
import type { RideContent, RideTable } from '../ride-content.js';
import type { ComprobanteReason, DebitNoteComprobante } from './xml.js';

/** What the RIDE of a debit note prints: buyer, modified document, reasons, sums, payments. */
export function debitNoteRide(debitNote: DebitNoteComprobante): RideContent {
  const { buyer, issueDate, originalDocument, reasons, payments } = debitNote;
  return {
    blocks: [partyPanel(buyer, issueDate), modifiedPanel(originalDocument), reasonTable(reasons)],
    sums: rideSums(debitNote, {}),
    payments,
  };
}

// --- internal ---

function reasonTable(reasons: readonly ComprobanteReason[]): RideTable {
  return {
    columns: [
      { title: 'Razón de la modificación', align: 'left' },
      { title: 'Valor de la modificación', align: 'right', limits: [110, 110] },
    ],
    rows: reasons.map(({ reason, amount }) => ({ cells: [reason, writeAmount(amount)], details: [] })),
  };
}
