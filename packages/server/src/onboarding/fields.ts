import { isEmailAddress } from '../platform/email-address.js';
import type { FormField } from '../platform/http/body-input.js';
import { certPassword, fileSchema, textField } from '../platform/http/form-fields.js';
import type { FormReader } from '../platform/http/multipart.js';
import { text } from '../platform/schema-words.js';

/** The address of an account. */
export const emailField: FormField<string> = textField(
  text('Address of the account.', 'facturas@example.com', { maxLength: 254 }),
  {
    required: true,
    read(reader, name) {
      const email = reader.text(name)?.trim();
      if (!email) reader.fail(name, 'required');
      else if (!isEmailAddress(email)) reader.fail(name, 'email');
      return email ?? '';
    },
  },
);

/** The certificate, which must be a file, and its password. */
export const p12Fields = {
  cert: {
    schema: fileSchema('The signing certificate with its key, a P12.'),
    jsonSchema: fileSchema('The signing certificate with its key, a P12.'),
    required: true,
    kind: 'file',
    read: (reader: FormReader, name: string): Uint8Array => {
      const bytes = reader.file(name)?.bytes;
      if (!bytes && !reader.failures.some(({ field }) => field === name)) reader.fail(name, 'required');
      return bytes ?? new Uint8Array();
    },
  },
  certPassword,
} as const;
