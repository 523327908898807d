import { isEmailAddress } from '../platform/email-address.js';
import { optional, required } from '../platform/http/field.js';
import { certPassword, file, trimmed } from '../platform/http/fields.js';
import { text } from '../platform/schema-words.js';

/** The address of an account. */
export const emailField = required(
  trimmed(
    optional(text('Address of the account.', 'facturas@example.com', { maxLength: 254 }), (sent, fail) => {
      if (!isEmailAddress(String(sent))) fail('email');
      return String(sent);
    }),
  ),
);

/** The certificate, which must be a file, and its password. */
export const p12Fields = { cert: required(file('The signing certificate with its key, a P12.')), certPassword };
