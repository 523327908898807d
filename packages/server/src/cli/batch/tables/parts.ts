import type { IsoDate, LocalizedText } from 'sri-core';
import { code, decimal, email, issueDay, optional, term, text, vat } from '../cells/cell-readers.js';
import { readDate, readDocumentNumber, readId, readIdType, readPaymentMethod } from '../cells/cell-values.js';
import { type CellReader, type Column, column, requiredColumn } from '../cells/csv-table.js';

/** [fechaEmision] */
export const ISSUE_DATE: Column = column('issueDate', 'fecha_emision fecha issue_date', issueDay, {
  es: 'la fecha de hoy, o nada: el SRI solo recibe la fecha del día',
  en: 'the day of today, or nothing: the SRI takes the date of the day only',
});

/** The note of an identification that excludes the unnamed consumer. */
export const NAMED_ID: LocalizedText = { es: 'cédula, RUC o pasaporte', en: 'cédula, RUC or passport' };

/** The note of a type of identification. */
export const ID_TYPE_NOTE: LocalizedText = {
  es: '04 a 08, o RUC, cédula, pasaporte; si no, según el largo',
  en: '04 to 08, or RUC, cédula, pasaporte; default by length',
};

/** The note of an optional column whose name says enough. */
export const MAY_BE_MISSING: LocalizedText = { es: 'puede faltar', en: 'may be left out' };

const EMAIL_NAMES = 'correo correo_electronico email';
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
    partyId: requiredColumn(
      `${field}.id`,
      `identificacion ruc cedula ruc_cedula ${field}_id`,
      (cell, cells) => readId(cell, cells.text('idType')),
      id,
    ),
    idType: {
      ...column(
        `${field}.idType`,
        'tipo_identificacion tipo_id id_type',
        (cell, cells) => readIdType(cell, cells.text('partyId')),
        ID_TYPE_NOTE,
      ),
      or: 'partyId',
    },
    partyName: requiredColumn(`${field}.name`, `nombre razon_social cliente ${field}_name`, text, note),
    email: mustHaveEmail
      ? requiredColumn(`${field}.email`, EMAIL_NAMES, email, EMAIL_NOTE)
      : column(`${field}.email`, EMAIL_NAMES, optional(text), {
          es: 'a dónde se envía; puede faltar',
          en: 'where it is sent; may be left out',
        }),
    address: column(`${field}.address`, 'direccion address', optional(text), MAY_BE_MISSING),
  } satisfies Readonly<Record<string, Column>>;
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
      ...column(
        'items[].mainCode',
        'codigo codigo_principal code',
        // A cut never leaves half of a letter of two units.
        (cell, cells) => ({
          value:
            cell ||
            cells
              .text('description')
              .slice(0, 25)
              .replace(/[\ud800-\udbff]$/, ''),
        }),
        { es: 'sin código se usa la descripción', en: 'without a code the description stands in' },
      ),
      or: 'description',
    },
    description: requiredColumn('items[].description', 'descripcion detalle description', text, {
      es: 'la línea',
      en: 'the line',
    }),
    quantity: requiredColumn('items[].quantity', 'cantidad quantity', decimal, {
      es: 'la cantidad',
      en: 'the quantity',
    }),
    unitPrice: requiredColumn('items[].unitPrice', 'precio_unitario precio unit_price', decimal, {
      es: 'sin impuestos',
      en: 'before taxes',
    }),
    discount: column('items[].discount', 'descuento discount', optional(decimal), {
      es: 'un valor, no un porcentaje; puede faltar',
      en: 'an amount, not a percentage; may be left out',
    }),
    vat: vatColumn('items[].taxes[0]', day),
  } satisfies Readonly<Record<string, Column>>;
}

/** The columns of the one payment. */
export const PAYMENT = {
  paymentMethod: column('payments[0].method', 'forma_pago forma_de_pago payment_method', readPaymentMethod, {
    es: 'un código del catálogo, o efectivo, transferencia, tarjeta; si falta, 01',
    en: 'a code of the catalog, or efectivo, transferencia, tarjeta; 01 where left out',
  }),
  term: {
    ...column('payments[0]', 'plazo term', term, { es: 'en días; puede faltar', en: 'in days; may be left out' }),
    makes: ['payments[0].term', 'payments[0].termUnit'],
  },
} satisfies Readonly<Record<string, Column>>;

/** The type of a document; the type of an invoice for an empty cell. */
export const typeOrInvoice: CellReader = (cell, cells) => code(2)(cell || '01', cells);

/** The columns of the document that a note modifies. */
export const ORIGINAL = {
  originalType: column('originalDocument.documentType', 'tipo_documento_modificado original_type', typeOrInvoice, {
    es: 'el tipo del documento que se modifica; si falta, 01',
    en: 'type of the modified document; 01 where left out',
  }),
  originalNumber: requiredColumn(
    'originalDocument.number',
    'documento_modificado factura original_number',
    readDocumentNumber,
    { es: 'su número, 001-001-000000123', en: 'its number, 001-001-000000123' },
  ),
  originalDate: requiredColumn(
    'originalDocument.issueDate',
    'fecha_documento_modificado fecha_factura original_date',
    readDate,
    {
      es: 'el día en que se emitió; sus tarifas de IVA son las que valen',
      en: 'the day of its issue; its rates of IVA hold',
    },
  ),
} satisfies Readonly<Record<string, Column>>;

/** A tax by its percentage. @param day the key of the column with the day whose rates hold. */
export function vatColumn(field: string, day: string): Column {
  return requiredColumn(field, 'iva vat', vat(day), {
    es: '15, 5, 0, 8, exento o no objeto; 13 también, que está en la tabla del SRI sin fecha de fin',
    en: '15, 5, 0, 8, exento or no objeto; 13 too, which is in the SRI’s table without an end',
  });
}

/** A day as a cell states it. @param later days after that day */
export function dayCell(today: IsoDate, later = 0): string {
  const day = new Date(Date.parse(today) + later * 86_400_000).toISOString().slice(0, 10);
  return day.split('-').toReversed().join('/');
}
