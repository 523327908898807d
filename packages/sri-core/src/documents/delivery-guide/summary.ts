import type { DocumentSummary } from '../document-type.js';
import type { PreparedDeliveryGuide } from './prepare.js';

/** The summary of a delivery guide that the engine stores next to its XML. */
export function summarizeDeliveryGuide({ recipients, carrier }: PreparedDeliveryGuide): DocumentSummary {
  const [first, ...others] = recipients;
  const addresses = [...others, carrier].flatMap(({ email }) => (email === null ? [] : [email]));
  return {
    counterparty: { idType: null, id: first?.id ?? '', name: first?.name ?? '', email: first?.email ?? null },
    copies: [...new Set(addresses)].filter((address) => address !== first?.email),
    total: '0.00',
    modifies: null,
  };
}
