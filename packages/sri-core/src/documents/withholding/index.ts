import type { DocumentType } from '../document-type.js';
import { summaryFor } from '../parts/party.js';
import { partyIdOf } from '../parts/reading.js';
import { taxFigures } from '../parts/tax-figures.js';
import { type WithholdingBody, withholdingSchema } from './body.js';
import { WITHHOLDING_EXAMPLES } from './examples.js';
import { inspectWithholding, type PreparedWithholding, prepareWithholding } from './prepare.js';
import { withholdingRide } from './ride.js';
import { WITHHOLDING_SRI_CHECKS } from './sri-checks.js';
import { WITHHOLDING_STRUCTURES } from './structure.js';
import { WITHHOLDING_TEXTS } from './texts.js';
import { readComprobanteRetencion, type WithholdingComprobante, writeComprobanteRetencion } from './xml.js';

/** `07`: withholding receipt (comprobante de retención). */
export const withholding: DocumentType<'07', WithholdingBody, PreparedWithholding, WithholdingComprobante> = {
  code: '07',
  root: 'comprobanteRetencion',
  info: 'infoCompRetencion',
  texts: WITHHOLDING_TEXTS,
  effect: 'none',
  counterpartyRole: 'SUBJECT',
  body: { name: 'WithholdingInput', withSums: withholdingSchema, optionalSums: withholdingSchema },
  examples: WITHHOLDING_EXAMPLES,
  inspect: inspectWithholding,
  prepare: prepareWithholding,
  summary: ({ subject, total }) => summaryFor(subject, total),
  schema: ({ version }) => `ComprobanteRetencion_V${version}.xsd`,
  write: writeComprobanteRetencion,
  read: readComprobanteRetencion,
  counterpartyId: partyIdOf('infoCompRetencion', 'SujetoRetenido'),
  structures: WITHHOLDING_STRUCTURES,
  sriChecks: WITHHOLDING_SRI_CHECKS,
  ride: withholdingRide,
  figures: ({ supportingDocuments }) =>
    taxFigures({ withheld: supportingDocuments.flatMap(({ withholdings }) => withholdings) }),
};
