import type { DocumentSummary } from '../document-type.js';
import { buyerAsCounterparty } from '../parts/buyer.js';
import type { PreparedCreditNote } from './prepare.js';

/** The summary of a credit note that the engine stores next to its XML. */
export function summarizeCreditNote({ buyer, total, originalDocument }: PreparedCreditNote): DocumentSummary {
  const { documentType, number } = originalDocument;
  return { counterparty: buyerAsCounterparty(buyer), total, modifies: { documentType, number } };
}
