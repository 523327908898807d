import {
  documentTypesField,
  initialSequentialsField,
  rimpeField,
  specialTaxpayerField,
  withholdingAgentField,
} from '../issuers/index.js';
import { formBody } from '../platform/http/body-input.js';
import { type FieldValues, required } from '../platform/http/field.js';
import { choice, digits, documentLine, file, formFlag, plainText, trimmed } from '../platform/http/fields.js';
import { LANGUAGES } from '../platform/language.js';
import { text } from '../platform/schema-words.js';
import { emailField, p12Fields } from './fields.js';
import { checkRedirectUrl } from './redirect-url.js';

const FIELDS = {
  ...p12Fields,
  logo: file('Logo for the printed form: PNG, JPEG or GIF of at most 500 KB.'),
  email: emailField,
  ruc: digits(13, { about: 'RUC, as the certificate names it.', example: '1790012345001' }),
  businessName: required(documentLine({ max: 300, about: 'Registered name.', example: 'Comercial Ejemplo S.A.' })),
  tradeName: documentLine({ max: 300, about: 'Trade name.', example: 'Ejemplo' }),
  mainAddress: documentLine({ max: 300, about: 'Address of the head office.', example: 'Av. Amazonas N21-147, Quito' }),
  branchCode: digits(3, { about: 'Branch (establecimiento).', example: '001' }),
  issuePointCode: digits(3, { about: 'Issue point (punto de emisión).', example: '001' }),
  requiredAccounting: formFlag('Whether it has to keep accounts.'),
  specialTaxpayer: specialTaxpayerField,
  withholdingAgent: withholdingAgentField,
  rimpe: trimmed(rimpeField),
  branchAddress: documentLine({ max: 300, about: 'Address of the branch.', example: 'Av. Amazonas N21-147, Quito' }),
  documentTypes: documentTypesField,
  initialSequentials: initialSequentialsField,
  language: trimmed(choice(LANGUAGES, 'What mails and messages are written in; default es.')),
  verificationRedirectUrl: trimmed(
    plainText(text('Where the link of the verification mail leads instead.', 'https://app.example.com/verify')),
  ),
  emissionType: required(trimmed(choice(['1'], 'Normal emission.'))),
};

/** The form of `POST /v1/register`. */
export const registrationBody = formBody(FIELDS, {
  check({ verificationRedirectUrl: url }, input, { services }) {
    if (url !== null) checkRedirectUrl(url, services.registration.redirects, input);
  },
});

/** A registration. Every field has been validated; the files have not been opened yet. */
export type Registration = Omit<FieldValues<typeof FIELDS>, 'emissionType'>;
