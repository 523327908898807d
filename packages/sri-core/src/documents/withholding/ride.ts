import { supportDocumentTypes } from '../../catalogs/support-document-types.js';
import { WITHHELD } from '../../catalogs/withholding-taxes.js';
import { addAmounts, shortenRate, writeAmount } from '../parts/amounts.js';
import { partyPanel } from '../parts/ride-blocks.js';
import type { RideContent, RideTable } from '../ride-content.js';
import type { WithholdingComprobante } from './xml.js';

/** What the RIDE of a withholding receipt prints: subject, withholdings, their total. Ficha v2.34, anexos 2 and 10. */
export function withholdingRide(withholding: WithholdingComprobante): RideContent {
  const { subject, issueDate, supportingDocuments } = withholding;
  const amounts = supportingDocuments.flatMap(({ withholdings }) => withholdings.map(({ amount }) => amount));
  return {
    blocks: [partyPanel(subject, issueDate), withheldTable(withholding)],
    sums: [{ label: 'TOTAL RETENIDO', amount: addAmounts(amounts) ?? '', strong: true }],
    payments: [],
  };
}

// --- internal ---

/** The words of the SRI's own RIDE. */
const TAX_NAMES: ReadonlyMap<string, string> = new Map([
  [WITHHELD.INCOME, 'RENTA'],
  [WITHHELD.IVA, 'IVA'],
  [WITHHELD.ISD, 'ISD'],
]);

function withheldTable({ supportingDocuments, fiscalPeriod }: WithholdingComprobante): RideTable {
  return {
    columns: [
      { title: 'Comprobante', align: 'left' },
      { title: 'Número', align: 'left', limits: [78, 92] },
      { title: 'Fecha de emisión', short: 'Emisión', align: 'left', limits: [48, 56] },
      { title: 'Ejercicio fiscal', short: 'Ejercicio', align: 'left', limits: [42, 50] },
      { title: 'Base imponible para la retención', short: 'Base', align: 'right', limits: [62, 84] },
      { title: 'Impuesto', align: 'left', limits: [40, 50] },
      { title: 'Código', align: 'left', limits: [36, 44] },
      { title: 'Porcentaje retención', short: 'Porcentaje', align: 'right', limits: [50, 56] },
      { title: 'Valor retenido', align: 'right', limits: [54, 80] },
    ],
    rows: supportingDocuments.flatMap(({ documentType, number, issueDate, withholdings }) =>
      withholdings.map(({ tax, code, taxableBase, rate, amount }) => ({
        cells: [
          nameOf(documentType),
          number,
          issueDate,
          fiscalPeriod,
          writeAmount(taxableBase),
          TAX_NAMES.get(tax) ?? tax,
          code,
          `${shortenRate(rate)} %`,
          writeAmount(amount),
        ],
        details: [],
      })),
    ),
  };
}

/** `FACTURA`, by ATS table 4. */
function nameOf(documentType: string): string {
  const known = supportDocumentTypes.find(({ code }) => code === documentType);
  return known ? known.description.es.toUpperCase() : documentType;
}
