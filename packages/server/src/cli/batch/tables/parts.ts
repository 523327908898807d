import {
  decimal,
  email,
  identification,
  identificationType,
  issueDay,
  optional,
  paymentMethod,
  term,
  text,
  vat,
} from '../csv/cell-readers.js';
import type { Column } from '../csv/csv-table.js';

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

/** The columns of the buyer. */
export const BUYER = {
  buyerId: {
    names: ['identificacion', 'ruc', 'cedula', 'ruc_cedula', 'buyer_id'],
    field: 'buyer.id',
    required: true,
    read: identification('idType'),
    note: {
      es: 'cédula, RUC, pasaporte, o 9999999999999 en una factura',
      en: 'cédula, RUC, passport, or 9999999999999 in an invoice',
    },
  },
  idType: idTypeColumn('buyer.idType', 'buyerId'),
  buyerName: {
    names: ['nombre', 'razon_social', 'cliente', 'buyer_name'],
    field: 'buyer.name',
    required: true,
    read: text,
    note: { es: 'el comprador', en: 'the buyer' },
  },
  email: {
    names: ['correo', 'correo_electronico', 'email'],
    field: 'buyer.email',
    required: true,
    read: email,
    note: {
      es: 'hace falta siempre, también para consumidor final: si el comprador no tiene, uno suyo',
      en: 'always needed, for consumidor final too: where the buyer has none, one of your own',
    },
  },
  address: {
    names: ['direccion', 'address'],
    field: 'buyer.address',
    read: optional(text),
    note: { es: 'puede faltar', en: 'may be left out' },
  },
} as const satisfies Readonly<Record<string, Column>>;

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

/** The type of an identification. @param id the key of the column with the identification. */
export function idTypeColumn(field: string, id: string, name = ['tipo_identificacion', 'tipo_id', 'id_type'] as const) {
  return {
    names: name,
    field,
    or: id,
    read: identificationType(id),
    note: {
      es: '04 a 08, o RUC, cédula, pasaporte; si no, según el largo',
      en: '04 to 08, or RUC, cédula, pasaporte; default by length',
    },
  } as const satisfies Column;
}

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
