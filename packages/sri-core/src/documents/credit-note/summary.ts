import type { DocumentSummary } from '../document-type.js';
import { asCounterparty } from '../parts/party.js';
import type { PreparedCreditNote } from './prepare.js';

/** The summary of a credit note that the engine stores next to its XML. */
export function summarizeCreditNote({ buyer, total, originalDocument }: PreparedCreditNote): DocumentSummary {
  const { documentType, number } = originalDocument;
  return { counterparty: asCounterparty(buyer), copies: [], total, modifies: { documentType, number } };
}
