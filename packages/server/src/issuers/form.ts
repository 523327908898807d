import { Refusal } from '../platform/errors/refusal.js';
import { formOrJsonBody } from '../platform/http/body-input.js';
import { type Field, type FieldValues, required } from '../platform/http/field.js';
import { certPassword, digits, documentLine, file, formFlag, idField, trimmed } from '../platform/http/fields.js';
import type { IssuerRequest } from './add-issuer.js';
import { documentTypesField, initialSequentialsField } from './first-numbers.js';
import type { Renewal } from './renew-certificate.js';

const NEW_ISSUER = {
  cert: file('A certificate of its own, a P12; else that of the source.'),
  certPassword,
  branchCode: digits(3, { about: 'Branch (establecimiento).', example: '001' }),
  issuePointCode: digits(3, { about: 'Issue point (punto de emisión).', example: '002' }),
  tradeName: documentLine({ max: 300, about: 'Trade name.', example: 'Ejemplo' }),
  branchAddress: documentLine({ max: 300, about: 'Address of the branch.', example: 'Av. Amazonas N21-147, Quito' }),
  documentTypes: documentTypesField,
  initialSequentials: initialSequentialsField,
  sourceIssuerId: trimmed(idField('The issuer whose certificate and data it takes over; default the oldest.')),
};

const RENEWAL = {
  cert: file('The new certificate, a P12.'),
  certPassword,
  applyToAll: formFlag('Whether every issuer of the account gets it.', false),
};

const image = file('The image: PNG, JPEG or GIF of at most 500 KB. In JSON null takes the logo away.');
const LOGO = {
  logo: {
    ...image,
    nulls: 'refused',
    parse: (sent, fail) => (sent === null ? 'removed' : image.parse(sent, fail)),
  } satisfies Field<Uint8Array | 'removed' | null>,
};

/** The body of `POST /v1/issuers`. */
export const newIssuerBody = formOrJsonBody(NEW_ISSUER);

/** The request of a body for a new issuer. */
export function toIssuerRequest({
  cert,
  certPassword: password,
  ...fields
}: FieldValues<typeof NEW_ISSUER>): IssuerRequest {
  return { ...fields, p12: cert ? { bytes: cert, password } : null };
}

/** The body of a certificate renewal. */
export const renewalBody = formOrJsonBody(RENEWAL, { described: { cert: required(RENEWAL.cert) } });

/** The renewal in a body. @throws Refusal INVALID_FILE_UPLOAD without a file */
export function toRenewal({ cert, certPassword: password, applyToAll }: FieldValues<typeof RENEWAL>): Renewal {
  if (!cert) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return { p12: { bytes: cert, password }, applyToAll };
}

/** The body of a change of logo. */
export const logoBody = formOrJsonBody(LOGO);

/** The image in a body; null removes the logo. @throws Refusal INVALID_FILE_UPLOAD without an image */
export function toLogo({ logo }: FieldValues<typeof LOGO>): Uint8Array | null {
  if (!logo) throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_REQUIRED' });
  return logo === 'removed' ? null : logo;
}
