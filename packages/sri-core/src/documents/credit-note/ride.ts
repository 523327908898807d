import { modifiedPanel } from '../parts/modified-document.js';
import { itemTable, partyPanel } from '../parts/ride-blocks.js';
import { rideSums, sumOfDiscounts } from '../parts/ride-sums.js';
import type { RideContent } from '../ride-content.js';
import type { CreditNoteComprobante } from './xml.js';

/** What the RIDE of a credit note prints: buyer, modified document, lines, sums. */
export function creditNoteRide(creditNote: CreditNoteComprobante): RideContent {
  const { buyer, issueDate, originalDocument, motivo, items } = creditNote;
  return {
    blocks: [
      partyPanel(buyer, issueDate),
      modifiedPanel(originalDocument, [['Razón de modificación:', motivo]]),
      itemTable(items),
    ],
    // The schema has no sum of the discounts.
    sums: rideSums(creditNote, { discount: sumOfDiscounts(items) }),
    payments: [],
  };
}
