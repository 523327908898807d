import type { DocumentSummary } from '../document-type.js';
import { buyerAsCounterparty } from '../parts/buyer.js';
import type { PreparedInvoice } from './prepare.js';

/** The summary of an invoice that the engine stores next to its XML. */
export function summarizeInvoice({ buyer, total }: PreparedInvoice): DocumentSummary {
  return { counterparty: buyerAsCounterparty(buyer), total, modifies: null };
}
