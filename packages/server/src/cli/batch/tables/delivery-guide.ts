import {
  code,
  date,
  decimal,
  digits,
  documentNumber,
  identification,
  identificationType,
  optional,
  text,
} from '../csv/cell-readers.js';
import type { CellReader, CsvTable } from '../csv/csv-table.js';
import { dayCell, ID_TYPE_NOTE, ISSUE_DATE, MAY_BE_MISSING, NAMED_ID } from './parts.js';

/** `06`: each row is goods; rows with the same recipient and supporting document are one recipient. */
export const DELIVERY_GUIDE_TABLE: CsvTable = {
  documentType: '06',
  columns: {
    issueDate: ISSUE_DATE,
    carrierId: {
      names: ['identificacion_transportista', 'ruc_transportista', 'carrier_id'],
      field: 'carrier.id',
      required: true,
      read: identification('carrierIdType'),
      note: NAMED_ID,
    },
    carrierIdType: {
      names: ['tipo_identificacion_transportista', 'carrier_id_type'],
      field: 'carrier.idType',
      or: 'carrierId',
      read: identificationType('carrierId'),
      note: ID_TYPE_NOTE,
    },
    carrierName: {
      names: ['transportista', 'nombre_transportista', 'carrier_name'],
      field: 'carrier.name',
      required: true,
      read: text,
      note: { es: 'quien lleva la mercadería', en: 'who carries the goods' },
    },
    carrierEmail: {
      names: ['correo_transportista', 'carrier_email'],
      field: 'carrier.email',
      read: optional(text),
      note: MAY_BE_MISSING,
    },
    licensePlate: {
      names: ['placa', 'license_plate'],
      field: 'licensePlate',
      required: true,
      read: (cell) => ({ value: cell.replace(/[\s-]/g, '').toUpperCase() }),
      note: { es: 'del vehículo, como PBA1234', en: 'of the vehicle, such as PBA1234' },
    },
    departureAddress: {
      names: ['direccion_partida', 'departure_address'],
      field: 'departureAddress',
      required: true,
      read: text,
      note: { es: 'de dónde sale', en: 'where the transport starts' },
    },
    startDate: {
      names: ['fecha_inicio', 'fecha_inicio_transporte', 'start_date'],
      field: 'startDate',
      required: true,
      read: date,
      note: { es: 'el primer día del transporte, hoy o después', en: 'first day of the transport, today or later' },
    },
    endDate: {
      names: ['fecha_fin', 'fecha_fin_transporte', 'end_date'],
      field: 'endDate',
      or: 'startDate',
      read: (cell, cells) => date(cell || cells.text('startDate'), cells),
      note: { es: 'el último día; si falta, el primero', en: 'last day; the first one where left out' },
    },
    recipientId: {
      names: ['identificacion', 'identificacion_destinatario', 'ruc', 'cedula', 'recipient_id'],
      field: 'recipients[].id',
      required: true,
      read: digits,
      note: {
        es: 'el destinatario; las filas con el mismo, y el mismo sustento, son uno solo',
        en: 'the recipient; rows with the same one, and the same supporting document, are one',
      },
    },
    recipientName: {
      names: ['nombre', 'destinatario', 'razon_social', 'recipient_name'],
      field: 'recipients[].name',
      required: true,
      read: text,
      note: { es: 'su nombre', en: 'its name' },
    },
    recipientAddress: {
      names: ['direccion', 'direccion_destino', 'recipient_address'],
      field: 'recipients[].address',
      required: true,
      read: text,
      note: { es: 'a dónde llega', en: 'where the goods arrive' },
    },
    recipientEmail: {
      names: ['correo', 'email', 'recipient_email'],
      field: 'recipients[].email',
      read: optional(text),
      note: { es: 'a dónde se envía; puede faltar', en: 'where it is sent; may be left out' },
    },
    reason: {
      names: ['motivo', 'motivo_traslado', 'reason'],
      field: 'recipients[].reason',
      required: true,
      read: text,
      note: { es: 'por qué se traslada, como Venta', en: 'why the goods are moved, such as Venta' },
    },
    customsDocument: {
      names: ['documento_aduanero', 'customs_document'],
      field: 'recipients[].customsDocument',
      read: optional(text),
      note: MAY_BE_MISSING,
    },
    branchCode: {
      names: ['establecimiento_destino', 'branch_code'],
      field: 'recipients[].branchCode',
      read: optional(code(3)),
      note: { es: 'del destinatario, como 002; puede faltar', en: 'of the recipient, such as 002; may be left out' },
    },
    route: {
      names: ['ruta', 'route'],
      field: 'recipients[].route',
      read: optional(text),
      note: MAY_BE_MISSING,
    },
    supportType: {
      names: ['tipo_documento_sustento', 'support_type'],
      field: 'recipients[].supportingDocument.documentType',
      read: whereSupported((cell, cells) => code(2)(cell || INVOICE, cells)),
      note: { es: 'el tipo del sustento; si falta, 01', en: 'type of the supporting document; 01 where left out' },
    },
    supportNumber: {
      names: ['documento_sustento', 'factura', 'support_number'],
      field: 'recipients[].supportingDocument.number',
      read: optional(documentNumber),
      note: { es: 'la factura de la mercadería; puede faltar', en: 'the invoice of the goods; may be left out' },
    },
    supportAuthorization: {
      names: ['autorizacion_sustento', 'support_authorization'],
      field: 'recipients[].supportingDocument.authorizationNumber',
      read: optional(digits),
      note: { es: 'su autorización o clave de acceso', en: 'its authorization or access key' },
    },
    supportDate: {
      names: ['fecha_documento_sustento', 'fecha_factura', 'support_date'],
      field: 'recipients[].supportingDocument.issueDate',
      read: optional(date),
      note: { es: 'el día en que se emitió', en: 'the day of its issue' },
    },
    code: {
      names: ['codigo', 'codigo_interno', 'code'],
      field: 'recipients[].items[].mainCode',
      read: optional(text),
      note: MAY_BE_MISSING,
    },
    description: {
      names: ['descripcion', 'detalle', 'description'],
      field: 'recipients[].items[].description',
      required: true,
      read: text,
      note: { es: 'qué se traslada', en: 'what is moved' },
    },
    quantity: {
      names: ['cantidad', 'quantity'],
      field: 'recipients[].items[].quantity',
      required: true,
      read: decimal,
      note: { es: 'la cantidad', en: 'the quantity' },
    },
  },
  lists: { 'recipients[]': ['recipientId', 'supportNumber'], 'recipients[].items[]': 'rows' },
  withoutColumn: {
    es: 'códigos auxiliares y detalles adicionales, como un número de serie',
    en: 'auxiliary codes and additional details, such as a serial number',
  },
  examples: (today) => [
    {
      ...guide(today),
      ...QUITO,
      supportDate: dayCell(today),
      code: 'CAF-500',
      description: 'Café de Loja 500 g',
      quantity: '24',
    },
    {
      ...guide(today),
      ...QUITO,
      supportDate: dayCell(today),
      code: 'MOL-01',
      description: 'Molino de café',
      quantity: '1',
    },
    {
      ...guide(today),
      recipientId: '0102030400',
      recipientName: 'María Muñoz',
      recipientAddress: 'Calle Larga 7-42, Riobamba',
      reason: 'Consignación',
      code: 'CAF-GR',
      description: 'Café de Loja a granel, en kg',
      quantity: '12,5',
    },
  ],
};

// --- internal ---

const INVOICE = '01';

/** A field of a supporting document, and none without the number of one. */
function whereSupported(read: CellReader): CellReader {
  return (cell, cells) =>
    cell === '' && cells.text('supportNumber') === '' ? { value: undefined } : read(cell, cells);
}

function guide(today: string) {
  return {
    reference: 'GUIA-1',
    carrierId: '1710034065',
    carrierName: 'Transportes Peña & Hijos',
    licensePlate: 'PBA1234',
    departureAddress: 'Calle Loja 5-20, Cuenca',
    startDate: dayCell(today),
    endDate: dayCell(today, 1),
  };
}

const QUITO = {
  recipientId: '1790011674001',
  recipientName: 'Comercial Ñandú & Cía.',
  recipientAddress: 'Av. 10 de Agosto N10-20, Quito',
  recipientEmail: 'compras@example.com',
  reason: 'Venta',
  supportNumber: '001-001-000000001',
};
