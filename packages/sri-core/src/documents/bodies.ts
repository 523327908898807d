import type { documentTypes } from '../catalogs/document-types.js';
import type { idTypes } from '../catalogs/id-types.js';
import type { paymentMethods } from '../catalogs/payment-methods.js';
import type { TaxTypeCode } from '../catalogs/tax-types.js';
import type { termUnits } from '../catalogs/term-units.js';

// The bodies as interfaces, so that an editor shows what each field is. `invoiceSchema` and `creditNoteSchema` judge them; a
// test holds the two to each other, field by field.

/** What a document is made from. `documentType` says which of the two it is. */
export type DocumentBody = InvoiceBody | CreditNoteBody;

/** What an invoice (factura) is made from. Sums that follow from other fields may be left out. */
export interface InvoiceBody {
  /** `01`: invoice. */
  readonly documentType: '01';
  /** [fechaEmision] Issue date, DD/MM/YYYY. It must be today in Ecuador, which is the default. */
  readonly issueDate?: string | null;
  /** The buyer. */
  readonly buyer: BuyerBody;
  /** [guiaRemision] Number of the delivery note that went with the goods, `001-002-000000123`. */
  readonly guiaRemision?: string | null;
  /** [detalles] 1 to 1000 lines, in the order they are printed. */
  readonly items: readonly ItemBody[];
  /** [propina] Tip, added to the total; decimal text with at most two decimals. Default `0.00`. */
  readonly tip?: string | null;
  /** [pagos] 1 to 50 ways it is paid. They add up to the total. */
  readonly payments: readonly PaymentBody[];
  /** [infoAdicional] Up to 15 pairs for the foot, written as campoAdicional. */
  readonly additionalInfo?: readonly NameValueBody[] | null;
}

/** What a credit note (nota de crédito) is made from. Sums that follow from other fields may be left out. */
export interface CreditNoteBody {
  /** `04`: credit note. */
  readonly documentType: '04';
  /** [fechaEmision] Issue date, DD/MM/YYYY. It must be today in Ecuador, which is the default. */
  readonly issueDate?: string | null;
  /** The buyer: that of the document being credited. */
  readonly buyer: BuyerBody;
  /** The document being credited. */
  readonly originalDocument: OriginalDocumentBody;
  /** [motivo] Why the original is credited; 1 to 300 characters. */
  readonly motivo: string;
  /** [detalles] 1 to 1000 lines: what is credited, at the rates of the original. */
  readonly items: readonly ItemBody[];
  /** [infoAdicional] Up to 15 pairs for the foot, written as campoAdicional. */
  readonly additionalInfo?: readonly NameValueBody[] | null;
}

/** Who buys. */
export interface BuyerBody {
  /** [tipoIdentificacionComprador] 04 RUC, 05 cédula, 06 passport, 07 unnamed consumer, 08 foreign. */
  readonly idType: (typeof idTypes)[number]['code'];
  /** [identificacionComprador] Identification number, up to 20 characters; 9999999999999 with type 07. */
  readonly id: string;
  /** [razonSocialComprador] Name or business name, 1 to 300 characters. */
  readonly name: string;
  /** Where the document is sent once authorized: one plain address. */
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
  /** Another name of `auxiliaryCode`, which goes first. */
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
   * [precioTotalSinImpuesto] What the line comes to before taxes, for what is sold for an amount, such as fuel; decimal text
   * with at most two decimals. Default: quantity × unitPrice − discount, from which it may be a cent away.
   */
  readonly total?: string | null;
  /** [detallesAdicionales] Up to 3 pairs, written as detAdicional. */
  readonly additionalDetails?: readonly NameValueBody[] | null;
  /** [impuestos] 1 to 10 taxes of the line. */
  readonly taxes: readonly TaxBody[];
}

/** A tax of a line. */
export interface TaxBody {
  /** [codigo] 2 IVA, 3 ICE, 5 IRBPNR. */
  readonly code: TaxTypeCode;
  /** [codigoPorcentaje] Rate code of the tax, as in `taxRates`. */
  readonly rateCode: string;
  /** [tarifa] Percentage; for taxes by unit, dollars a unit. Decimal text with at most two decimals. */
  readonly rate: string;
  /** [baseImponible] Amount the tax applies to; the base of IVA includes ICE. Left out, it follows from the line. */
  readonly taxableBase?: string | null;
  /** [valor] The tax. Left out, it is base × rate, shared so that the lines of a rate add up to that rate of them all. */
  readonly taxAmount?: string | null;
}

/** A way the document is paid. */
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

/** What a credit note modifies. */
export interface OriginalDocumentBody {
  /** [codDocModificado] Type of the document, 01 for an invoice. */
  readonly documentType: (typeof documentTypes)[number]['code'];
  /** [numDocModificado] Its number, `001-001-000000123`. */
  readonly number: string;
  /** [fechaEmisionDocSustento] The day it was issued, DD/MM/YYYY. */
  readonly issueDate: string;
}

/** A pair written into the document as it comes. */
export interface NameValueBody {
  /** 1 to 300 characters. */
  readonly name: string;
  /** 1 to 300 characters. */
  readonly value: string;
}

/**
 * Hands a body of unknown shape, such as parsed JSON, to `create`, `issue`, `rebuild` or `signDocument`, which take a typed
 * one. Nothing is checked here: they judge every body whole, whatever its type says, and throw `ValidationError`.
 */
export function uncheckedBody(json: unknown): DocumentBody {
  // The one cast, in the one place that says what it means.
  return json as DocumentBody;
}
