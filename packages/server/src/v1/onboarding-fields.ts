import type { FormReader } from '../http/multipart.js';
import { isEmailAddress } from '../tenancy/email-address.js';
import type { UploadedP12 } from '../tenancy/signing-means.js';
import { readPassword } from './form-fields.js';

/** The address of an account. */
export function readEmail(reader: FormReader): string {
  const email = reader.text('email')?.trim();
  if (!email) reader.fail('email', 'required');
  else if (!isEmailAddress(email)) reader.fail('email', 'email');
  return email ?? '';
}

/** The certificate, which has to be a file, and its password. */
export function readP12(reader: FormReader): UploadedP12 {
  const bytes = reader.file('cert')?.bytes;
  if (!bytes && !reader.failures.some(({ field }) => field === 'cert')) reader.fail('cert', 'required');
  return { bytes: bytes ?? new Uint8Array(), password: readPassword(reader) };
}
