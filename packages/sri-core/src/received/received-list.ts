import { type AccessKey, type AccessKeyParts, isAccessKey, parseAccessKey } from '../access-key.js';
import { ecuadorTimestamp, type IsoDate, type IssueDate, momentOf, toIsoDate, toIssueDate } from '../calendar.js';
import { decodeStrictly } from '../decode-text.js';
import { type DocumentTypeCode, isDocumentType } from '../documents/registry.js';
import { formatMoney, MONEY_SCALE, parseDecimal, roundHalfUp } from '../money.js';
import { formatDocumentNumber } from '../sequential.js';
import { typeOfLabel } from './document-label.js';
import type { ListField } from './list-layout.js';
import { type ListRecord, readRecords, SCIENTIFIC } from './list-records.js';

/** A received document, as the SRI's portal lists it. Type, number, issuer and date are those of the access key. */
export interface ReceivedRow {
  /** Where the row begins in the file, from 1. */
  readonly line: number;
  readonly accessKey: AccessKey;
  readonly documentType: DocumentTypeCode;
  /** `001-001-000000123` */
  readonly number: string;
  readonly issuerRuc: string;
  /** Empty in a list of keys alone. */
  readonly issuerName: string;
  /** DD/MM/YYYY */
  readonly issueDate: IssueDate;
  /** `2026-07-01T21:06:55-05:00`, or `2026-07-01` where the list has no time. */
  readonly authorizationDate: string | null;
  /** [IDENTIFICACION_RECEPTOR] */
  readonly receiverId: string | null;
  /** [VALOR_SIN_IMPUESTOS] With two decimals. The portal leaves the amounts of withholdings blank. */
  readonly subtotal: string | null;
  readonly iva: string | null;
  readonly total: string | null;
  /** [NUMERO_DOCUMENTO_MODIFICADO] As written. */
  readonly modifiedNumber: string | null;
}

/**
 * The fault of a row. `size`, `binary`, `tooMany`: the file is not read, or not to its end. `columns`: the line does
 * not divide into the columns, or has more of them. `accessKey`: the text is no key with a valid check digit.
 * `spreadsheet`: a spreadsheet turned the key into a number and lost its digits. `type`: the type is not supported, or
 * its name is unknown. `disagrees`: the column contradicts the key. `date`, `amount`: the value cannot be read.
 * `duplicate`: the key already occurs above.
 */
export type ListRule =
  | 'size'
  | 'binary'
  | 'tooMany'
  | 'columns'
  | 'accessKey'
  | 'spreadsheet'
  | 'type'
  | 'disagrees'
  | 'date'
  | 'amount'
  | 'duplicate';

/** One fault of a list. */
export interface ListProblem {
  /** The line where the row begins, from 1. */
  readonly line: number;
  /** The column; null for the row or the whole file. */
  readonly field: ListField | null;
  readonly rule: ListRule;
}

/** A list, as far as it can be used. */
export interface ReceivedList {
  /** The rows with a valid key and no contradicting column, each key once, in the order of the list. */
  readonly rows: readonly ReceivedRow[];
  /** In the order of the list; at most 1,000, then `tooMany`. A repeated key is reported once. */
  readonly problems: readonly ListProblem[];
  /** The count of further problems. */
  readonly furtherProblems: number;
}

/** The most bytes of a list: a year of a large company. */
export const LIST_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads the list of received documents that the SRI's portal offers as TXT («Descargar reporte»). It takes the present
 * and the earlier layout, with or without headings. It also takes access keys alone, one per line.
 *
 * A row with an invalid key or a contradicting column is left out and reported as a problem. An unreadable date or
 * amount is null and a problem. No content throws. Reading ends after 100,000 rows, good or bad.
 *
 * @param input the bytes of the file, whose encoding is detected (UTF-8, UTF-16, latin-1), or its text.
 */
export function parseReceivedList(input: string | Uint8Array): ReceivedList {
  if (input.length > LIST_MAX_BYTES) return onlyProblem('size');
  const text = toListText(input);
  if (text.includes('\0')) return onlyProblem('binary');
  const rows: ReceivedRow[] = [];
  const problems: ListProblem[] = [];
  let count = 0;
  const report = (line: number, field: ListField | null, rule: ListRule) => {
    count += 1;
    if (count <= MAX_PROBLEMS) problems.push({ line, field, rule });
  };
  /** Whether the repetition of each key was reported. */
  const seen = new Map<string, boolean>();
  let records = 0;
  for (const record of readRecords(text)) {
    records += 1;
    if (records > MAX_RECORDS) {
      count += 1;
      problems.push({ line: record.line, field: null, rule: 'tooMany' });
      break;
    }
    const row = readRow(record, (field, rule) => report(record.line, field, rule));
    if (!row) continue;
    const wasReported = seen.get(row.accessKey);
    if (wasReported === undefined) rows.push(row);
    else if (!wasReported) report(row.line, 'accessKey', 'duplicate');
    seen.set(row.accessKey, wasReported !== undefined);
  }
  return { rows, problems, furtherProblems: count - problems.length };
}

