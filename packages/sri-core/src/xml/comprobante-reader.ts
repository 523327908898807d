import type { DocumentType } from '../documents/document-type.js';
import { type Environment, fromAmbiente } from '../environment.js';
import { XmlError } from '../errors.js';
import { child, children, childText, readXml, type XmlElement } from './reader.js';

/**
 * What an invoice or a credit note says, read back from its XML. Texts are as written, with runs of white space as one
 * blank; amounts keep their digits (`12.50`), dates the SRI's form (`21/11/2026`). What the XML leaves out is null or an
 * empty list, and what the schema requires but the XML lacks is an empty text: reading never judges, so that any
 * comprobante can be shown. The SRI's names stand in brackets where ours is no plain translation.
 */
export interface Comprobante {
  readonly documentType: DocumentType;
  /** Of the schema: `1.1.0`. */
  readonly version: string;
  readonly environment: Environment | null;
  readonly accessKey: string;
  readonly branchCode: string;
  readonly issuePointCode: string;
  /** Nine digits, as written. */
  readonly sequential: string;
  readonly issueDate: string;
  readonly issuer: ComprobanteIssuer;
  readonly buyer: ComprobanteBuyer;
  /** The invoice that a credit note corrects [codDocModificado …]; null in an invoice. */
  readonly original: ComprobanteOriginal | null;
  readonly deliveryNote: string | null;
  readonly plate: string | null;
  readonly foreignTrade: ForeignTrade | null;
  readonly reimbursement: Reimbursement | null;
  readonly items: readonly ComprobanteItem[];
  /** [totalSinImpuestos] */
  readonly subtotal: string;
  readonly subsidy: string | null;
  /** [totalDescuento] Null in a credit note, whose schema has none. */
  readonly discount: string | null;
  readonly taxes: readonly ComprobanteTax[];
  /** [compensaciones] */
  readonly compensations: readonly { readonly code: string; readonly rate: string; readonly amount: string }[];
  /** [propina] */
  readonly tip: string | null;
  /** [otrosRubrosTerceros] */
  readonly thirdPartyCharges: readonly { readonly concept: string; readonly amount: string }[];
  /** [retenciones] What an invoice of fuel or of newspapers collects in advance; the total holds it. */
  readonly presumptiveTaxes: readonly PresumptiveTax[];
  /** [importeTotal, valorModificacion] */
  readonly total: string;
  readonly currency: string | null;
  readonly payments: readonly ComprobantePayment[];
  /** [valorRetIva, valorRetRenta] */
  readonly withheld: { readonly iva: string | null; readonly incomeTax: string | null };
  readonly additionalInfo: readonly NamedText[];
}

export interface ComprobanteIssuer {
  readonly ruc: string;
  readonly businessName: string;
  readonly tradeName: string | null;
  readonly mainAddress: string;
  readonly branchAddress: string | null;
  readonly specialTaxpayer: string | null;
  /** Null when the XML does not say. */
  readonly requiredAccounting: boolean | null;
  readonly withholdingAgent: string | null;
  /** The legend itself, as the XML carries it. */
  readonly rimpe: string | null;
  /** [rise] Of old credit notes. */
  readonly rise: string | null;
}

export interface ComprobanteBuyer {
  readonly idType: string;
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
}

export interface ComprobanteOriginal {
  readonly documentType: string;
  readonly number: string;
  readonly issueDate: string;
  readonly reason: string;
}

/** Terms and costs of an export invoice. */
export interface ForeignTrade {
  readonly kind: string | null;
  readonly incoterm: string | null;
  readonly incotermPlace: string | null;
  readonly incotermSubtotal: string | null;
  readonly originCountry: string | null;
  readonly loadingPort: string | null;
  readonly destinationPort: string | null;
  readonly destinationCountry: string | null;
  readonly acquisitionCountry: string | null;
  readonly freight: string | null;
  readonly insurance: string | null;
  readonly customs: string | null;
  readonly otherTransport: string | null;
}

/** Sums of the expenses an invoice reimburses. */
export interface Reimbursement {
  readonly documentType: string;
  readonly total: string | null;
  readonly base: string | null;
  readonly tax: string | null;
}

export interface ComprobanteItem {
  /** [codigoPrincipal, codigoInterno] */
  readonly mainCode: string | null;
  /** [codigoAuxiliar, codigoAdicional] */
  readonly auxiliaryCode: string | null;
  readonly description: string;
  readonly unit: string | null;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly priceWithoutSubsidy: string | null;
  readonly discount: string | null;
  /** [precioTotalSinImpuesto] */
  readonly subtotal: string;
  readonly details: readonly NamedText[];
  readonly taxes: readonly ComprobanteTax[];
}

