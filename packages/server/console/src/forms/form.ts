import type { TextName } from '../frame/language.js';

/** The content of a form: a body, with texts as typed. */
export type Draft = { readonly [name: string]: unknown };

/** An entry of a catalog. */
export interface CatalogEntry {
  readonly code: string;
  readonly description: string;
  readonly [name: string]: unknown;
}

/** The catalogs of a form, by their names. */
export type Catalogs = Readonly<Record<string, readonly CatalogEntry[]>>;

/** A field of a form. A section adds its fields to the enclosing object; a group is one object, a list several. */
export interface Field {
  readonly kind:
    | 'text'
    | 'amount'
    | 'integer'
    | 'date'
    | 'email'
    | 'choice'
    | 'check'
    | 'rate'
    | 'tax'
    | 'section'
    | 'group'
    | 'list';
  /** Its name in the body; the name of a section is only in the form. A `tax` is one of `codes` with its rate. */
  readonly name: string;
  /** Default: the text with the name of the field. */
  readonly label?: TextName;
  readonly hint?: TextName;
  /** An unticked box is then false, and not absent. */
  readonly required?: boolean;
  /** The server computes an empty value. */
  readonly isComputed?: boolean;
  /** Within a fold, which is open if it has a value. */
  readonly folded?: boolean;
  /** The catalog whose codes a choice offers and a text suggests. */
  readonly catalog?: string;
  /** The offered codes; default all of the catalog. */
  readonly codes?: readonly string[];
  /** The prefix of the texts of codes without a catalog. */
  readonly texts?: string;
  /** A choice shows its codes. */
  readonly coded?: boolean;
  /** The values of a new entry. */
  readonly initial?: string;
  /** Whether an entry of the catalog is offered. */
  readonly suggested?: (entry: CatalogEntry, row: Draft) => boolean;
  /** Further values of the row after a change of this one. */
  readonly fill?: (row: Draft, holder: Draft, catalogs: Catalogs) => Draft;
  /** Default: always. */
  readonly shown?: (row: Draft, holder: Draft, catalogs: Catalogs) => boolean;
  /** A hidden field keeps its value, because another field sets it too. */
  readonly keeps?: true;
  /** Earlier documents complete the party of this group, or a line of this list. */
  readonly completes?: 'party' | 'item';
  /** Of a section, a group or each entry of a list. */
  readonly fields?: readonly Field[];
  /** The text of the button that adds an entry to a list. */
  readonly add?: TextName;
  /** The fields of each entry in one row, at its head. */
  readonly look?: 'line' | 'few';
  /** An entry of a list as a row of the form; null for a new one. */
  readonly open?: (entry: Draft | null) => Draft;
  /** The entry that a row of the form describes. */
  readonly read?: (row: Draft) => Draft;
}

/** The list under a name. */
export function rowsOf(draft: Draft, name: string): readonly Draft[] {
  return (draft[name] as readonly Draft[] | null | undefined) ?? [];
}

/** The part under a name. */
export function partOf(draft: Draft, name: string): Draft {
  return (draft[name] as Draft | null | undefined) ?? {};
}

/** A body as its form holds it. What the form does not show stays in it. */
export function openDraft(fields: readonly Field[], body: Draft): Draft {
  const draft: Record<string, unknown> = { ...body };
  for (const field of fields) {
    const { kind, name, fields: inner = [], initial, required } = field;
    if (kind === 'section') Object.assign(draft, openDraft(inner, draft));
    else if (kind === 'group') draft[name] = openDraft(inner, partOf(draft, name));
    else if (kind === 'list') {
      const given = rowsOf(draft, name);
      const entries = given.length === 0 && required ? [null] : given;
      draft[name] = entries.map((entry) => openRow(field, entry));
    } else if (initial !== undefined) draft[name] ??= initial;
  }
  return draft;
}

