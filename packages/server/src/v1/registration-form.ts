import { DOCUMENT_TYPES, type DocumentType, isDocumentType, LAST_SEQUENTIAL } from 'sri-core';
import type { Config } from '../config.js';
import { invalid } from '../errors.js';
import { type Form, FormReader } from '../http/multipart.js';
import { isJsonObject } from '../http/parse-body.js';
import { LANGUAGES } from '../language.js';
import { isEmailAddress } from '../tenancy/email-address.js';
import { judgeRedirectUrl, MAX_URL_LENGTH } from '../tenancy/redirect-url.js';
import type { RegistrationRequest } from '../tenancy/registration.js';
import { readDigits, readFlag, readWords } from './form-fields.js';

/**
 * Reads the form of `POST /v1/register`.
 *
 * @throws Refusal VALIDATION_FAILED with every field that is wrong.
 */
export function readRegistration(form: Form, config: Config): RegistrationRequest {
  const reader = new FormReader(form);
  const p12 = reader.file('cert')?.bytes;
  if (!p12 && !reader.failures.some(({ field }) => field === 'cert')) reader.fail('cert', 'required');
  const request: RegistrationRequest = {
    p12: p12 ?? new Uint8Array(),
    p12Password: readPassword(reader),
    logo: reader.file('logo')?.bytes ?? null,
    email: readEmail(reader),
    ruc: readDigits(reader, 'ruc', 13),
    businessName: readWords(reader, 'businessName', { max: 300, required: true }) ?? '',
    tradeName: readWords(reader, 'tradeName', { max: 300 }),
    mainAddress: readWords(reader, 'mainAddress', { max: 300 }),
    branchCode: readDigits(reader, 'branchCode', 3),
    issuePointCode: readDigits(reader, 'issuePointCode', 3),
    requiredAccounting: readFlag(reader, 'requiredAccounting'),
    specialTaxpayer: readSpecialTaxpayer(reader),
    branchAddress: readWords(reader, 'branchAddress', { max: 300 }),
    documentTypes: readDocumentTypes(reader),
    initialSequentials: readInitialSequentials(reader),
    language: readChoice(reader, 'language', LANGUAGES, 'es'),
    verificationRedirectUrl: readRedirectUrl(reader, config),
  };
  readChoice(reader, 'emissionType', ['1'], null);
  if (reader.failures.length > 0) throw invalid(reader.failures);
  return request;
}

// --- internal ---

const MAX_PASSWORD = 512;
const SUPPORTED_TYPES = DOCUMENT_TYPES.join(', ');

/** A password is taken as it is, blanks included. Left out, the container has none. */
function readPassword(reader: FormReader): string | null {
  const password = reader.text('certPassword');
  if (password !== null && password.length > MAX_PASSWORD)
    reader.fail('certPassword', 'maxLength', { max: MAX_PASSWORD });
  return password;
}

function readEmail(reader: FormReader): string {
  const email = reader.text('email')?.trim();
  if (!email) reader.fail('email', 'required');
  else if (!isEmailAddress(email)) reader.fail('email', 'email');
  return email ?? '';
}

function readSpecialTaxpayer(reader: FormReader): string | null {
  const text = reader.text('specialTaxpayer')?.trim();
  if (!text) return null;
  if (!/^[A-Za-z0-9]{3,13}$/.test(text)) reader.fail('specialTaxpayer', 'pattern', { form: 'A1B2C (3–13)' });
  return text;
}

function readChoice<const T extends string>(
  reader: FormReader,
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T> | null,
): T {
  const text = reader.text(name)?.trim();
  const choice = text ? allowed.find((entry) => entry === text) : fallback;
  if (choice) return choice;
  if (text) reader.fail(name, 'choice', { allowed: allowed.join(', ') });
  else reader.fail(name, 'required');
  return allowed[0] as T;
}

function readRedirectUrl(reader: FormReader, config: Config): string | null {
  const text = reader.text('verificationRedirectUrl')?.trim();
  if (!text) return null;
  const { production, verificationRedirectHosts: hosts } = config;
  const broken = judgeRedirectUrl(text, { production, hosts });
  const schemes = production ? 'https' : 'http(s)';
  if (broken) reader.fail('verificationRedirectUrl', broken, { schemes, max: MAX_URL_LENGTH });
  return text;
}

/** A JSON list, a comma list, or the field repeated. */
function readDocumentTypes(reader: FormReader): readonly DocumentType[] {
  const texts = reader.texts('documentTypes').filter((text) => text.trim() !== '');
  if (texts.length === 0) return ['01'];
  const [first = ''] = texts;
  const asJson = texts.length === 1 && first.trim().startsWith('[');
  const entries = asJson ? parseList(first) : texts.flatMap((text) => text.split(',').map((entry) => entry.trim()));
  if (entries === null) reader.fail('documentTypes', 'jsonArray');
  else if (entries.length === 0) reader.fail('documentTypes', 'minItems', { min: 1 });
  const types = new Set<DocumentType>();
  for (const [index, entry] of (entries ?? []).entries()) {
    if (typeof entry === 'string' && isDocumentType(entry)) types.add(entry);
    else reader.fail(`documentTypes[${index}]`, 'documentType', { allowed: SUPPORTED_TYPES });
  }
  return [...types].toSorted();
}

/** A JSON list of `{documentType, sequential}`. */
function readInitialSequentials(reader: FormReader): RegistrationRequest['initialSequentials'] {
  const text = reader.text('initialSequentials');
  if (text === null || text.trim() === '') return [];
  const entries = parseList(text);
  if (entries === null) reader.fail('initialSequentials', 'jsonArray');
  const numbers = new Map<DocumentType, number>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const field = `initialSequentials[${index}]`;
    const { documentType, sequential } = isJsonObject(entry) ? entry : {};
    const known = typeof documentType === 'string' && isDocumentType(documentType) ? documentType : null;
    if (!known) reader.fail(`${field}.documentType`, 'documentType', { allowed: SUPPORTED_TYPES });
    else if (numbers.has(known)) reader.fail(`${field}.documentType`, 'single');
    const inRange = typeof sequential === 'number' && Number.isInteger(sequential) && sequential >= 1;
    if (!inRange || sequential > LAST_SEQUENTIAL) {
      reader.fail(`${field}.sequential`, 'integer', { min: 1, max: LAST_SEQUENTIAL });
    } else if (known) numbers.set(known, sequential);
  }
  return [...numbers].map(([documentType, sequential]) => ({ documentType, sequential }));
}

function parseList(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
