import { toIssueDate } from '../../calendar.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { type Heading, writeBranchAddress, writeInfoTributaria, yesOrNo } from '../parts/info-tributaria.js';
import {
  type ComprobanteHead,
  type ComprobanteItem,
  type ComprobanteParty,
  optional,
  readAdditionalDetails,
  text,
} from '../parts/reading.js';
import { writeAdditionalDetails, writeAdditionalInfo, writeQuantity } from '../parts/writing.js';
import type { PreparedDeliveryGuide, PreparedGoods, PreparedRecipient, PreparedSupport } from './prepare.js';

/** A delivery guide read from its XML. Its issue date is that of the access key. */
export interface DeliveryGuideComprobante extends ComprobanteHead {
  readonly documentType: '06';
  /** [tipoIdentificacionTransportista, rucTransportista, razonSocialTransportista] */
  readonly carrier: Omit<ComprobanteParty, 'address'>;
  /** [placa] */
  readonly licensePlate: string;
  /** [dirPartida] */
  readonly departureAddress: string;
  /** [fechaIniTransporte] */
  readonly startDate: string;
  /** [fechaFinTransporte] */
  readonly endDate: string;
  readonly recipients: readonly ComprobanteRecipient[];
}

/** A recipient [destinatario], as in the XML. */
export interface ComprobanteRecipient {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** [motivoTraslado] */
  readonly reason: string;
  /** [docAduaneroUnico] */
  readonly customsDocument: string | null;
  /** [codEstabDestino] */
  readonly branchCode: string | null;
  readonly route: string | null;
  /** [codDocSustento …] Null without any of its elements. */
  readonly supportingDocument: ComprobanteSupport | null;
  readonly items: readonly ComprobanteGoods[];
}

/** The document that supports a transfer, as in the XML. Each element is optional. */
export interface ComprobanteSupport {
  readonly documentType: string | null;
  readonly number: string | null;
  readonly authorizationNumber: string | null;
  readonly issueDate: string | null;
}

/** A line [detalle], as in the XML. */
export type ComprobanteGoods = Pick<
  ComprobanteItem,
  'mainCode' | 'auxiliaryCode' | 'description' | 'quantity' | 'additionalDetails'
>;

/** The element guiaRemision of schema 1.1.0, canonical. Order and names: GuiaRemision_V1.1.0.xsd; Ficha v2.34, anexo 1. */
export function writeGuiaRemision(guide: PreparedDeliveryGuide, heading: Heading): string {
  return `<guiaRemision id="comprobante" version="1.1.0">${writeInfoTributaria('06', heading)}${writeInfoGuiaRemision(
    guide,
    heading,
  )}<destinatarios>${guide.recipients.map(writeRecipient).join('')}</destinatarios>${writeAdditionalInfo(
    guide.additionalInfo,
  )}</guiaRemision>`;
}

/** Reads a guiaRemision of any schema version. */
export function readGuiaRemision(root: XmlElement, head: ComprobanteHead): DeliveryGuideComprobante {
  const info = child(root, 'infoGuiaRemision');
  return {
    ...head,
    documentType: '06',
    carrier: {
      idType: text(info, 'tipoIdentificacionTransportista'),
      id: text(info, 'rucTransportista'),
      name: text(info, 'razonSocialTransportista'),
    },
    licensePlate: text(info, 'placa'),
    departureAddress: text(info, 'dirPartida'),
    startDate: text(info, 'fechaIniTransporte'),
    endDate: text(info, 'fechaFinTransporte'),
    recipients: children(child(root, 'destinatarios'), 'destinatario').map(readRecipient),
  };
}

// --- internal ---

/** Unlike other comprobantes, obligadoContabilidad comes before contribuyenteEspecial. */
function writeInfoGuiaRemision(guide: PreparedDeliveryGuide, { issuer }: Heading): string {
  const { carrier } = guide;
  return `<infoGuiaRemision>${
    writeBranchAddress(issuer) +
    element('dirPartida', guide.departureAddress) +
    element('razonSocialTransportista', carrier.name) +
    element('tipoIdentificacionTransportista', carrier.idType) +
    element('rucTransportista', carrier.id) +
    element('obligadoContabilidad', yesOrNo(issuer.requiredAccounting)) +
    optionalElement('contribuyenteEspecial', issuer.specialTaxpayer) +
    element('fechaIniTransporte', toIssueDate(guide.startDate)) +
    element('fechaFinTransporte', toIssueDate(guide.endDate)) +
    element('placa', guide.licensePlate)
  }</infoGuiaRemision>`;
}

function writeRecipient(recipient: PreparedRecipient): string {
  return `<destinatario>${
    element('identificacionDestinatario', recipient.id) +
    element('razonSocialDestinatario', recipient.name) +
    element('dirDestinatario', recipient.address) +
    element('motivoTraslado', recipient.reason) +
    optionalElement('docAduaneroUnico', recipient.customsDocument) +
    optionalElement('codEstabDestino', recipient.branchCode) +
    optionalElement('ruta', recipient.route) +
    (recipient.supportingDocument ? writeSupport(recipient.supportingDocument) : '')
  }<detalles>${recipient.items.map(writeGoods).join('')}</detalles></destinatario>`;
}

function writeSupport({ documentType, number, authorizationNumber, issueDate }: PreparedSupport): string {
  return (
    element('codDocSustento', documentType) +
    element('numDocSustento', number) +
    optionalElement('numAutDocSustento', authorizationNumber) +
    optionalElement('fechaEmisionDocSustento', issueDate && toIssueDate(issueDate))
  );
}

function writeGoods(item: PreparedGoods): string {
  return `<detalle>${
    optionalElement('codigoInterno', item.mainCode) +
    optionalElement('codigoAdicional', item.auxiliaryCode) +
    element('descripcion', item.description) +
    element('cantidad', writeQuantity(item.quantity)) +
    writeAdditionalDetails(item.additionalDetails)
  }</detalle>`;
}

function readRecipient(recipient: XmlElement): ComprobanteRecipient {
  return {
    id: text(recipient, 'identificacionDestinatario'),
    name: text(recipient, 'razonSocialDestinatario'),
    address: text(recipient, 'dirDestinatario'),
    reason: text(recipient, 'motivoTraslado'),
    customsDocument: optional(recipient, 'docAduaneroUnico'),
    branchCode: optional(recipient, 'codEstabDestino'),
    route: optional(recipient, 'ruta'),
    supportingDocument: readSupport(recipient),
    items: children(child(recipient, 'detalles'), 'detalle').map((item) => ({
      mainCode: optional(item, 'codigoInterno'),
      auxiliaryCode: optional(item, 'codigoAdicional'),
      description: text(item, 'descripcion'),
      quantity: text(item, 'cantidad'),
      additionalDetails: readAdditionalDetails(item),
    })),
  };
}

function readSupport(recipient: XmlElement): ComprobanteSupport | null {
  const support = {
    documentType: optional(recipient, 'codDocSustento'),
    number: optional(recipient, 'numDocSustento'),
    authorizationNumber: optional(recipient, 'numAutDocSustento'),
    issueDate: optional(recipient, 'fechaEmisionDocSustento'),
  };
  return Object.values(support).every((value) => value === null) ? null : support;
}
