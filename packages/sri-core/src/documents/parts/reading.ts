import { isAccessKey, parseAccessKey } from '../../access-key.js';
import { type Environment, fromAmbiente } from '../../environment.js';
import { child, children, childText, type XmlElement } from '../../xml/reader.js';
import type { NameValue } from './prepared.js';

/**
 * The common content of every comprobante, read from its XML. Texts are as written, with each run of white space as one
 * space. Amounts keep their digits (`12.50`), dates the SRI's form (`21/11/2026`). Optional parts that are absent are null
 * or an empty list. Required parts that are absent are an empty text. The SRI's names are in brackets.
 */
export interface ComprobanteHead {
  readonly documentType: string;
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
  /** [maquinaFiscal] The fiscal machine that issued it. */
  readonly fiscalMachine: { readonly brand: string; readonly model: string; readonly serial: string } | null;
  readonly additionalInfo: readonly NameValue[];
}

/** The issuer, as in the XML. */
export interface ComprobanteIssuer {
  readonly ruc: string;
  readonly businessName: string;
  readonly tradeName: string | null;
  readonly mainAddress: string;
  readonly branchAddress: string | null;
  readonly specialTaxpayer: string | null;
  /** Null when the XML does not state it. */
  readonly requiredAccounting: boolean | null;
  readonly withholdingAgent: string | null;
  /** The legend, as in the XML; until 2021 that of the microenterprises. */
  readonly rimpe: string | null;
  /** [rise] Only in old credit notes. */
  readonly rise: string | null;
}

/** A party: buyer, supplier, subject of a withholding. */
export interface ComprobanteParty {
  readonly idType: string;
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
}

/** A line, as in the XML. */
export interface ComprobanteItem {
  /** [codigoPrincipal, codigoInterno] */
  readonly mainCode: string | null;
  /** [codigoAuxiliar, codigoAdicional] */
  readonly auxiliaryCode: string | null;
  readonly description: string;
  readonly unitOfMeasure: string | null;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly unsubsidizedPrice: string | null;
  readonly discount: string | null;
  /** [precioTotalSinImpuesto] */
  readonly subtotal: string;
  readonly additionalDetails: readonly NameValue[];
  readonly taxes: readonly ComprobanteTax[];
}

/** A tax, as in the XML. */
export interface ComprobanteTax {
  /** [codigo] `2` IVA, `3` ICE, `5` IRBPNR. */
  readonly code: string;
  /** [codigoPorcentaje] */
  readonly rateCode: string;
  /** [tarifa] Null when the schema or the document does not have it. */
  readonly rate: string | null;
  readonly taxableBase: string;
  readonly taxAmount: string;
  readonly additionalDiscount: string | null;
  /** [valorDevolucionIva] */
  readonly refund: string | null;
}

/** The sums of a document, as in the XML. */
export interface ComprobanteSums {
  /** [totalSinImpuestos] */
  readonly subtotal: string;
  readonly taxes: readonly ComprobanteTax[];
  readonly compensations: readonly Compensation[];
  /** [importeTotal, valorModificacion, valorTotal] */
  readonly total: string;
}

/** [compensacion] */
export interface Compensation {
  readonly code: string;
  readonly rate: string;
  readonly amount: string;
}

/** Reads the common content. @param info the element that holds the heading of its type. */
export function readHead(
  root: XmlElement,
  tributaria: XmlElement,
  info: XmlElement,
): Omit<ComprobanteHead, 'documentType'> {
  return {
    version: root.attributes['version'] ?? '',
    environment: fromAmbiente(text(tributaria, 'ambiente')),
    accessKey: text(tributaria, 'claveAcceso'),
    branchCode: text(tributaria, 'estab'),
    issuePointCode: text(tributaria, 'ptoEmi'),
    sequential: text(tributaria, 'secuencial'),
    issueDate: text(info, 'fechaEmision') || dateInKey(tributaria),
    issuer: readIssuer(tributaria, info),
    fiscalMachine: readFiscalMachine(child(root, 'maquinaFiscal')),
    additionalInfo: children(child(root, 'infoAdicional'), 'campoAdicional').map((element) => ({
      name: tidy(element.attributes['nombre'] ?? ''),
      value: tidy(element.text),
    })),
  };
}

/** Reads a party from the heading of the document. @param suffix of its elements: `Comprador`, `Proveedor`. */
export function readParty(info: XmlElement | null, suffix: string): ComprobanteParty {
  return {
    idType: text(info, `tipoIdentificacion${suffix}`),
    id: text(info, `identificacion${suffix}`),
    name: text(info, `razonSocial${suffix}`),
    address: optional(info, `direccion${suffix}`),
  };
}

