import { CommandFailure } from 'sri-core/cli';

/** The meaning of a file's columns, in their order; null for an ignored column. */
export type ColumnMeaning = ColumnName | { readonly info: string } | null;

/** The columns a file may have. */
export type ColumnName = keyof typeof COLUMNS;

/** Each column by its names in Spanish and English; capitals, accents and blanks do not matter. */
export const COLUMNS = {
  reference: ['referencia', 'reference', 'pedido'],
  issueDate: ['fecha_emision', 'fecha', 'issue_date'],
  idType: ['tipo_identificacion', 'tipo_id', 'id_type'],
  buyerId: ['identificacion', 'ruc', 'cedula', 'ruc_cedula', 'buyer_id'],
  buyerName: ['nombre', 'razon_social', 'cliente', 'buyer_name'],
  email: ['correo', 'email', 'correo_electronico'],
  address: ['direccion', 'address'],
  code: ['codigo', 'codigo_principal', 'code'],
  description: ['descripcion', 'detalle', 'description'],
  quantity: ['cantidad', 'quantity'],
  unitPrice: ['precio_unitario', 'precio', 'unit_price'],
  discount: ['descuento', 'discount'],
  vat: ['iva', 'vat'],
  paymentMethod: ['forma_pago', 'forma_de_pago', 'payment_method'],
  term: ['plazo', 'term'],
} as const;

const REQUIRED = ['buyerId', 'buyerName', 'email', 'description', 'quantity', 'unitPrice', 'vat'] as const;

/**
 * Reads the first line of a file.
 * @throws CommandFailure COLUMNS_INVALID naming every column that is unknown, duplicate or missing.
 */
export function readColumns(headings: readonly string[]): readonly ColumnMeaning[] {
  const meanings = headings.map(meaningOf);
  const unknown = headings.filter((heading, index) => meanings[index] === undefined && heading !== '');
  const named = meanings.filter((meaning) => typeof meaning === 'string');
  const twice = named.filter((name, index) => named.indexOf(name) !== index);
  const missing = REQUIRED.filter((name) => !named.includes(name));
  if (unknown.length === 0 && twice.length === 0 && missing.length === 0) {
    return meanings.map((meaning) => meaning ?? null);
  }
  const list = (names: readonly ColumnName[], place: 0 | 1) => names.map((name) => COLUMNS[name].at(-place)).join(', ');
  const quoted = unknown.map((heading) => JSON.stringify(heading.slice(0, 40))).join(', ');
  throw new CommandFailure('COLUMNS_INVALID', {
    es: [
      'La primera línea debe nombrar las columnas.',
      unknown.length > 0 ? `No se conoce: ${quoted}.` : '',
      twice.length > 0 ? `Está dos veces: ${list(twice, 0)}.` : '',
      missing.length > 0 ? `Falta: ${list(missing, 0)}.` : '',
      'Un dato libre va en una columna «info:Nombre».',
    ]
      .filter(Boolean)
      .join(' '),
    en: [
      'The first line must name the columns.',
      unknown.length > 0 ? `Not known: ${quoted}.` : '',
      twice.length > 0 ? `There twice: ${list(twice, 1)}.` : '',
      missing.length > 0 ? `Missing: ${list(missing, 1)}.` : '',
      'Free text goes in a column «info:Name».',
    ]
      .filter(Boolean)
      .join(' '),
  });
}

/**
 * The file's name for a field of the body that its rows make.
 * @param headings the file's own, in the order of `columns`.
 * @param lines of the entry: those of its items, in their order.
 * @returns null if the field has no column in the file.
 */
export function columnOfField(
  field: string,
  {
    columns,
    headings,
    lines,
  }: {
    readonly columns: readonly ColumnMeaning[];
    readonly headings: readonly string[];
    readonly lines: readonly number[];
  },
): string | null {
  const [, item, rest] = /^items\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const names = FIELDS.find(([pattern]) => pattern.test(rest === undefined ? field : `item.${rest}`))?.[1] ?? [];
  const place = names.map((name) => columns.indexOf(name)).find((index) => index >= 0);
  if (place === undefined) return null;
  const heading = headings[place]?.trim() || COLUMNS[names[0] ?? 'reference'][0];
  const line = item !== undefined && lines.length > 1 ? lines[Number(item)] : undefined;
  return line === undefined ? heading : `${heading}, ${line}`;
}

// --- internal ---

/** The fields that a column makes. If the file lacks the first column of several, the next one makes them. */
const FIELDS: readonly (readonly [RegExp, readonly ColumnName[]])[] = [
  [/^issueDate/, ['issueDate']],
  [/^buyer\.idType/, ['idType', 'buyerId']],
  [/^buyer\.id/, ['buyerId']],
  [/^buyer\.name/, ['buyerName']],
  [/^buyer\.email/, ['email']],
  [/^buyer\.address/, ['address']],
  [/^item\.mainCode/, ['code', 'description']],
  [/^item\.description/, ['description']],
  [/^item\.quantity/, ['quantity']],
  [/^item\.unitPrice/, ['unitPrice']],
  [/^item\.discount/, ['discount']],
  [/^item\.taxes/, ['vat']],
  [/^payments\[\d+\]\.method/, ['paymentMethod']],
  [/^payments\[\d+\]\.term/, ['term']],
];

const BY_NAME = new Map(
  Object.entries(COLUMNS).flatMap(([name, words]) =>
    words.map((word): [string, ColumnName] => [word, name as ColumnName]),
  ),
);
/** For a corrected file of errors. */
const PASSED_OVER = new Set(['error', 'linea', 'line']);

function meaningOf(heading: string): ColumnMeaning | undefined {
  const info = /^info:\s*(.{1,300})$/i.exec(heading.trim())?.[1];
  if (info) return { info: info.trim() };
  const plain = heading
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s.-]+/g, '_');
  if (PASSED_OVER.has(plain)) return null;
  return BY_NAME.get(plain);
}
