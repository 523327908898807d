import { formBody } from '../platform/http/body-input.js';
import type { FieldValues } from '../platform/http/field.js';
import {
  digits,
  documentTypesField,
  file,
  formFlag,
  initialSequentialsField,
  textField,
  words,
} from '../platform/http/form-fields.js';
import type { FormReader } from '../platform/http/multipart.js';
import { LANGUAGES } from '../platform/language.js';
import { oneOf, text, textOfForm } from '../platform/schema-words.js';
import { emailField, p12Fields } from './fields.js';
import { judgeRedirectUrl, MAX_URL_LENGTH, type RedirectRules } from './redirect-url.js';
import type { RegistrationRequest } from './register.js';

const FIELDS = {
  ...p12Fields,
  logo: file('Logo for the printed form: PNG, JPEG or GIF of at most 500 KB.'),
  email: emailField,
  ruc: digits(13, { about: 'RUC, as the certificate names it.', example: '1790012345001' }),
  businessName: words({ max: 300, required: true, about: 'Registered name.', example: 'Comercial Ejemplo S.A.' }),
  tradeName: words({ max: 300, about: 'Trade name.', example: 'Ejemplo' }),
  mainAddress: words({ max: 300, about: 'Address of the head office.', example: 'Av. Amazonas N21-147, Quito' }),
  branchCode: digits(3, { about: 'Branch (establecimiento).', example: '001' }),
  issuePointCode: digits(3, { about: 'Issue point (punto de emisión).', example: '001' }),
  requiredAccounting: formFlag('Whether it has to keep accounts.'),
  specialTaxpayer: textField(
    textOfForm('^[A-Za-z0-9]{3,13}$', 'Number of the resolution of a special taxpayer.', '5368'),
    { read: readSpecialTaxpayer },
  ),
  branchAddress: words({ max: 300, about: 'Address of the branch.', example: 'Av. Amazonas N21-147, Quito' }),
  documentTypes: documentTypesField,
  initialSequentials: initialSequentialsField,
  language: textField(oneOf(LANGUAGES, 'What mails and messages are written in; default es.'), {
    read: (reader, name) => readChoice(reader, name, LANGUAGES, 'es'),
  }),
  verificationRedirectUrl: textField(
    text('Where the link of the verification mail leads instead.', 'https://app.example.com/verify'),
    { read: (reader, name) => reader.text(name)?.trim() || null },
  ),
  emissionType: textField(oneOf(['1'], 'Normal emission.'), {
    required: true,
    read: (reader, name) => readChoice(reader, name, ['1'], null),
  }),
};

/** The form of `POST /v1/register`. */
export const registrationBody = formBody(FIELDS, (exchange, { verificationRedirectUrl: url }, reader) => {
  if (url) judgeUrl(url, exchange.services.registration.redirects, reader);
});

/** The registration of a form. */
export function toRegistration({
  cert,
  certPassword,
  emissionType: _emissionType,
  ...fields
}: FieldValues<typeof FIELDS>): RegistrationRequest {
  return { ...fields, p12: cert, p12Password: certPassword };
}

// --- internal ---

function readSpecialTaxpayer(reader: FormReader, name: string): string | null {
  const sent = reader.text(name)?.trim();
  if (!sent) return null;
  if (!/^[A-Za-z0-9]{3,13}$/.test(sent)) reader.fail(name, 'pattern', { form: 'A1B2C (3–13)' });
  return sent;
}

function readChoice<const T extends string>(
  reader: FormReader,
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T> | null,
): T {
  const sent = reader.text(name)?.trim();
  const choice = sent ? allowed.find((entry) => entry === sent) : fallback;
  if (choice) return choice;
  if (sent) reader.fail(name, 'choice', { allowed: allowed.join(', ') });
  else reader.fail(name, 'required');
  return allowed[0] as T;
}

function judgeUrl(url: string, redirects: RedirectRules, reader: FormReader): void {
  const broken = judgeRedirectUrl(url, redirects);
  const schemes = redirects.production ? 'https' : 'http(s)';
  if (broken) reader.fail('verificationRedirectUrl', broken, { schemes, max: MAX_URL_LENGTH });
}
