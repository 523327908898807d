import type { DocumentSummary } from '../document-type.js';
import { asCounterparty } from '../parts/party.js';
import type { PreparedPurchaseSettlement } from './prepare.js';

/** The summary of a purchase settlement that the engine stores next to its XML. */
export function summarizePurchaseSettlement({ supplier, total }: PreparedPurchaseSettlement): DocumentSummary {
  return { counterparty: asCounterparty(supplier), copies: [], total, modifies: null };
}
