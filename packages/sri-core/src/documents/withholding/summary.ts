import type { DocumentSummary } from '../document-type.js';
import { asCounterparty } from '../parts/party.js';
import type { PreparedWithholding } from './prepare.js';

/** The summary of a withholding receipt that the engine stores next to its XML. */
export function summarizeWithholding({ subject, total }: PreparedWithholding): DocumentSummary {
  return { counterparty: asCounterparty(subject), copies: [], total, modifies: null };
}
