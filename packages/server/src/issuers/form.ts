import { invalid, Refusal } from '../platform/errors/refusal.js';
import { type BodyInput, type FormField, formOrJsonBody, LARGE_BODY } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import type { FieldValues } from '../platform/http/field.js';
import { readFields } from '../platform/http/fields.js';
import {
  certPassword,
  digits,
  documentTypesField,
  file,
  formFlag,
  initialSequentialsField,
  textField,
  words,
} from '../platform/http/form-fields.js';
import { toUuid } from '../platform/http/uuid.js';
import { uuid } from '../platform/schema-words.js';
import type { IssuerRequest } from './add-issuer.js';
import type { Renewal } from './renew-certificate.js';

const NEW_ISSUER = {
  cert: file('A certificate of its own, a P12; else that of the source.'),
  certPassword,
  branchCode: digits(3, { about: 'Branch (establecimiento).', example: '001' }),
  issuePointCode: digits(3, { about: 'Issue point (punto de emisión).', example: '002' }),
  tradeName: words({ max: 300, about: 'Trade name.', example: 'Ejemplo' }),
  branchAddress: words({ max: 300, about: 'Address of the branch.', example: 'Av. Amazonas N21-147, Quito' }),
  documentTypes: documentTypesField,
  initialSequentials: initialSequentialsField,
  sourceIssuerId: textField(uuid('The issuer whose certificate and data it takes over; default the oldest.'), {
    read(reader, name) {
      const text = reader.text(name)?.trim();
      if (!text) return null;
      const id = toUuid(text);
      if (!id) reader.fail(name, 'uuid');
      return id;
    },
  }),
} satisfies Readonly<Record<string, FormField<unknown>>>;

const RENEWAL = {
  cert: file('The new certificate, a P12.', { required: true }),
  certPassword,
  applyToAll: formFlag('Whether every issuer of the account gets it.', false),
} satisfies Readonly<Record<string, FormField<unknown>>>;

const LOGO = { logo: file('The image: PNG, JPEG or GIF of at most 500 KB. In JSON null takes the logo away.') };

/** The body of `POST /v1/issuers`. */
export const newIssuerBody = formOrJsonBody(NEW_ISSUER);

/** The request of such a body. */
export function toIssuerRequest({
  cert,
  certPassword: password,
  ...fields
}: FieldValues<typeof NEW_ISSUER>): IssuerRequest {
  return { ...fields, p12: cert ? { bytes: cert, password } : null };
}

/** The body of a certificate renewal. */
export const renewalBody = formOrJsonBody(RENEWAL);

/** The renewal of such a body. @throws Refusal INVALID_FILE_UPLOAD without a file */
export function toRenewal({ cert, certPassword: password, applyToAll }: FieldValues<typeof RENEWAL>): Renewal {
  if (!cert) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return { p12: { bytes: cert, password }, applyToAll };
}

/** The body of a change of logo: the image as sent, or null to remove it. */
export const logoBody: BodyInput<Uint8Array | null> = { ...formOrJsonBody(LOGO), read: readLogoChange };

// --- internal ---

/** @throws Refusal VALIDATION_FAILED; INVALID_FILE_UPLOAD without an image. */
async function readLogoChange(exchange: Exchange): Promise<Uint8Array | null> {
  const { reader, nulls } = await readFields(exchange, { logo: 'file' }, LARGE_BODY);
  if (nulls.has('logo')) return null;
  const bytes = LOGO.logo.read(reader, 'logo');
  if (reader.failures.length > 0) throw invalid(reader.failures);
  if (!bytes) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return bytes;
}
