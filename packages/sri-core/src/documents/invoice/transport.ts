import { type Static, Type } from '@sinclair/typebox';
import { type IsoDate, toIsoDate, toIssueDate } from '../../calendar.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { dateField, optional, patternField, textField } from '../field.js';
import type { Findings } from '../findings.js';
import { line, one, optional as optionalRule, several } from '../parts/element-rule.js';
import { namedIdType, prepareId } from '../parts/party.js';
import { optional as optionalChild, text } from '../parts/reading.js';
import { DATE, ID_TYPE, THREE_DIGITS } from '../parts/structure.js';
import type { RideColumn, RidePanel, RideTable } from '../ride-content.js';
import { createShape } from '../shape.js';
import { normalizeText, optionalText } from '../text.js';

/** The transport of the goods: the invoice replaces the delivery guide. */
export const transportSchema = Type.Object(
  {
    departureAddress: textField({
      max: 300,
      description: 'Address where the transport starts.',
      example: 'Av. Amazonas N21-147, Quito',
    }),
    arrivalAddress: textField({ max: 300, description: 'Address where it ends.', example: 'Calle Loja 5-20, Cuenca' }),
    startDate: dateField({ description: 'First day, DD/MM/YYYY; not before the issue date.', example: '21/11/2026' }),
    endDate: dateField({ description: 'Last day, DD/MM/YYYY; not before startDate.', example: '22/11/2026' }),
    carrier: Type.Object(
      {
        idType: namedIdType,
        id: textField({ max: 20, description: 'Identification number.', example: '1790011674001' }),
        name: textField({ max: 300, description: 'Name or business name.', example: 'Transportes Andinos S.A.' }),
      },
      { description: 'The carrier.' },
    ),
    licensePlate: textField({ max: 20, description: 'Plate of the vehicle.', example: 'ABC1234' }),
    destinations: Type.Array(
      Type.Object(
        {
          reason: textField({ max: 300, description: 'Why the goods are moved.', example: 'Venta' }),
          customsDocument: optional(
            textField({ max: 64, description: 'Number of the customs document.', example: '028-2026-10-00012345' }),
          ),
          branchCode: optional(
            patternField({
              pattern: '^[0-9]{3}$',
              form: 'NNN',
              description: 'Branch code of the destination.',
              example: '002',
            }),
          ),
          route: optional(textField({ max: 300, description: 'Route.', example: 'Quito – Cuenca' })),
        },
        { description: 'A destination.' },
      ),
      { minItems: 1, maxItems: 100, description: 'Destinations.' },
    ),
  },
  { description: 'Transport of the goods: the invoice replaces the delivery guide.' },
);

/** The transport of the goods. `Day` is the form of its days. */
interface Transport<Day> {
  readonly departureAddress: string;
  readonly arrivalAddress: string;
  readonly startDate: Day;
  readonly endDate: Day;
  readonly carrier: { readonly idType: string; readonly id: string; readonly name: string };
  readonly licensePlate: string;
  readonly destinations: readonly {
    readonly reason: string;
    readonly customsDocument: string | null;
    readonly branchCode: string | null;
    readonly route: string | null;
  }[];
}

/** The transport as written. */
export type PreparedTransport = Transport<IsoDate>;

/** The transport as in the XML; days as DD/MM/YYYY. */
export type ComprobanteTransport = Transport<string>;

/** The transport as written. Fails when it starts before the issue date or ends before it starts. */
export function prepareTransport(
  guide: Static<typeof transportSchema> | null | undefined,
  issueDate: IsoDate,
  findings: Findings,
): PreparedTransport | null {
  if (!guide) return null;
  const { carrier } = guide;
  return {
    departureAddress: normalizeText(guide.departureAddress),
    arrivalAddress: normalizeText(guide.arrivalAddress),
    ...prepareDates(guide, issueDate, findings),
    carrier: {
      idType: carrier.idType,
      id: prepareId(carrier.idType, carrier.id, 'deliveryGuide.carrier.id', findings),
      name: normalizeText(carrier.name),
    },
    licensePlate: normalizeText(guide.licensePlate),
    destinations: guide.destinations.map((destination) => ({
      reason: normalizeText(destination.reason),
      customsDocument: optionalText(destination.customsDocument),
      branchCode: destination.branchCode || null,
      route: optionalText(destination.route),
    })),
  };
}

/** As `prepareTransport`, for a body whose shape is wrong. Of a malformed transport it checks the dates. */
export function inspectTransport(copy: unknown, issueDate: IsoDate, findings: Findings): void {
  if (WITH_TRANSPORT.fits(copy)) prepareTransport(copy.deliveryGuide, issueDate, findings);
  else if (WITH_DATES.fits(copy)) prepareDates(copy.deliveryGuide, issueDate, findings);
}

