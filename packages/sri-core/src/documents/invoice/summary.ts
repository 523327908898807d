import type { DocumentSummary } from '../document-type.js';
import { asCounterparty } from '../parts/party.js';
import type { PreparedInvoice } from './prepare.js';

/** The summary of an invoice that the engine stores next to its XML. */
export function summarizeInvoice({ buyer, total }: PreparedInvoice): DocumentSummary {
  return { counterparty: asCounterparty(buyer), copies: [], total, modifies: null };
}