/** An entry of a list as a row of the form; null for a new one. */
export function openRow({ fields = [], open }: Field, entry: Draft | null): Draft {
  return openDraft(fields, open ? open(entry) : (entry ?? {}));
}

/**
 * A row that becomes a line of an earlier document. The fields of this sale alone stay; the row has no field that its list
 * does not have.
 */
export function pickRow(list: Field, line: Draft, { quantity, discount, additionalDetails }: Draft): Draft {
  const names = (list.fields ?? []).flatMap(namesOf);
  const picked = Object.entries(openRow(list, line)).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(picked), quantity, discount, additionalDetails };
}

/** The names that a field has in its row: those inside a section, and the percentage beside the code of a rate. */
export function namesOf({ kind, name, fields = [] }: Field): readonly string[] {
  if (kind === 'section') return fields.flatMap(namesOf);
  return kind === 'rate' ? [name, 'rate'] : [name];
}

/** The body of a form: its fields, and the values that it keeps without showing. Empty fields are absent. */
export function readBody(fields: readonly Field[], draft: Draft, catalogs: Catalogs, holder: Draft = draft): Draft {
  let body: Record<string, unknown> = { ...draft };
  for (const field of fields) {
    if (field.kind === 'section') {
      body = { ...readBody(field.fields ?? [], body, catalogs, holder) };
      continue;
    }
    const isOn = ({ keeps, shown }: Field) => keeps || (shown?.(draft, holder, catalogs) ?? true);
    const isShown = isOn(field);
    // Of two fields of one name, the shown one decides.
    if (!isShown && fields.some((other) => other.name === field.name && isOn(other))) continue;
    const value = isShown ? readValue(field, draft[field.name], draft, catalogs) : undefined;
    if (value === undefined) delete body[field.name];
    else body[field.name] = value;
  }
  return body;
}

/** The index in the body of a row of the form. The body has no empty rows, except those of a required list. */
export function placeInBody(rows: readonly Draft[], place: number): number {
  return rows.slice(0, place).filter((row) => !isEmpty(row)).length;
}

/** The catalogs that the fields name. */
export function catalogsOf(fields: readonly Field[]): readonly string[] {
  const named = fields.flatMap(({ kind, catalog, fields: inner = [] }): readonly string[] => [
    ...(kind === 'rate' || kind === 'tax' ? ['tax-rates'] : catalog ? [catalog] : []),
    ...catalogsOf(inner),
  ]);
  return [...new Set(named)];
}

/** Whether a part of a form is empty. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/** A number typed with a comma or a point, in the form of a body: `1.234,56` and `1,234.56` as `1234.56`. */
export function plain(text: unknown): string {
  return String(text ?? '')
    .trim()
    .replace(/^\d{1,3}([.,])\d{3}(?:\1\d{3})*(?!\1)[.,](?=\d+$)/, (whole) => `${whole.replace(/[.,]/g, '')}.`)
    .replace(',', '.');
}

/** Whether the separator of a typed number may be that of decimals or of thousands: `1,234`. It is read as decimals. */
export function isAmbiguous(text: unknown): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(String(text ?? '').trim());
}

// --- internal ---

function readValue({ kind, fields = [], required, read }: Field, value: unknown, holder: Draft, catalogs: Catalogs) {
  if (kind === 'check') return value ?? (required ? false : undefined);
  if (kind === 'group') {
    const inner = readBody(fields, (value ?? {}) as Draft, catalogs, holder);
    return required || !isEmpty(inner) ? inner : undefined;
  }
  if (kind === 'list') {
    const rows = ((value ?? []) as readonly Draft[])
      .filter((row) => required || !isEmpty(row))
      .map((row) => readBody(fields, row, catalogs, holder))
      .map((row) => (read ? read(row) : row));
    return rows.length > 0 ? rows : undefined;
  }
  const text = String(value ?? '').trim();
  if (text === '') return undefined;
  if (kind === 'integer') return /^\d+$/.test(text) ? Number(text) : text;
  return kind === 'amount' ? plain(text) : text;
}
