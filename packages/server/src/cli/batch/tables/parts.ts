import type { IsoDate, LocalizedText } from 'sri-core';
import {
  code,
  date,
  decimal,
  documentNumber,
  email,
  identification,
  identificationType,
  issueDay,
  optional,
  paymentMethod,
  term,
  text,
  vat,
} from '../cells/cell-readers.js';
import type { Column } from '../cells/csv-table.js';

/** [fechaEmision] */
export const ISSUE_DATE: Column = {
  names: ['fecha_emision', 'fecha', 'issue_date'],
  field: 'issueDate',
  read: issueDay,
  note: {
    es: 'la fecha de hoy, o nada: el SRI solo recibe la fecha del día',
    en: 'the day of today, or nothing: the SRI takes the date of the day only',
  },
};

/** The note of an identification that is never that of an unnamed consumer. */
export const NAMED_ID: LocalizedText = { es: 'cédula, RUC o pasaporte', en: 'cédula, RUC or passport' };

/** The note of a type of identification. */
export const ID_TYPE_NOTE: LocalizedText = {
  es: '04 a 08, o RUC, cédula, pasaporte; si no, según el largo',
  en: '04 to 08, or RUC, cédula, pasaporte; default by length',
};

/** The note of an optional column whose name says enough. */
export const MAY_BE_MISSING: LocalizedText = { es: 'puede faltar', en: 'may be left out' };

const EMAIL_NOTE: LocalizedText = {
  es: 'hace falta siempre; si la otra parte no tiene, uno suyo',
  en: 'always needed; for a party without an address, yours',
};

/**
 * The columns of the counterparty.
 * @param field of the body: `buyer`. @param note what it is. @param options.email whether it must have a mail address.
 */
export function partyColumns(
  field: string,
  note: LocalizedText,
  { id, mustHaveEmail }: { readonly id: LocalizedText; readonly mustHaveEmail: boolean },
) {
  return {
    partyId: {
      names: ['identificacion', 'ruc', 'cedula', 'ruc_cedula', `${field}_id`],
      field: `${field}.id`,
      required: true,
      read: identification('idType'),
      note: id,
    },
    idType: {
      names: ['tipo_identificacion', 'tipo_id', 'id_type'],
      field: `${field}.idType`,
      or: 'partyId',
      read: identificationType('partyId'),
      note: ID_TYPE_NOTE,
    },
    partyName: {
      names: ['nombre', 'razon_social', 'cliente', `${field}_name`],
      field: `${field}.name`,
      required: true,
      read: text,
      note,
    },
    email: {
      names: ['correo', 'correo_electronico', 'email'],
      field: `${field}.email`,
      ...(mustHaveEmail
        ? { required: true, read: email, note: EMAIL_NOTE }
        : {
            read: optional(text),
            note: { es: 'a dónde se envía; puede faltar', en: 'where it is sent; may be left out' },
          }),
    },
    address: {
      names: ['direccion', 'address'],
      field: `${field}.address`,
      read: optional(text),
      note: MAY_BE_MISSING,
    },
  } as const satisfies Readonly<Record<string, Column>>;
}

/** The columns of the buyer. */
export const BUYER = partyColumns(
  'buyer',
  { es: 'el comprador', en: 'the buyer' },
  {
    id: {
      es: 'cédula, RUC, pasaporte, o 9999999999999 en una factura',
      en: 'cédula, RUC, passport, or 9999999999999 in an invoice',
    },
    mustHaveEmail: true,
  },
);

/** The columns of lines with a price. @param day the key of the column with the day whose rates hold. */
export function itemColumns(day: string) {
  return {
    code: {
      names: ['codigo', 'codigo_principal', 'code'],
      field: 'items[].mainCode',
      or: 'description',
      read: (cell, cells) => ({ value: cell || cells.text('description').slice(0, 25) }),
      note: { es: 'sin código se usa la descripción', en: 'without a code the description stands in' },
    },
    description: {
      names: ['descripcion', 'detalle', 'description'],
      field: 'items[].description',
      required: true,
      read: text,
      note: { es: 'la línea', en: 'the line' },
    },
    quantity: {
      names: ['cantidad', 'quantity'],
      field: 'items[].quantity',
      required: true,
      read: decimal,
      note: { es: 'la cantidad', en: 'the quantity' },
    },
    unitPrice: {
      names: ['precio_unitario', 'precio', 'unit_price'],
      field: 'items[].unitPrice',
      required: true,
      read: decimal,
      note: { es: 'sin impuestos', en: 'before taxes' },
    },
    discount: {
      names: ['descuento', 'discount'],
      field: 'items[].discount',
      read: optional(decimal),
      note: { es: 'un valor, no un porcentaje; puede faltar', en: 'an amount, not a percentage; may be left out' },
    },
    vat: vatColumn('items[].taxes[0]', day),
  } as const satisfies Readonly<Record<string, Column>>;
}

/** The columns of the one payment. */
export const PAYMENT = {
  paymentMethod: {
    names: ['forma_pago', 'forma_de_pago', 'payment_method'],
    field: 'payments[0].method',
    read: paymentMethod,
    note: {
      es: 'un código del catálogo, o efectivo, transferencia, tarjeta; si falta, 01',
      en: 'a code of the catalog, or efectivo, transferencia, tarjeta; 01 where left out',
    },
  },
  term: {
    names: ['plazo', 'term'],
    field: 'payments[0]',
    makes: ['payments[0].term', 'payments[0].termUnit'],
    read: term,
    note: { es: 'en días; puede faltar', en: 'in days; may be left out' },
  },
} as const satisfies Readonly<Record<string, Column>>;

/** The columns of the document that a note modifies. */
export const ORIGINAL = {
  originalType: {
    names: ['tipo_documento_modificado', 'original_type'],
    field: 'originalDocument.documentType',
    read: (cell, cells) => code(2)(cell || INVOICE, cells),
    note: {
      es: 'el tipo del documento que se modifica; si falta, 01',
      en: 'type of the modified document; 01 where left out',
    },
  },
  originalNumber: {
    names: ['documento_modificado', 'factura', 'original_number'],
    field: 'originalDocument.number',
    required: true,
    read: documentNumber,
    note: { es: 'su número, 001-001-000000123', en: 'its number, 001-001-000000123' },
  },
  originalDate: {
    names: ['fecha_documento_modificado', 'fecha_factura', 'original_date'],
    field: 'originalDocument.issueDate',
    required: true,
    read: date,
    note: {
      es: 'el día en que se emitió; sus tarifas de IVA son las que valen',
      en: 'the day of its issue; its rates of IVA hold',
    },
  },
} as const satisfies Readonly<Record<string, Column>>;

/** A tax by its percentage. @param day the key of the column with the day whose rates hold. */
export function vatColumn(field: string, day: string) {
  return {
    names: ['iva', 'vat'],
    field,
    required: true,
    read: vat(day),
    note: {
      es: '15, 5, 0, 8, exento o no objeto; 13 también, que está en la tabla del SRI sin fecha de fin',
      en: '15, 5, 0, 8, exento or no objeto; 13 too, which is in the SRI’s table without an end',
    },
  } as const satisfies Column;
}

/** A day as a cell states it. @param later days after that day */
export function dayCell(today: IsoDate, later = 0): string {
  const day = new Date(Date.parse(today) + later * 86_400_000).toISOString().slice(0, 10);
  return day.split('-').toReversed().join('/');
}

// --- internal ---

const INVOICE = '01';
