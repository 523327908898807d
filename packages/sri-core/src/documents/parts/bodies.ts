import type { documentTypes } from '../../catalogs/document-types.js';
import type { idTypes } from '../../catalogs/id-types.js';
import type { paymentMethods } from '../../catalogs/payment-methods.js';
import type { TaxTypeCode } from '../../catalogs/tax-types.js';
import type { termUnits } from '../../catalogs/term-units.js';

// The bodies as interfaces, so that an editor documents each field. The schemas validate them. A test compares both field by
// field.

/** The fields of every document. */
export interface HeadBody {
  /** [fechaEmision] Issue date, DD/MM/YYYY. It must be today in Ecuador, which is the default. */
  readonly issueDate?: string | null;
  /** [infoAdicional] Up to 15 pairs for the foot, written as campoAdicional. */
  readonly additionalInfo?: readonly NameValueBody[] | null;
}

/** The fields of a document whose IVA the SRI may return. */
export interface RefundableBody extends HeadBody {
  /**
   * [valorDevolucionIva] IVA that the SRI returns to an elderly buyer, as its service allowed it; subtracted from the total. The
   * buyer has a cédula. In a document of several rates the first ones take it, each up to its IVA.
   */
  readonly ivaRefund?: string | null;
}

/** The buyer of the document. */
export interface BuyerBody {
  /** [tipoIdentificacionComprador] 04 RUC, 05 cédula, 06 passport, 07 unnamed consumer, 08 foreign. */
  readonly idType: (typeof idTypes)[number]['code'];
  /** [identificacionComprador] Identification number, up to 20 characters; 9999999999999 with type 07. */
  readonly id: string;
  /** [razonSocialComprador] Name or business name, 1 to 300 characters. */
  readonly name: string;
  /** Mail address for the authorized document: one plain address. */
  readonly email: string;
  /** [direccionComprador] Address, up to 300 characters; not written into credit notes. */
  readonly address?: string | null;
}

/** A line. */
export interface ItemBody {
  /** [codigoPrincipal, codigoInterno] The seller's code of the product, 1 to 25 characters. */
  readonly mainCode: string;
  /** [codigoAuxiliar, codigoAdicional] A second code, up to 25 characters. */
  readonly auxiliaryCode?: string | null;
  /** Another name of `auxiliaryCode`, which has priority. */
  readonly auxCode?: string | null;
  /** [descripcion] What is sold, 1 to 300 characters. */
  readonly description: string;
  /** [cantidad] Quantity; decimal text with at most six decimals. */
  readonly quantity: string;
  /** [precioUnitario] Price of one, before taxes and discount; decimal text with at most six decimals. */
  readonly unitPrice: string;
  /** [descuento] Discount on the line; decimal text with at most two decimals. Default `0.00`. */
  readonly discount?: string | null;
  /**
   * [precioTotalSinImpuesto] Line total before taxes, for goods sold by amount, such as fuel; decimal text with at most two
   * decimals. Default: quantity × unitPrice − discount; it may differ from that by a cent.
   */
  readonly total?: string | null;
  /** [detallesAdicionales] Up to 3 pairs, written as detAdicional. */
  readonly additionalDetails?: readonly NameValueBody[] | null;
  /** [impuestos] 1 to 10 taxes of the line. */
  readonly taxes: readonly TaxBody[];
}

/** A line with a unit of measure and a price without subsidy. */
export interface MeasuredItemBody extends ItemBody {
  /** [unidadMedida] Unit of measure, 1 to 50 characters: `kg`. */
  readonly unitOfMeasure?: string | null;
  /**
   * [precioSinSubsidio] Price of one without the subsidy of the State, for subsidized goods such as fuel; decimal text with at
   * most six decimals. Not below `unitPrice`, which has the subsidy.
   */
  readonly unsubsidizedPrice?: string | null;
}

/** A tax of a line. */
export interface TaxBody {
  /** [codigo] 2 IVA, 3 ICE, 5 IRBPNR. */
  readonly code: TaxTypeCode;
  /** [codigoPorcentaje] Rate code of the tax, as in `taxRates`. */
  readonly rateCode: string;
  /** [tarifa] Percentage; for taxes by unit, dollars per unit. Decimal text with at most two decimals. */
  readonly rate: string;
  /** [baseImponible] Amount the tax applies to; the base of IVA includes ICE. Absent, it is computed from the line. */
  readonly taxableBase?: string | null;
  /**
   * [valor] The tax. Absent, it is base × rate, rounded so that the lines of a rate add up to that rate of their base total.
   */
  readonly taxAmount?: string | null;
}

/** A payment of the document. */
export interface PaymentBody {
  /** [formaPago] Form of payment, as in `paymentMethods`. */
  readonly method: (typeof paymentMethods)[number]['code'];
  /** [total] Amount paid this way; decimal text. A single payment may leave it out. */
  readonly total?: string | null;
  /** [plazo] Time until it is due, in units of `termUnit`. */
  readonly term?: number | null;
  /** [unidadTiempo] Unit of the term, as in `termUnits`. */
  readonly termUnit?: (typeof termUnits)[number]['code'] | null;
}

/** The document that a credit note modifies. */
export interface OriginalDocumentBody {
  /** [codDocModificado] Type of the document, 01 for an invoice. */
  readonly documentType: (typeof documentTypes)[number]['code'];
  /** [numDocModificado] Its number, `001-001-000000123`. */
  readonly number: string;
  /** [fechaEmisionDocSustento] The day it was issued, DD/MM/YYYY. */
  readonly issueDate: string;
}

/** A pair that is written unchanged. */
export interface NameValueBody {
  /** 1 to 300 characters. */
  readonly name: string;
  /** 1 to 300 characters. */
  readonly value: string;
}
