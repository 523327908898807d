import type { DocumentSummary } from '../document-type.js';
import { buyerAsCounterparty } from '../parts/buyer.js';
import type { PreparedInvoice } from './prepare.js';

/** What the engine stores of an invoice beside its XML. */
export function summarizeInvoice({ buyer, total }: PreparedInvoice): DocumentSummary {
  return { counterparty: buyerAsCounterparty(buyer), total, modifies: null };
}