/** [infoSustitutivaGuiaRemision] */
export function writeTransport(guide: PreparedTransport | null): string {
  if (!guide) return '';
  const { carrier } = guide;
  const destinations = guide.destinations.map(
    ({ reason, customsDocument, branchCode, route }) =>
      `<destino>${
        element('motivoTraslado', reason) +
        optionalElement('docAduaneroUnico', customsDocument) +
        optionalElement('codEstabDestino', branchCode) +
        optionalElement('ruta', route)
      }</destino>`,
  );
  return `<infoSustitutivaGuiaRemision>${
    element('dirPartida', guide.departureAddress) +
    element('dirDestinatario', guide.arrivalAddress) +
    element('fechaIniTransporte', toIssueDate(guide.startDate)) +
    element('fechaFinTransporte', toIssueDate(guide.endDate)) +
    element('razonSocialTransportista', carrier.name) +
    element('tipoIdentificacionTransportista', carrier.idType) +
    element('rucTransportista', carrier.id) +
    element('placa', guide.licensePlate)
  }<destinos>${destinations.join('')}</destinos></infoSustitutivaGuiaRemision>`;
}

/** [infoSustitutivaGuiaRemision] Null without it. */
export function readTransport(root: XmlElement): ComprobanteTransport | null {
  const guide = child(root, 'infoSustitutivaGuiaRemision');
  if (!guide) return null;
  return {
    departureAddress: text(guide, 'dirPartida'),
    arrivalAddress: text(guide, 'dirDestinatario'),
    startDate: text(guide, 'fechaIniTransporte'),
    endDate: text(guide, 'fechaFinTransporte'),
    carrier: {
      idType: text(guide, 'tipoIdentificacionTransportista'),
      id: text(guide, 'rucTransportista'),
      name: text(guide, 'razonSocialTransportista'),
    },
    licensePlate: text(guide, 'placa'),
    destinations: children(child(guide, 'destinos'), 'destino').map((destination) => ({
      reason: text(destination, 'motivoTraslado'),
      customsDocument: optionalChild(destination, 'docAduaneroUnico'),
      branchCode: optionalChild(destination, 'codEstabDestino'),
      route: optionalChild(destination, 'ruta'),
    })),
  };
}

/** The panel of the transport, and the table of its destinations. */
export function transportBlocks(transport: ComprobanteTransport): readonly (RidePanel | RideTable)[] {
  const { carrier, destinations } = transport;
  return [
    {
      left: [
        ['Sustitutiva de guía de remisión, transportista:', carrier.name],
        ['Identificación (transportista):', carrier.id],
        ['Placa:', transport.licensePlate],
      ],
      right: [
        ['Fecha inicio transporte:', transport.startDate],
        ['Fecha fin transporte:', transport.endDate],
      ],
      below: [
        ['Punto de partida:', transport.departureAddress],
        ['Punto de llegada:', transport.arrivalAddress],
      ],
    },
    {
      columns: DESTINATION_COLUMNS,
      rows: destinations.map(({ reason, customsDocument, branchCode, route }) => ({
        cells: [reason, branchCode ?? '', customsDocument ?? '', route ?? ''],
        details: [],
      })),
    },
  ];
}

/** The structure of the transport. */
export const SUSTITUTIVA_GUIA = optionalRule('infoSustitutivaGuiaRemision', [
  one('dirPartida', line(300)),
  one('dirDestinatario', line(300)),
  one('fechaIniTransporte', DATE),
  one('fechaFinTransporte', DATE),
  one('razonSocialTransportista', line(300)),
  one('tipoIdentificacionTransportista', ID_TYPE),
  one('rucTransportista', line(20)),
  one('placa', line(20)),
  one('destinos', [
    several('destino', [
      one('motivoTraslado', line(300)),
      optionalRule('docAduaneroUnico', line(64)),
      optionalRule('codEstabDestino', THREE_DIGITS),
      optionalRule('ruta', line(300)),
    ]),
  ]),
]);

// --- internal ---

const DATES = Type.Pick(transportSchema, ['startDate', 'endDate']);
const WITH_DATES = createShape(Type.Object({ deliveryGuide: DATES }));
const WITH_TRANSPORT = createShape(Type.Object({ deliveryGuide: transportSchema }));

function prepareDates(guide: Static<typeof DATES>, issueDate: IsoDate, findings: Findings) {
  const startDate = toIsoDate(guide.startDate) ?? '';
  const endDate = toIsoDate(guide.endDate) ?? '';
  // For a delivery guide the SRI rejects such a start with code 82.
  if (startDate < issueDate) findings.fail('deliveryGuide.startDate', 'notEarlier', { date: toIssueDate(issueDate) });
  if (endDate < startDate) findings.fail('deliveryGuide.endDate', 'notEarlier', { date: guide.startDate });
  return { startDate, endDate };
}

const DESTINATION_COLUMNS: readonly RideColumn[] = [
  { title: 'Motivo del traslado', align: 'left' },
  { title: 'Estab. destino', align: 'left', optional: true, limits: [44, 60] },
  { title: 'Documento aduanero', align: 'left', optional: true, limits: [90, 130] },
  { title: 'Ruta', align: 'left', optional: true, limits: [110, 200] },
];
