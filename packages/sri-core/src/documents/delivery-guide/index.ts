import { child, childText } from '../../xml/reader.js';
import type { DocumentSummary, DocumentType } from '../document-type.js';
import { taxFigures } from '../parts/tax-figures.js';
import { type DeliveryGuideBody, deliveryGuideSchema } from './body.js';
import { DELIVERY_GUIDE_EXAMPLES } from './examples.js';
import { inspectDeliveryGuide, type PreparedDeliveryGuide, prepareDeliveryGuide } from './prepare.js';
import { deliveryGuideRide } from './ride.js';
import { DELIVERY_GUIDE_SRI_CHECKS } from './sri-checks.js';
import { DELIVERY_GUIDE_STRUCTURES } from './structure.js';
import { DELIVERY_GUIDE_TEXTS } from './texts.js';
import { type DeliveryGuideComprobante, readGuiaRemision, writeGuiaRemision } from './xml.js';

/** `06`: delivery guide (guía de remisión). */
export const deliveryGuide: DocumentType<'06', DeliveryGuideBody, PreparedDeliveryGuide, DeliveryGuideComprobante> = {
  code: '06',
  root: 'guiaRemision',
  info: 'infoGuiaRemision',
  texts: DELIVERY_GUIDE_TEXTS,
  effect: 'none',
  counterpartyRole: 'RECIPIENT',
  body: { name: 'DeliveryGuideInput', withSums: deliveryGuideSchema, optionalSums: deliveryGuideSchema },
  examples: DELIVERY_GUIDE_EXAMPLES,
  inspect: inspectDeliveryGuide,
  prepare: prepareDeliveryGuide,
  summary,
  schema: () => 'GuiaRemision_V1.1.0.xsd',
  write: writeGuiaRemision,
  read: readGuiaRemision,
  counterpartyId: (root) =>
    childText(child(child(root, 'destinatarios'), 'destinatario'), 'identificacionDestinatario'),
  structures: DELIVERY_GUIDE_STRUCTURES,
  sriChecks: DELIVERY_GUIDE_SRI_CHECKS,
  // It travels with the goods, with routes and lists that a roll of paper makes hard to check.
  ticket: false,
  ride: deliveryGuideRide,
  figures: () => taxFigures({}),
};

// --- internal ---

function summary({ recipients, carrier }: PreparedDeliveryGuide): DocumentSummary {
  const [first, ...others] = recipients;
  const addresses = [...others, carrier].flatMap(({ email }) => (email === null ? [] : [email]));
  return {
    counterparty: { idType: null, id: first?.id ?? '', name: first?.name ?? '', email: first?.email ?? null },
    copies: [...new Set(addresses)].filter((address) => address !== first?.email),
    total: '0.00',
    modifies: null,
  };
}
