import { code, decimal, optional, text } from '../cells/cell-readers.js';
import { readDate, readDigits, readDocumentNumber, readId, readIdType, readUntypedId } from '../cells/cell-values.js';
import { type CellReader, type CsvTable, column, requiredColumn } from '../cells/csv-table.js';
import { dayCell, ID_TYPE_NOTE, ISSUE_DATE, MAY_BE_MISSING, NAMED_ID, typeOrInvoice } from './parts.js';

/** `06`: each row is goods; rows with the same recipient and supporting document are one recipient. */
export const DELIVERY_GUIDE_TABLE: CsvTable = {
  documentType: '06',
  columns: {
    issueDate: ISSUE_DATE,
    carrierId: requiredColumn(
      'carrier.id',
      'identificacion_transportista ruc_transportista carrier_id',
      (cell, cells) => readId(cell, cells.text('carrierIdType')),
      NAMED_ID,
    ),
    carrierIdType: {
      ...column(
        'carrier.idType',
        'tipo_identificacion_transportista carrier_id_type',
        (cell, cells) => readIdType(cell, cells.text('carrierId')),
        ID_TYPE_NOTE,
      ),
      or: 'carrierId',
    },
    carrierName: requiredColumn('carrier.name', 'transportista nombre_transportista carrier_name', text, {
      es: 'quien lleva la mercadería',
      en: 'who carries the goods',
    }),
    carrierEmail: column('carrier.email', 'correo_transportista carrier_email', optional(text), MAY_BE_MISSING),
    licensePlate: requiredColumn(
      'licensePlate',
      'placa license_plate',
      (cell) => ({ value: cell.replace(/[\s-]/g, '').toUpperCase() }),
      { es: 'del vehículo, como PBA1234', en: 'of the vehicle, such as PBA1234' },
    ),
    departureAddress: requiredColumn('departureAddress', 'direccion_partida departure_address', text, {
      es: 'de dónde sale',
      en: 'where the transport starts',
    }),
    startDate: requiredColumn('startDate', 'fecha_inicio fecha_inicio_transporte start_date', readDate, {
      es: 'el primer día del transporte, hoy o después',
      en: 'first day of the transport, today or later',
    }),
    endDate: {
      ...column(
        'endDate',
        'fecha_fin fecha_fin_transporte end_date',
        (cell, cells) => readDate(cell || cells.text('startDate')),
        { es: 'el último día; si falta, el primero', en: 'last day; the first one where left out' },
      ),
      or: 'startDate',
    },
    recipientId: requiredColumn(
      'recipients[].id',
      'identificacion identificacion_destinatario ruc cedula recipient_id',
      readUntypedId,
      {
        es: 'el destinatario; las filas con el mismo, y el mismo sustento, son uno solo',
        en: 'the recipient; rows with the same one, and the same supporting document, are one',
      },
    ),
    recipientName: requiredColumn('recipients[].name', 'nombre destinatario razon_social recipient_name', text, {
      es: 'su nombre',
      en: 'its name',
    }),
    recipientAddress: requiredColumn('recipients[].address', 'direccion direccion_destino recipient_address', text, {
      es: 'a dónde llega',
      en: 'where the goods arrive',
    }),
    recipientEmail: column('recipients[].email', 'correo email recipient_email', optional(text), {
      es: 'a dónde se envía; puede faltar',
      en: 'where it is sent; may be left out',
    }),
    reason: requiredColumn('recipients[].reason', 'motivo motivo_traslado reason', text, {
      es: 'por qué se traslada, como Venta',
      en: 'why the goods are moved, such as Venta',
    }),
    customsDocument: column(
      'recipients[].customsDocument',
      'documento_aduanero customs_document',
      optional(text),
      MAY_BE_MISSING,
    ),
    branchCode: column('recipients[].branchCode', 'establecimiento_destino branch_code', optional(code(3)), {
      es: 'del destinatario, como 002; puede faltar',
      en: 'of the recipient, such as 002; may be left out',
    }),
    route: column('recipients[].route', 'ruta route', optional(text), MAY_BE_MISSING),
    supportType: column(
      'recipients[].supportingDocument.documentType',
      'tipo_documento_sustento support_type',
      whereSupported(typeOrInvoice),
      { es: 'el tipo del sustento; si falta, 01', en: 'type of the supporting document; 01 where left out' },
    ),
    supportNumber: column(
      'recipients[].supportingDocument.number',
      'documento_sustento factura support_number',
      optional(readDocumentNumber),
      { es: 'la factura de la mercadería; puede faltar', en: 'the invoice of the goods; may be left out' },
    ),
    supportAuthorization: column(
      'recipients[].supportingDocument.authorizationNumber',
      'autorizacion_sustento support_authorization',
      optional(readDigits),
      { es: 'su autorización o clave de acceso', en: 'its authorization or access key' },
    ),
    supportDate: column(
      'recipients[].supportingDocument.issueDate',
      'fecha_documento_sustento fecha_factura support_date',
      optional(readDate),
      { es: 'el día en que se emitió', en: 'the day of its issue' },
    ),
    code: column('recipients[].items[].mainCode', 'codigo codigo_interno code', optional(text), MAY_BE_MISSING),
    description: requiredColumn('recipients[].items[].description', 'descripcion detalle description', text, {
      es: 'qué se traslada',
      en: 'what is moved',
    }),
    quantity: requiredColumn('recipients[].items[].quantity', 'cantidad quantity', decimal, {
      es: 'la cantidad',
      en: 'the quantity',
    }),
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