// --- internal ---

/** Good and bad rows. */
const MAX_RECORDS = 100_000;
const MAX_PROBLEMS = 1_000;
/** Decimals that an amount may have before it is rounded to cents. */
const AMOUNT_DECIMALS = 8;

type Report = (field: ListField | null, rule: ListRule) => void;

function onlyProblem(rule: ListRule): ReceivedList {
  return { rows: [], problems: [{ line: 1, field: null, rule }], furtherProblems: 0 };
}

/** Null for a row that cannot be used; the reasons are reported. */
function readRow({ line, cells, layout }: ListRecord, report: Report): ReceivedRow | null {
  if (!layout) {
    report(null, 'columns');
    return null;
  }
  const of = (field: ListField) => cells[layout.indexOf(field)] ?? '';
  const accessKey = of('accessKey');
  if (!isAccessKey(accessKey)) {
    report('accessKey', SCIENTIFIC.test(accessKey) ? 'spreadsheet' : 'accessKey');
    return null;
  }
  const key = parseAccessKey(accessKey);
  if (!isDocumentType(key.documentType)) {
    report('accessKey', 'type');
    return null;
  }
  const differing = findDifferences(of, key, report);
  for (const field of differing) report(field, 'disagrees');
  if (differing.length > 0) return null;
  if (cells.findLastIndex((cell) => cell !== '') >= layout.length) report(null, 'columns');
  const amount = (field: ListField) => readAmount(of(field), () => report(field, 'amount'));
  return {
    line,
    accessKey,
    documentType: key.documentType,
    number: formatDocumentNumber(key.branchCode, key.issuePointCode, key.sequential),
    issuerRuc: key.ruc,
    issuerName: of('issuerName'),
    issueDate: key.issueDate,
    authorizationDate: readMoment(of('authorizationDate'), () => report('authorizationDate', 'date')),
    receiverId: of('receiverId') || null,
    subtotal: amount('subtotal'),
    iva: amount('iva'),
    total: amount('total'),
    modifiedNumber: of('modifiedNumber') || null,
  };
}

/** The columns that contradict the key. A blank column contradicts nothing. */
function findDifferences(of: (field: ListField) => string, key: AccessKeyParts, report: Report): readonly ListField[] {
  const differs: Partial<Record<ListField, (value: string) => boolean>> = {
    // A spreadsheet takes away the zeros at the start.
    issuerRuc: (value) => value.padStart(13, '0') !== key.ruc,
    documentType: (value) => {
      const type = typeOfLabel(value);
      if (type === null) report('documentType', 'type');
      return type !== null && type !== key.documentType;
    },
    number: (value) => value !== formatDocumentNumber(key.branchCode, key.issuePointCode, key.sequential),
    issueDate: (value) => {
      const day = readDay(value);
      if (day === null) report('issueDate', 'date');
      return day !== null && day !== toIsoDate(key.issueDate);
    },
    // Documents of the first scheme have an authorization number of 37 digits in addition to their key.
    authorizationNumber: (value) => isAccessKey(value) && value !== of('accessKey'),
  };
  return (Object.keys(differs) as ListField[]).filter((field) => of(field) !== '' && differs[field]?.(of(field)));
}

/** The day of a date, `01/07/2026` or `2026-07-01`, with or without its time; null for other text. */
function readDay(text: string): IsoDate | null {
  const [day = ''] = text.split(/[ T]/);
  return toIsoDate(/^\d{4}-/.test(day) ? toIssueDate(day) : day);
}

function readMoment(text: string, complain: () => void): string | null {
  if (text === '') return null;
  const moment = momentOf(text);
  if (moment !== null) return ecuadorTimestamp(moment);
  const day = text.length === 10 ? readDay(text) : null;
  if (day === null) complain();
  return day;
}

/** `37.5` → `37.50`, `.29` → `0.29`, `20` → `20.00`. */
function readAmount(text: string, complain: () => void): string | null {
  if (text === '') return null;
  const [, sign, whole, decimals = ''] = /^(-?)(\d{0,14})(?:[.,](\d{0,8}))?$/.exec(text) ?? [];
  if (whole === undefined || whole + decimals === '') {
    complain();
    return null;
  }
  const exact = parseDecimal(`${whole || '0'}.${decimals || '0'}`, AMOUNT_DECIMALS);
  const rounded = roundHalfUp(exact, AMOUNT_DECIMALS, MONEY_SCALE);
  return formatMoney(sign === '-' ? -rounded : rounded);
}

/**
 * The text of a list. The encoding is that of the byte order mark (UTF-8 or UTF-16), else UTF-8 if the bytes are valid.
 * Otherwise it is windows-1252, with the letters of ISO-8859-1 that the SRI's portal writes. Line ends become `\n`.
 */
function toListText(input: string | Uint8Array): string {
  const text = typeof input === 'string' ? input : decode(input);
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return decodeStrictly(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}
