import type { Issuer } from '../documents/issuer.js';

/** An ordinary issuer. */
export const SAMPLE_ISSUER: Issuer = {
  ruc: '1790012345001',
  businessName: 'Café Andino S.A.',
  tradeName: 'Café Andino',
  mainAddress: 'Av. Amazonas N21-147, Quito',
  branchCode: '001',
  issuePointCode: '001',
  branchAddress: 'Calle Loja 5-20, Cuenca',
  requiredAccounting: true,
  specialTaxpayer: null,
  withholdingAgent: null,
  rimpe: null,
};

export { CREDIT_NOTE_EXAMPLE as SAMPLE_CREDIT_NOTE } from '../documents/credit-note/examples.js';
export { INVOICE_EXAMPLE as SAMPLE_INVOICE } from '../documents/invoice/examples.js';
