import { toEmailAddress } from '../platform/email-address.js';
import { required, textAs } from '../platform/http/field.js';
import { certPassword, file, trimmed } from '../platform/http/fields.js';
import { text } from '../platform/schema-words.js';

/** The address of an account. */
export const emailField = required(
  trimmed(
    textAs(text('Address of the account.', 'facturas@example.com', { maxLength: 254 }), toEmailAddress, ['email']),
  ),
);

/** The certificate, which must be a file, and its password. */
export const p12Fields = { cert: required(file('The signing certificate with its key, a P12.')), certPassword };
