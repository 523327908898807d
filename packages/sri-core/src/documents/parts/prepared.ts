import type { IsoDate } from '../../calendar.js';
import type { TaxTypeCode } from '../../catalogs/tax-types.js';
import type { Scaled } from '../../money.js';

/** The additional fields of a document with lines. Money is in cents. */
export interface PreparedSale {
  readonly buyer: PreparedParty;
  readonly items: readonly PreparedItem[];
  /** [totalConImpuestos] One entry per tax and rate code, in order of appearance. */
  readonly taxTotals: readonly TaxTotal[];
  /** [totalSinImpuestos] */
  readonly subtotal: Scaled;
  /** [totalDescuento] */
  readonly discount: Scaled;
  /** [importeTotal, valorModificacion] Decimal text with two decimals. */
  readonly total: string;
}

/** A party, as written: buyer, supplier, subject of a withholding, carrier. */
export interface PreparedParty {
  readonly idType: string;
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly address: string | null;
}

/** A line with its sum. */
export interface PreparedItem {
  readonly mainCode: string;
  readonly auxiliaryCode: string | null;
  readonly description: string;
  readonly unitOfMeasure: string | null;
  /** Six decimals. */
  readonly quantity: Scaled;
  /** Six decimals. */
  readonly unitPrice: Scaled;
  /** Six decimals. */
  readonly unsubsidizedPrice: Scaled | null;
  readonly discount: Scaled;
  /** [precioTotalSinImpuesto] The total of the body, or quantity × unitPrice − discount, rounded half up. */
  readonly subtotal: Scaled;
  readonly additionalDetails: readonly NameValue[];
  readonly taxes: readonly PreparedTax[];
}

/** A tax of a line. */
export interface PreparedTax {
  readonly code: TaxTypeCode;
  readonly rateCode: string;
  /** Two decimals; a percentage, or dollars per unit. */
  readonly rate: Scaled;
  readonly taxableBase: Scaled;
  readonly taxAmount: Scaled;
}

/** The sum of one tax at one rate code. */
export interface TaxTotal {
  readonly code: TaxTypeCode;
  readonly rateCode: string;
  /** Null when lines of the code have different rates (ICE by product). */
  readonly rate: Scaled | null;
  readonly taxableBase: Scaled;
  readonly taxAmount: Scaled;
  /** [valorDevolucionIva] The part that the SRI returns to an elderly buyer. */
  readonly refund?: Scaled;
}

/** A payment. */
export interface PreparedPayment {
  readonly method: string;
  readonly total: Scaled;
  readonly term: number | null;
  readonly termUnit: string | null;
}

/** The document that a note modifies. */
export interface OriginalDocument {
  readonly documentType: string;
  readonly number: string;
  readonly issueDate: IsoDate;
}

/** A pair that is written unchanged. */
export interface NameValue {
  readonly name: string;
  readonly value: string;
}
