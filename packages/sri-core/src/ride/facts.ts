import { paymentMethods } from '../catalogs/payment-methods.js';
import { termUnits } from '../catalogs/term-units.js';
import type { ComprobanteHead } from '../documents/parts/reading.js';
import type { RideFact, RidePayment } from '../documents/ride-content.js';
import { isPreview, type Ride } from './ride.js';

/** What the head says of an issuer, apart from its names and RUC. */
export function issuerFacts(issuer: ComprobanteHead['issuer']): readonly RideFact[] {
  return [
    ['Dirección matriz:', issuer.mainAddress],
    ['Dirección sucursal:', issuer.branchAddress],
    ['Contribuyente Especial Nro.', issuer.specialTaxpayer],
    ['Obligado a llevar contabilidad:', accounting(issuer.requiredAccounting)],
    ['Agente de Retención Resolución No.', issuer.withholdingAgent],
    ['RISE:', issuer.rise],
  ];
}

/** A name in front of its value. Many issuers write the colon into the name. */
export function labelOf(name: string): string {
  return name.trimEnd().endsWith(':') ? name.trimEnd() : `${name}:`;
}

/** The number of the authorization, or what stands for it. */
export function authorizationText(ride: Ride): string {
  return ride.authorization?.number ?? (isPreview(ride) ? '—' : 'SIN AUTORIZACIÓN');
}

/** `PRODUCCIÓN` or `PRUEBAS`. */
export function environmentText({ document }: Ride): string {
  return document.environment === 'production' ? 'PRODUCCIÓN' : 'PRUEBAS';
}

/** `NORMAL`, or the words for a key of the former contingency, which ended in 2015. */
export function emissionText({ document }: Ride): string {
  return document.accessKey.at(-2) === '2' ? 'INDISPONIBILIDAD DEL SISTEMA' : 'NORMAL';
}

/** `20 – Otros con utilización del sistema financiero`; the code alone when it is unknown. */
export function methodText({ method: code }: RidePayment): string {
  const known = paymentMethods.find((method) => method.code === code);
  return known ? `${code} – ${known.description.es}` : code;
}

/** `días`; empty without a unit. */
export function termUnitText({ termUnit: unit }: RidePayment): string {
  return termUnits.find(({ code }) => code === unit)?.description.es.toLowerCase() ?? unit ?? '';
}

// --- internal ---

function accounting(required: boolean | null): string | null {
  if (required === null) return null;
  return required ? 'SÍ' : 'NO';
}
