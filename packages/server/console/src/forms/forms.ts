import type { TextName } from '../frame/language.js';
import { CREDIT_NOTE } from './credit-note.js';
import { DEBIT_NOTE } from './debit-note.js';
import { DELIVERY_GUIDE } from './delivery-guide.js';
import type { Draft, Field } from './form.js';
import { FORM_TYPES, type FormType } from './form-types.js';
import { INVOICE } from './invoice.js';
import { PURCHASE_SETTLEMENT } from './purchase-settlement.js';
import { WITHHOLDING } from './withholding.js';

/** The document from which a new one is created or copied. */
export interface Original {
  readonly accessKey: string;
  readonly type: string;
  readonly status: string;
  readonly number: string;
  readonly issueDate: string;
  readonly authorizationNumber: string | null;
  /** Its creation body as sent. */
  readonly body: Draft;
  /** Its taxes by rate, as in its XML: the body may leave their amounts to the server. */
  readonly taxes: readonly Draft[];
  readonly branchAddress: string | null;
}

/** How a document is created from one of another type. */
export interface Way {
  /** The text of its button. */
  readonly title: TextName;
  /** The initial content of the new document. */
  readonly open: (original: Original) => Draft;
  /** Whether the buyer has to be named: no note goes to a final consumer. */
  readonly isNamed?: boolean;
  /** Whether the form shows the amount left to credit. */
  readonly hasBalance?: boolean;
  /** The names of parts of the original that the new document cannot have. */
  readonly lost?: (body: Draft) => readonly TextName[];
}

/** The form of a type, as data. */
export interface DocumentForm {
  readonly fields: readonly Field[];
  /** The initial content of a new document. */
  readonly initial?: Draft;
  /** The fields that a copy leaves empty, in addition to its date; `part.field` within a group or a list. */
  readonly renewed?: readonly string[];
  /** The fields that name another document. A copy has them only if it replaces a voided document. */
  readonly once?: readonly string[];
  /** Whether it names documents of other days, with the IVA of those days. */
  readonly formerRates?: boolean;
  /** How it is created from a document of another type, by that type. */
  readonly on: Readonly<Record<string, Way>>;
  /** The column headings of its lines that differ from those of a sale. */
  readonly columns?: Readonly<Partial<Record<LineColumn, TextName>>>;
}

/** A column of the lines of a document. */
export type LineColumn = 'code' | 'text' | 'quantity' | 'price' | 'discount' | 'total';

/** The form of each type, by the code of the type. */
export const FORMS = {
  '01': INVOICE,
  '03': PURCHASE_SETTLEMENT,
  '04': CREDIT_NOTE,
  '05': DEBIT_NOTE,
  '06': DELIVERY_GUIDE,
  '07': WITHHOLDING,
} as const satisfies Readonly<Record<FormType, DocumentForm>>;

/** The form of a type; null for a type without one. */
export function findForm(documentType: string): DocumentForm | null {
  const forms: Readonly<Record<string, DocumentForm>> = FORMS;
  return Object.hasOwn(forms, documentType) ? (forms[documentType] ?? null) : null;
}

/** The documents that can be created from one of this type. */
export function waysOn(documentType: string): readonly { readonly type: FormType; readonly way: Way }[] {
  return FORM_TYPES.flatMap((type) => {
    const way = (FORMS[type] as DocumentForm).on[documentType];
    return way ? [{ type, way }] : [];
  });
}

/**
 * The initial body: the default, one derived from another type, or a copy of the same type.
 * @param corrects the same document, which gets its date when it is signed again.
 */
export function newBody(
  { initial = {}, renewed = [], once = [], on }: DocumentForm,
  original: Original | null,
  corrects = false,
): Draft {
  if (!original) return initial;
  const way = on[original.type];
  if (way) return way.open(original);
  const names = original.status === 'VOIDED' ? renewed : [...renewed, ...once];
  const left = new Set(['issueDate', ...(corrects ? [] : names)]);
  const copy = (value: unknown, place: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => copy(each, place));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([name]) => !left.has(place + name));
    return Object.fromEntries(kept.map(([name, each]) => [name, copy(each, `${place}${name}.`)]));
  };
  return copy(original.body, '') as Draft;
}
