import type { DocumentType } from '../document-type.js';
import { summaryFor } from '../parts/party.js';
import { partyIdOf } from '../parts/reading.js';
import { type InvoiceBody, invoiceSchema, invoiceWithSumsSchema } from './body.js';
import { INVOICE_EXAMPLES } from './examples.js';
import { invoiceFigures } from './figures.js';
import { inspectInvoice, type PreparedInvoice, prepareInvoice } from './prepare.js';
import { invoiceRide } from './ride.js';
import { INVOICE_SRI_CHECKS } from './sri-checks.js';
import { INVOICE_STRUCTURES } from './structure.js';
import { INVOICE_TEXTS } from './texts.js';
import { type InvoiceComprobante, readFactura, versionOf, writeFactura } from './xml.js';

/** `01`: invoice (factura). */
export const invoice: DocumentType<'01', InvoiceBody, PreparedInvoice, InvoiceComprobante> = {
  code: '01',
  root: 'factura',
  info: 'infoFactura',
  texts: INVOICE_TEXTS,
  effect: 'charge',
  counterpartyRole: 'BUYER',
  body: { name: 'InvoiceInput', withSums: invoiceWithSumsSchema, optionalSums: invoiceSchema },
  examples: INVOICE_EXAMPLES,
  inspect: inspectInvoice,
  prepare: prepareInvoice,
  summary: ({ buyer, total }) => summaryFor(buyer, total),
  schema: (prepared) => `factura_V${versionOf(prepared)}.xsd`,
  write: writeFactura,
  read: readFactura,
  counterpartyId: partyIdOf('infoFactura', 'Comprador'),
  structures: INVOICE_STRUCTURES,
  sriChecks: INVOICE_SRI_CHECKS,
  ride: invoiceRide,
  figures: invoiceFigures,
};