export interface ComprobanteTax {
  /** [codigo] `2` IVA, `3` ICE, `5` IRBPNR. */
  readonly taxCode: string;
  /** [codigoPorcentaje] */
  readonly rateCode: string;
  /** [tarifa] Null where the schema has none or the issuer left it out. */
  readonly rate: string | null;
  readonly base: string;
  readonly amount: string;
  readonly additionalDiscount: string | null;
  /** [valorDevolucionIva] */
  readonly refund: string | null;
}

/** [retencion] */
export interface PresumptiveTax {
  readonly taxCode: string;
  readonly rateCode: string;
  readonly rate: string;
  readonly amount: string;
}

export interface ComprobantePayment {
  readonly method: string;
  readonly amount: string;
  readonly term: string | null;
  readonly termUnit: string | null;
}

export interface NamedText {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads a factura or a notaCredito, signed or not, of any schema version.
 *
 * @throws XmlError when the text is no such XML.
 */
export function readComprobante(xml: string): Comprobante {
  const root = readXml(xml);
  if (root.name !== 'factura' && root.name !== 'notaCredito') {
    throw new XmlError('The XML is neither a factura nor a notaCredito.');
  }
  const tributaria = child(root, 'infoTributaria');
  const info = child(root, root.name === 'factura' ? 'infoFactura' : 'infoNotaCredito');
  if (!tributaria || !info) throw new XmlError(`The ${root.name} lacks its infoTributaria or its own heading.`);
  return {
    documentType: root.name === 'factura' ? '01' : '04',
    version: root.attributes['version'] ?? '',
    environment: fromAmbiente(text(tributaria, 'ambiente')),
    accessKey: text(tributaria, 'claveAcceso'),
    branchCode: text(tributaria, 'estab'),
    issuePointCode: text(tributaria, 'ptoEmi'),
    sequential: text(tributaria, 'secuencial'),
    issueDate: text(info, 'fechaEmision'),
    issuer: readIssuer(tributaria, info),
    buyer: {
      idType: text(info, 'tipoIdentificacionComprador'),
      id: text(info, 'identificacionComprador'),
      name: text(info, 'razonSocialComprador'),
      address: optional(info, 'direccionComprador'),
    },
    original: root.name === 'notaCredito' ? readOriginal(info) : null,
    deliveryNote: optional(info, 'guiaRemision'),
    plate: optional(info, 'placa'),
    foreignTrade: readForeignTrade(info),
    reimbursement: readReimbursement(info),
    items: children(child(root, 'detalles'), 'detalle').map(readItem),
    subtotal: text(info, 'totalSinImpuestos'),
    subsidy: optional(info, 'totalSubsidio'),
    discount: optional(info, 'totalDescuento'),
    taxes: children(child(info, 'totalConImpuestos'), 'totalImpuesto').map(readTax),
    compensations: children(child(info, 'compensaciones'), 'compensacion').map((element) => ({
      code: text(element, 'codigo'),
      rate: text(element, 'tarifa'),
      amount: text(element, 'valor'),
    })),
    tip: optional(info, 'propina'),
    thirdPartyCharges: children(child(root, 'otrosRubrosTerceros'), 'rubro').map((element) => ({
      concept: text(element, 'concepto'),
      amount: text(element, 'total'),
    })),
    presumptiveTaxes: children(child(root, 'retenciones'), 'retencion').map((element) => ({
      taxCode: text(element, 'codigo'),
      rateCode: text(element, 'codigoPorcentaje'),
      rate: text(element, 'tarifa'),
      amount: text(element, 'valor'),
    })),
    total: text(info, root.name === 'factura' ? 'importeTotal' : 'valorModificacion'),
    currency: optional(info, 'moneda'),
    payments: readPayments(info),
    withheld: { iva: optional(info, 'valorRetIva'), incomeTax: optional(info, 'valorRetRenta') },
    additionalInfo: children(child(root, 'infoAdicional'), 'campoAdicional').map((element) => ({
      name: tidy(element.attributes['nombre'] ?? ''),
      value: tidy(element.text),
    })),
  };
}

// --- internal ---

function readIssuer(tributaria: XmlElement, info: XmlElement): ComprobanteIssuer {
  const accounting = optional(info, 'obligadoContabilidad');
  return {
    ruc: text(tributaria, 'ruc'),
    businessName: text(tributaria, 'razonSocial'),
    tradeName: optional(tributaria, 'nombreComercial'),
    mainAddress: text(tributaria, 'dirMatriz'),
    branchAddress: optional(info, 'dirEstablecimiento'),
    specialTaxpayer: optional(info, 'contribuyenteEspecial'),
    requiredAccounting: accounting === null ? null : accounting === 'SI',
    withholdingAgent: optional(tributaria, 'agenteRetencion'),
    rimpe: optional(tributaria, 'contribuyenteRimpe'),
    rise: optional(info, 'rise'),
  };
}

function readOriginal(info: XmlElement): ComprobanteOriginal {
  return {
    documentType: text(info, 'codDocModificado'),
    number: text(info, 'numDocModificado'),
    issueDate: text(info, 'fechaEmisionDocSustento'),
    reason: text(info, 'motivo'),
  };
}

function readForeignTrade(info: XmlElement): ForeignTrade | null {
  const trade: ForeignTrade = {
    kind: optional(info, 'comercioExterior'),
    incoterm: optional(info, 'incoTermFactura'),
    incotermPlace: optional(info, 'lugarIncoTerm'),
    incotermSubtotal: optional(info, 'incoTermTotalSinImpuestos'),
    originCountry: optional(info, 'paisOrigen'),
    loadingPort: optional(info, 'puertoEmbarque'),
    destinationPort: optional(info, 'puertoDestino'),
    destinationCountry: optional(info, 'paisDestino'),
    acquisitionCountry: optional(info, 'paisAdquisicion'),
    freight: optional(info, 'fleteInternacional'),
    insurance: optional(info, 'seguroInternacional'),
    customs: optional(info, 'gastosAduaneros'),
    otherTransport: optional(info, 'gastosTransporteOtros'),
  };
  return Object.values(trade).some((value) => value !== null) ? trade : null;
}

function readReimbursement(info: XmlElement): Reimbursement | null {
  const documentType = optional(info, 'codDocReembolso');
  if (documentType === null) return null;
  return {
    documentType,
    total: optional(info, 'totalComprobantesReembolso'),
    base: optional(info, 'totalBaseImponibleReembolso'),
    tax: optional(info, 'totalImpuestoReembolso'),
  };
}

function readItem(element: XmlElement): ComprobanteItem {
  return {
    mainCode: optional(element, 'codigoPrincipal') ?? optional(element, 'codigoInterno'),
    auxiliaryCode: optional(element, 'codigoAuxiliar') ?? optional(element, 'codigoAdicional'),
    description: text(element, 'descripcion'),
    unit: optional(element, 'unidadMedida'),
    quantity: text(element, 'cantidad'),
    unitPrice: text(element, 'precioUnitario'),
    priceWithoutSubsidy: optional(element, 'precioSinSubsidio'),
    discount: optional(element, 'descuento'),
    subtotal: text(element, 'precioTotalSinImpuesto'),
    details: children(child(element, 'detallesAdicionales'), 'detAdicional').map((detail) => ({
      name: tidy(detail.attributes['nombre'] ?? ''),
      value: tidy(detail.attributes['valor'] ?? ''),
    })),
    taxes: children(child(element, 'impuestos'), 'impuesto').map(readTax),
  };
}

function readTax(element: XmlElement): ComprobanteTax {
  return {
    taxCode: text(element, 'codigo'),
    rateCode: text(element, 'codigoPorcentaje'),
    rate: optional(element, 'tarifa'),
    base: text(element, 'baseImponible'),
    amount: text(element, 'valor'),
    additionalDiscount: optional(element, 'descuentoAdicional'),
    refund: optional(element, 'valorDevolucionIva'),
  };
}

function readPayments(info: XmlElement): readonly ComprobantePayment[] {
  return children(child(info, 'pagos'), 'pago').map((element) => ({
    method: text(element, 'formaPago'),
    amount: text(element, 'total'),
    term: optional(element, 'plazo'),
    termUnit: optional(element, 'unidadTiempo'),
  }));
}

function text(element: XmlElement, name: string): string {
  return tidy(childText(element, name) ?? '');
}

function optional(element: XmlElement, name: string): string | null {
  const value = childText(element, name);
  return value === null || value === '' ? null : tidy(value);
}

function tidy(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}