/** Creates a function that reads a party's identification, exactly as written. */
export function partyIdOf(info: string, suffix: string): (root: XmlElement) => string | null {
  return (root) => childText(child(root, info), `identificacion${suffix}`);
}

/** Reads the lines [detalles]. */
export function readItems(root: XmlElement): readonly ComprobanteItem[] {
  return children(child(root, 'detalles'), 'detalle').map(readItem);
}

/** Reads the pairs of a line [detallesAdicionales]. */
export function readAdditionalDetails(element: XmlElement): readonly NameValue[] {
  return children(child(element, 'detallesAdicionales'), 'detAdicional').map((detail) => ({
    name: tidy(detail.attributes['nombre'] ?? ''),
    value: tidy(detail.attributes['valor'] ?? ''),
  }));
}

/** Reads the sums of the heading. @param total the element of the total. */
export function readSums(info: XmlElement | null, total: string): ComprobanteSums {
  return {
    subtotal: text(info, 'totalSinImpuestos'),
    taxes: headTaxes(info).map(readTax),
    compensations: readCompensations(info),
    total: text(info, total),
  };
}

/** The taxes in the head: totalConImpuestos, or impuestos of a debit note. */
export function headTaxes(info: XmlElement | null): readonly XmlElement[] {
  return [
    ...children(child(info, 'totalConImpuestos'), 'totalImpuesto'),
    ...children(child(info, 'impuestos'), 'impuesto'),
  ];
}

/** [compensaciones] @param of the end of the names where they are those of a reimbursed document: `Reembolso`. */
export function readCompensations(parent: XmlElement | null, of: 'Reembolso' | '' = ''): readonly Compensation[] {
  return children(child(parent, `compensaciones${of}`), `compensacion${of}`).map((element) => ({
    code: text(element, 'codigo'),
    rate: text(element, 'tarifa'),
    amount: text(element, 'valor'),
  }));
}

/** [tipoNegociable] The address that the SRI notifies of a negotiable document; null without it. */
export function readNegotiable(root: XmlElement): { readonly email: string } | null {
  const email = optional(child(root, 'tipoNegociable'), 'correo');
  return email === null ? null : { email };
}

/** The text of a child, on one line; empty without one. */
export function text(element: XmlElement | null, name: string): string {
  return tidy(childText(element, name) ?? '');
}

/** The text of a child, on one line; null without one. */
export function optional(element: XmlElement | null, name: string): string | null {
  const value = childText(element, name);
  return value === null || value === '' ? null : tidy(value);
}

// --- internal ---

/** A guía de remisión has no fechaEmision: its access key has the date. */
function dateInKey(tributaria: XmlElement): string {
  const accessKey = text(tributaria, 'claveAcceso');
  return isAccessKey(accessKey) ? parseAccessKey(accessKey).issueDate : '';
}

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
    rimpe: optional(tributaria, 'contribuyenteRimpe') ?? optional(tributaria, 'regimenMicroempresas'),
    rise: optional(info, 'rise'),
  };
}

function readFiscalMachine(machine: XmlElement | null): ComprobanteHead['fiscalMachine'] {
  return machine && { brand: text(machine, 'marca'), model: text(machine, 'modelo'), serial: text(machine, 'serie') };
}

function readItem(element: XmlElement): ComprobanteItem {
  return {
    mainCode: optional(element, 'codigoPrincipal') ?? optional(element, 'codigoInterno'),
    auxiliaryCode: optional(element, 'codigoAuxiliar') ?? optional(element, 'codigoAdicional'),
    description: text(element, 'descripcion'),
    unitOfMeasure: optional(element, 'unidadMedida'),
    quantity: text(element, 'cantidad'),
    unitPrice: text(element, 'precioUnitario'),
    unsubsidizedPrice: optional(element, 'precioSinSubsidio'),
    discount: optional(element, 'descuento'),
    subtotal: text(element, 'precioTotalSinImpuesto'),
    additionalDetails: readAdditionalDetails(element),
    taxes: children(child(element, 'impuestos'), 'impuesto').map(readTax),
  };
}

function readTax(element: XmlElement): ComprobanteTax {
  return {
    code: text(element, 'codigo'),
    rateCode: text(element, 'codigoPorcentaje'),
    rate: optional(element, 'tarifa'),
    taxableBase: text(element, 'baseImponible'),
    taxAmount: text(element, 'valor'),
    additionalDiscount: optional(element, 'descuentoAdicional'),
    refund: optional(element, 'valorDevolucionIva'),
  };
}

function tidy(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}
