import { writeAmount } from '../parts/amounts.js';
import { itemTable, partyPanel } from '../parts/ride-blocks.js';
import { optionalSum, rideSums, sumOfDiscounts } from '../parts/ride-sums.js';
import type { RideContent, RidePanel } from '../ride-content.js';
import type { ExportTerms } from './export.js';
import type { InvoiceComprobante, Reimbursement } from './xml.js';

/** What the RIDE of an invoice prints: buyer, terms of an export, reimbursement, lines, sums, payments. */
export function invoiceRide(invoice: InvoiceComprobante): RideContent {
  const { buyer, issueDate, export: terms, reimbursement, items, discount, withheld } = invoice;
  return {
    blocks: [
      partyPanel(buyer, issueDate, [
        ['Guía de remisión:', invoice.guiaRemision],
        ['Placa / Matrícula:', invoice.licensePlate],
      ]),
      ...(terms ? [exportPanel(terms)] : []),
      ...(reimbursement ? [reimbursementPanel(reimbursement)] : []),
      itemTable(items),
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
        ...optionalSum('AHORRO POR SUBSIDIO', invoice.subsidy),
        ...optionalSum('RETENCIÓN DE IVA', withheld.iva),
        ...optionalSum('RETENCIÓN DE RENTA', withheld.incomeTax),
      ],
    }),
    payments: invoice.payments,
  };
}

// --- internal ---

function exportPanel(terms: ExportTerms): RidePanel {
  return {
    left: [
      ['Comercio exterior:', terms.kind],
      ['Incoterm:', joined(terms.incoterm, terms.incotermPlace)],
      ['Incoterm del total sin impuestos:', terms.subtotalIncoterm],
      ['País de adquisición:', terms.purchaseCountry],
    ],
    right: [
      ['Origen:', joined(terms.originCountry, terms.shippingPort)],
      ['Destino:', joined(terms.destinationCountry, terms.destinationPort)],
    ],
  };
}

function reimbursementPanel({ total, taxableBase, taxAmount }: Reimbursement): RidePanel {
  return {
    left: [['Reembolso, total de comprobantes:', total && writeAmount(total)]],
    right: [
      ['Base imponible:', taxableBase && writeAmount(taxableBase)],
      ['Impuesto:', taxAmount && writeAmount(taxAmount)],
    ],
  };
}

/** From the Ficha's table 23: codes of three digits belong to income tax, codes of one digit to IVA. */
function withholdingLabel(rateCode: string): string {
  return `RETENCIÓN PRESUNTIVA ${rateCode.length === 3 ? 'DE RENTA' : 'DE IVA'} (${rateCode})`;
}

function joined(first: string | null, second: string | null): string | null {
  const parts = [first, second].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
