import type { Config } from '../config.js';
import { invalid } from '../errors.js';
import { type Form, FormReader } from '../http/multipart.js';
import { LANGUAGES } from '../language.js';
import { judgeRedirectUrl, MAX_URL_LENGTH } from '../tenancy/redirect-url.js';
import type { RegistrationRequest } from '../tenancy/registration.js';
import { readDigits, readDocumentTypes, readFlag, readInitialSequentials, readWords } from './form-fields.js';
import { readEmail, readP12 } from './onboarding-fields.js';

/**
 * Reads the form of `POST /v1/register`.
 *
 * @throws Refusal VALIDATION_FAILED with every field that is wrong.
 */
export function readRegistration(form: Form, config: Config): RegistrationRequest {
  const reader = new FormReader(form);
  const { bytes: p12, password: p12Password } = readP12(reader);
  const request: RegistrationRequest = {
    p12,
    p12Password,
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
