import { reimbursementPanel, reimbursementTable } from '../parts/reimbursements.js';
import { itemTable, partyPanel } from '../parts/ride-blocks.js';
import { optionalSum, rideSums, sumOfDiscounts } from '../parts/ride-sums.js';
import type { RideContent, RideSum } from '../ride-content.js';
import { exportPanel } from './export.js';
import { savingOf } from './subsidy.js';
import { transportBlocks } from './transport.js';
import type { InvoiceComprobante } from './xml.js';

/** What the RIDE of an invoice prints: buyer, terms of an export, reimbursement, lines, sums, payments. */
export function invoiceRide(invoice: InvoiceComprobante): RideContent {
  const {
    buyer,
    issueDate,
    export: terms,
    reimbursement,
    deliveryGuide: transport,
    items,
    discount,
    withheld,
  } = invoice;
  return {
    blocks: [
      partyPanel(buyer, issueDate, [
        ['Guía de remisión:', invoice.guiaRemision],
        ['Placa / Matrícula:', invoice.licensePlate],
        ['Factura comercial negociable, correo:', invoice.negotiable?.email ?? null],
      ]),
      ...(terms ? [exportPanel(terms)] : []),
      ...(transport ? transportBlocks(transport) : []),
      ...(reimbursement ? [reimbursementPanel(reimbursement)] : []),
      itemTable(items),
      ...(reimbursement?.documents.length ? [reimbursementTable(reimbursement.documents)] : []),
    ],
    sums: rideSums(invoice, {
      discount: discount ?? sumOfDiscounts(items),
      before: [
        ...invoice.thirdPartyCharges.flatMap(({ concept, amount }) => optionalSum(concept, amount)),
        ...optionalSum('FLETE INTERNACIONAL', terms?.freight),
        ...optionalSum('SEGURO INTERNACIONAL', terms?.insurance),
        ...optionalSum('GASTOS ADUANEROS', terms?.customs),
        ...optionalSum('GASTOS DE TRANSPORTE, OTROS', terms?.otherTransport),
        ...optionalSum('PROPINA', invoice.tip),
        ...invoice.withholdings.flatMap(({ rateCode, amount }) => optionalSum(withholdingLabel(rateCode), amount)),
      ],
      after: [
        ...subsidySums(invoice),
        ...optionalSum('RETENCIÓN DE IVA', withheld.iva),
        ...optionalSum('RETENCIÓN DE RENTA', withheld.incomeTax),
      ],
    }),
    payments: invoice.payments,
  };
}

// --- internal ---

/** The buyer's saving, with its IVA; the subsidy as stated when the lines do not have it. */
function subsidySums({ items, total, subsidy }: InvoiceComprobante): readonly RideSum[] {
  const saving = savingOf(items, total);
  if (!saving) return optionalSum('AHORRO POR SUBSIDIO', subsidy);
  return [
    { label: 'VALOR TOTAL SIN SUBSIDIO', amount: saving.fullTotal },
    { label: 'AHORRO POR SUBSIDIO (incluye IVA)', amount: saving.saved },
  ];
}

/** From the Ficha's table 23: codes of three digits belong to income tax, codes of one digit to IVA. */
function withholdingLabel(rateCode: string): string {
  return `RETENCIÓN PRESUNTIVA ${rateCode.length === 3 ? 'DE RENTA' : 'DE IVA'} (${rateCode})`;
}
