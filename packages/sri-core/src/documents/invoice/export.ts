import { type Static, Type } from '@sinclair/typebox';
import { countries } from '../../catalogs/countries.js';
import { formatMoney, type Scaled, sum } from '../../money.js';
import type { XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { decimalField, optional, patternField, textField } from '../field.js';
import type { Findings } from '../findings.js';
import { line, optional as optionalRule, pattern } from '../parts/element-rule.js';
import { optional as optionalText } from '../parts/reading.js';
import { countryField } from '../parts/schemas.js';
import { AMOUNT, THREE_DIGITS } from '../parts/structure.js';
import { money } from '../parts/taxes.js';
import type { RidePanel } from '../ride-content.js';
import { normalizeText } from '../text.js';

const cost = (description: string, example: string) =>
  optional(decimalField({ decimals: 2, description: `${description}, part of the total.`, example }));
const incoterm = (description: string) =>
  patternField({ pattern: '^[A-Z]{1,10}$', form: 'A … AAAAAAAAAA', description, example: 'FOB' });

/** The costs and their elements, in the order of the schemas. */
const COSTS = [
  ['freight', 'fleteInternacional'],
  ['insurance', 'seguroInternacional'],
  ['customs', 'gastosAduaneros'],
  ['otherTransport', 'gastosTransporteOtros'],
] as const;

/** Terms and costs of an export. */
export const exportSchema = Type.Object(
  {
    incoterm: incoterm('Incoterm of the invoice.'),
    incotermPlace: textField({ max: 300, description: 'Place of the incoterm.', example: 'Guayaquil' }),
    originCountry: countryField('Country of origin', '593'),
    shippingPort: textField({ max: 300, description: 'Port of shipping.', example: 'Guayaquil' }),
    destinationPort: textField({ max: 300, description: 'Port of destination.', example: 'Miami' }),
    destinationCountry: countryField('Country of destination', '110'),
    purchaseCountry: optional(countryField('Country of the purchase', '110')),
    subtotalIncoterm: incoterm('Incoterm of the total without taxes.'),
    freight: cost('Freight', '1000.00'),
    insurance: cost('Insurance', '200.00'),
    customs: cost('Customs costs', '800.00'),
    otherTransport: cost('Further transport costs', '350.00'),
  },
  { description: 'Terms and costs of an export.' },
);

/** Terms and costs of an export, as written. */
export interface PreparedExport {
  readonly incoterm: string;
  readonly incotermPlace: string;
  readonly originCountry: string;
  readonly shippingPort: string;
  readonly destinationPort: string;
  readonly destinationCountry: string;
  readonly purchaseCountry: string | null;
  readonly subtotalIncoterm: string;
  readonly freight: Scaled | null;
  readonly insurance: Scaled | null;
  readonly customs: Scaled | null;
  readonly otherTransport: Scaled | null;
}

/** The terms as written. Warns when the buyer has an identification that exports do not have. */
export function prepareExport(
  terms: Static<typeof exportSchema> | null | undefined,
  buyerIdType: string,
  findings: Findings,
): PreparedExport | null {
  if (!terms) return null;
  if (!BUYER_ID_TYPES.includes(buyerIdType)) findings.warn('buyer.idType', 'EXPORT_BUYER', undefined, 'uncertain');
  return {
    incoterm: terms.incoterm,
    incotermPlace: normalizeText(terms.incotermPlace),
    originCountry: terms.originCountry,
    shippingPort: normalizeText(terms.shippingPort),
    destinationPort: normalizeText(terms.destinationPort),
    destinationCountry: terms.destinationCountry,
    purchaseCountry: terms.purchaseCountry || null,
    subtotalIncoterm: terms.subtotalIncoterm,
    freight: money(terms.freight),
    insurance: money(terms.insurance),
    customs: money(terms.customs),
    otherTransport: money(terms.otherTransport),
  };
}

/** The costs of an export, which are part of the total. */
export function exportCosts(terms: PreparedExport | null): Scaled {
  return sum(COSTS.map(([name]) => terms?.[name] ?? 0n));
}

/** [comercioExterior … paisAdquisicion] */
export function writeExportTerms(terms: PreparedExport | null): string {
  if (!terms) return '';
  return (
    element('comercioExterior', EXPORTER) +
    element('incoTermFactura', terms.incoterm) +
    element('lugarIncoTerm', terms.incotermPlace) +
    element('paisOrigen', terms.originCountry) +
    element('puertoEmbarque', terms.shippingPort) +
    element('puertoDestino', terms.destinationPort) +
    element('paisDestino', terms.destinationCountry) +
    optionalElement('paisAdquisicion', terms.purchaseCountry)
  );
}

/** [fleteInternacional … gastosTransporteOtros] */
export function writeExportCosts(terms: PreparedExport | null): string {
  return COSTS.map(([name, elementName]) => {
    const amount = terms?.[name] ?? null;
    return optionalElement(elementName, amount === null ? null : formatMoney(amount));
  }).join('');
}

/** Terms and costs of an export, as in the XML. */
export type ExportTerms = { readonly [Name in 'kind' | keyof PreparedExport]: string | null };

/** The terms and costs of the heading; null without any. */
export function readExport(info: XmlElement | null): ExportTerms | null {
  const terms: ExportTerms = {
    kind: optionalText(info, 'comercioExterior'),
    incoterm: optionalText(info, 'incoTermFactura'),
    incotermPlace: optionalText(info, 'lugarIncoTerm'),
    subtotalIncoterm: optionalText(info, 'incoTermTotalSinImpuestos'),
    originCountry: optionalText(info, 'paisOrigen'),
    shippingPort: optionalText(info, 'puertoEmbarque'),
    destinationPort: optionalText(info, 'puertoDestino'),
    destinationCountry: optionalText(info, 'paisDestino'),
    purchaseCountry: optionalText(info, 'paisAdquisicion'),
    freight: optionalText(info, 'fleteInternacional'),
    insurance: optionalText(info, 'seguroInternacional'),
    customs: optionalText(info, 'gastosAduaneros'),
    otherTransport: optionalText(info, 'gastosTransporteOtros'),
  };
  return Object.values(terms).some((value) => value !== null) ? terms : null;
}

/** The panel of the terms. */
export function exportPanel(terms: ExportTerms): RidePanel {
  return {
    left: [
      ['Comercio exterior:', terms.kind],
      ['Incoterm:', joined(terms.incoterm, terms.incotermPlace)],
      ['Incoterm del total sin impuestos:', terms.subtotalIncoterm],
    ],
    right: [
      ['Origen:', joined(countryName(terms.originCountry), terms.shippingPort)],
      ['Destino:', joined(countryName(terms.destinationCountry), terms.destinationPort)],
      ['País de adquisición:', countryName(terms.purchaseCountry)],
    ],
  };
}

/** The structure of the terms. */
export const EXPORT_TERMS = [
  optionalRule('comercioExterior', pattern('EXPORTADOR')),
  optionalRule('incoTermFactura', pattern('[A-Z]{1,10}')),
  optionalRule('lugarIncoTerm', line(300)),
  optionalRule('paisOrigen', THREE_DIGITS),
  optionalRule('puertoEmbarque', line(300)),
  optionalRule('puertoDestino', line(300)),
  optionalRule('paisDestino', THREE_DIGITS),
  optionalRule('paisAdquisicion', THREE_DIGITS),
];

/** The structure of the costs. */
export const EXPORT_COSTS = COSTS.map(([, elementName]) => optionalRule(elementName, AMOUNT));

// --- internal ---

/** [comercioExterior] Ficha técnica off-line v2.34, anexo 5. */
const EXPORTER = 'EXPORTADOR';
/** RUC, passport, foreign: the buyers of an export. */
const BUYER_ID_TYPES: readonly string[] = ['04', '06', '08'];

function countryName(code: string | null): string | null {
  return countries.find((country) => country.code === code)?.description.es ?? code;
}

function joined(first: string | null, second: string | null): string | null {
  const parts = [first, second].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
