import type { DocumentSummary } from '../document-type.js';
import { asCounterparty } from '../parts/party.js';
import type { PreparedDebitNote } from './prepare.js';

/** The summary of a debit note that the engine stores next to its XML. */
export function summarizeDebitNote({ buyer, total, originalDocument }: PreparedDebitNote): DocumentSummary {
  const { documentType, number } = originalDocument;
  return { counterparty: asCounterparty(buyer), copies: [], total, modifies: { documentType, number } };
}
