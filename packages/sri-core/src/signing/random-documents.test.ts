import { describe } from 'vitest';
import { RANDOM_VARIANTS } from '../testing/random-bodies/invoice-variants.js';
import { randomCreditNote, randomInvoice } from '../testing/random-bodies.js';
import { judgeRandomDocuments } from '../testing/random-documents.js';

// The published schema 2.1.0 is that of 1.1.0 with two more parts.
describe.each(Object.entries({ ordinary: randomInvoice, ...RANDOM_VARIANTS }))('invoices, %s:', (_, body) => {
  judgeRandomDocuments({ body, root: 'factura', schema: 'factura_V2.1.0.xsd' });
});

describe('credit notes:', () => {
  judgeRandomDocuments({ body: randomCreditNote, root: 'notaCredito', schema: 'NotaCredito_V1.1.0.xsd' });
});
