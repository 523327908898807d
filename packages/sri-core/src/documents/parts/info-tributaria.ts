import type { AccessKey } from '../../access-key.js';
import { type IsoDate, toIssueDate } from '../../calendar.js';
import { type Environment, toAmbiente } from '../../environment.js';
import { formatSequential } from '../../sequential.js';
import { element, optionalElement } from '../../xml/writer.js';
import type { Issuer } from '../issuer.js';

/** The common part of every comprobante: its issuer and its numbering. */
export interface Heading {
  /** The result of `validateIssuer`. */
  readonly issuer: Issuer;
  readonly environment: Environment;
  readonly sequential: number;
  readonly accessKey: AccessKey;
}

/** The element infoTributaria, in the order of the schemas. Ficha técnica off-line v2.34, anexos 1 and 8. */
export function writeInfoTributaria(documentType: string, heading: Heading): string {
  const { issuer } = heading;
  return `<infoTributaria>${
    element('ambiente', toAmbiente(heading.environment)) +
    element('tipoEmision', '1') +
    element('razonSocial', issuer.businessName) +
    optionalElement('nombreComercial', issuer.tradeName) +
    element('ruc', issuer.ruc) +
    element('claveAcceso', heading.accessKey) +
    element('codDoc', documentType) +
    element('estab', issuer.branchCode) +
    element('ptoEmi', issuer.issuePointCode) +
    element('secuencial', formatSequential(heading.sequential)) +
    element('dirMatriz', mainAddress(issuer)) +
    optionalElement('agenteRetencion', issuer.withholdingAgent) +
    optionalElement('contribuyenteRimpe', issuer.rimpe ? RIMPE_LEGENDS[issuer.rimpe] : null)
  }</infoTributaria>`;
}

/** `SI` or `NO`, for obligadoContabilidad. */
export function yesOrNo(value: boolean): string {
  return value ? 'SI' : 'NO';
}

/** [dirEstablecimiento] The branch's address, or else the main one. It is always written. */
export function writeBranchAddress(issuer: Issuer): string {
  return element('dirEstablecimiento', issuer.branchAddress ?? mainAddress(issuer));
}

/** [fechaEmision … obligadoContabilidad] The start of most headings. */
export function writeIssueHead(issueDate: IsoDate, issuer: Issuer): string {
  return (
    element('fechaEmision', toIssueDate(issueDate)) +
    writeBranchAddress(issuer) +
    optionalElement('contribuyenteEspecial', issuer.specialTaxpayer) +
    element('obligadoContabilidad', yesOrNo(issuer.requiredAccounting))
  );
}

// --- internal ---

function mainAddress(issuer: Issuer): string {
  return issuer.mainAddress ?? issuer.branchAddress ?? NO_ADDRESS;
}

/** «Sin dirección»: the schema requires dirMatriz even when the issuer gave none. */
const NO_ADDRESS = 'S/D';

/** Exact texts that the schemas accept, accent included. */
const RIMPE_LEGENDS = {
  GENERAL: 'CONTRIBUYENTE RÉGIMEN RIMPE',
  POPULAR: 'CONTRIBUYENTE NEGOCIO POPULAR - RÉGIMEN RIMPE',
} as const satisfies Record<'GENERAL' | 'POPULAR', string>;
