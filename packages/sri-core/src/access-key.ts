import { type IsoDate, type IssueDate, toIsoDate, toIssueDate } from './calendar.js';
import { type Environment, fromAmbiente, toAmbiente } from './environment.js';
import { AccessKeyError } from './errors.js';
import { formatSequential, isSequential, PREVIEW_SEQUENTIAL } from './sequential.js';

/** The 49 digits that identify one document at the SRI and become its authorization number. Only this file makes one. */
export type AccessKey = string & { readonly __accessKey: unique symbol };

/** The parts of an access key. */
export interface AccessKeyParts {
  readonly issueDate: IssueDate;
  /** codDoc: `01` invoice, `04` credit note. Other types are read as well. */
  readonly documentType: string;
  readonly ruc: string;
  readonly environment: Environment;
  readonly branchCode: string;
  readonly issuePointCode: string;
  readonly sequential: number;
  /** Eight digits that the issuer chooses freely (código numérico). */
  readonly numericCode: string;
}

/**
 * Builds the access key (clave de acceso) of a document.
 *
 * @throws AccessKeyError when a part has the wrong number of digits or the date does not exist.
 * @see Ficha técnica off-line v2.34, §5.2 and tabla 1.
 */
export function buildAccessKey(parts: AccessKeyParts): AccessKey {
  if (!isSequential(parts.sequential)) {
    throw new AccessKeyError('The sequential of an access key is a whole number from 1 to 999999999.');
  }
  return joinParts(parts);
}

/**
 * Builds the key that stands in a preview: zeros for the number and for the numeric code. No document has it, since numbers
 * begin at 1.
 *
 * @throws AccessKeyError as `buildAccessKey`.
 */
export function buildPreviewKey(parts: Omit<AccessKeyParts, 'sequential' | 'numericCode'>): AccessKey {
  return joinParts({ ...parts, sequential: PREVIEW_SEQUENTIAL, numericCode: '00000000' });
}

/**
 * Reads an access key (clave de acceso).
 *
 * @param text 49 ASCII digits; surrounding spaces are not trimmed.
 * @throws AccessKeyError when the length, a digit, the date, the environment or the check digit is wrong.
 * @see Ficha técnica off-line v2.34, §5.2 and tabla 1.
 */
export function parseAccessKey(text: string): AccessKeyParts & { readonly accessKey: AccessKey } {
  if (!/^[0-9]{49}$/.test(text)) throw new AccessKeyError('An access key has 49 digits.');
  if (checkDigit(text.slice(0, 48)) !== Number(text[48])) {
    throw new AccessKeyError('The check digit of the access key is wrong.');
  }
  const issueDate = `${text.slice(0, 2)}/${text.slice(2, 4)}/${text.slice(4, 8)}`;
  if (!toIsoDate(issueDate)) throw new AccessKeyError('The access key begins with a day that does not exist.');
  const environment = fromAmbiente(text.slice(23, 24));
  if (!environment) throw new AccessKeyError('The environment of the access key is neither 1 nor 2.');
  return {
    accessKey: text as AccessKey,
    issueDate,
    documentType: text.slice(8, 10),
    ruc: text.slice(10, 23),
    environment,
    branchCode: text.slice(24, 27),
    issuePointCode: text.slice(27, 30),
    sequential: Number(text.slice(30, 39)),
    numericCode: text.slice(39, 47),
  };
}

/** Whether the text is a complete and consistent access key. */
export function isAccessKey(text: string): text is AccessKey {
  try {
    parseAccessKey(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The 49th digit: modulo 11 of the 48 before it, weights 2 to 7 from the right; 11 becomes 0 and 10 becomes 1.
 *
 * @see Ficha técnica off-line v2.34, §5.2.
 */
export function checkDigit(digits: string): number {
  let total = 0;
  for (let index = 0; index < digits.length; index += 1) {
    total += Number(digits[digits.length - 1 - index]) * (2 + (index % 6));
  }
  const digit = 11 - (total % 11);
  if (digit === 11) return 0;
  return digit === 10 ? 1 : digit;
}

// --- internal ---

/** tipoEmision: contingency keys ended with Ficha técnica 2.0 (2015). */
const NORMAL_EMISSION = '1';

function joinParts(parts: AccessKeyParts): AccessKey {
  const iso = toIsoDate(parts.issueDate);
  if (!iso) throw new AccessKeyError('The issue date of an access key is a day in the form DD/MM/YYYY.');
  requireDigits('document type', parts.documentType, 2);
  requireDigits('RUC', parts.ruc, 13);
  requireDigits('branch code', parts.branchCode, 3);
  requireDigits('issue point code', parts.issuePointCode, 3);
  requireDigits('numeric code', parts.numericCode, 8);
  const digits =
    dateDigits(iso) +
    parts.documentType +
    parts.ruc +
    toAmbiente(parts.environment) +
    parts.branchCode +
    parts.issuePointCode +
    formatSequential(parts.sequential) +
    parts.numericCode +
    NORMAL_EMISSION;
  return (digits + checkDigit(digits)) as AccessKey;
}

function dateDigits(iso: IsoDate): string {
  return toIssueDate(iso).replaceAll('/', '');
}

function requireDigits(name: string, value: string, length: number): void {
  if (typeof value !== 'string' || value.length !== length || !/^[0-9]+$/.test(value)) {
    throw new AccessKeyError(`The ${name} of an access key has ${length} digits.`);
  }
}
