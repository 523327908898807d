import type { IsoDate } from '../calendar.js';
import type { TaxTypeCode } from '../catalogs/tax-types.js';
import type { Scaled } from '../money.js';
import type { Warning } from './messages.js';

/** A checked document, its sums made, that only lacks its number: what the XML is written from. */
export type PreparedDocument = PreparedInvoice | PreparedCreditNote;

/** A checked invoice (factura). */
export interface PreparedInvoice extends PreparedParts {
  readonly documentType: '01';
  readonly original: null;
  /** [guiaRemision] */
  readonly guiaRemision: string | null;
  /** [propina] Part of the total. */
  readonly tip: Scaled;
  readonly payments: readonly PreparedPayment[];
}

/** A checked credit note (nota de crédito). */
export interface PreparedCreditNote extends PreparedParts {
  readonly documentType: '04';
  readonly original: OriginalDocument;
  readonly motivo: string;
}

/** What every document has. Texts are as they are written; money is in cents. */
export interface PreparedParts {
  readonly issueDate: IsoDate;
  readonly buyer: PreparedBuyer;
  readonly items: readonly PreparedItem[];
  /** [totalConImpuestos] One a tax and rate code, in order of appearance. */
  readonly taxTotals: readonly TaxTotal[];
  /** [totalSinImpuestos] */
  readonly subtotal: Scaled;
  /** [totalDescuento] */
  readonly discount: Scaled;
  /** [importeTotal, valorModificacion] Decimal text with two decimals. */
  readonly total: string;
  readonly additionalInfo: readonly NameValue[];
  readonly warnings: readonly Warning[];
}

/** Who buys, as written. */
export interface PreparedBuyer {
  readonly idType: string;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly address: string | null;
}

/** A line, its sum made. */
export interface PreparedItem {
  readonly mainCode: string;
  readonly auxiliaryCode: string | null;
  readonly description: string;
  /** Six decimals. */
  readonly quantity: Scaled;
  /** Six decimals. */
  readonly unitPrice: Scaled;
  readonly discount: Scaled;
  /** [precioTotalSinImpuesto] What the body says the line comes to, or quantity × unitPrice − discount, rounded half up. */
  readonly subtotal: Scaled;
  readonly additionalDetails: readonly NameValue[];
  readonly taxes: readonly PreparedTax[];
}

/** A tax of a line. */
export interface PreparedTax {
  readonly code: TaxTypeCode;
  readonly rateCode: string;
  /** Two decimals; a percentage, or dollars a unit. */
  readonly rate: Scaled;
  readonly taxableBase: Scaled;
  readonly taxAmount: Scaled;
}

/** The sum of one tax at one rate code. */
export interface TaxTotal {
  readonly code: TaxTypeCode;
  readonly rateCode: string;
  /** Null when the lines of the code have different rates (ICE by product). */
  readonly rate: Scaled | null;
  readonly taxableBase: Scaled;
  readonly taxAmount: Scaled;
}

/** A way the document is paid. */
export interface PreparedPayment {
  readonly method: string;
  readonly total: Scaled;
  readonly term: number | null;
  readonly termUnit: string | null;
}

/** What a credit note modifies. */
export interface OriginalDocument {
  readonly documentType: string;
  readonly number: string;
  readonly issueDate: IsoDate;
}

/** A pair written as it comes. */
export interface NameValue {
  readonly name: string;
  readonly value: string;
}
