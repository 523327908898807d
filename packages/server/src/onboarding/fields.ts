import { toEmailAddress } from '../platform/email-address.js';
import { type Field, required, textAs } from '../platform/http/field.js';
import { certPassword, file, trimmed } from '../platform/http/fields.js';
import { text, textOfForm } from '../platform/schema-words.js';

/** The address of an account. */
export const emailField = required(
  trimmed(
    textAs(text('Address of the account.', 'facturas@example.com', { maxLength: 254 }), toEmailAddress, ['email']),
  ),
);

/** The certificate, which must be a file, and its password. */
export const p12Fields = { cert: required(file('The signing certificate with its key, a P12.')), certPassword };

/** The token of a link, in a query or a body. */
export const tokenField: Field<string> = required(
  textAs(
    textOfForm('^[0-9A-Fa-f]{64}$', 'The token of the mail.', '5a'.repeat(32)),
    (sent) => (/^[0-9a-f]{64}$/i.test(sent) ? sent : null),
    ['hexToken'],
    { nulls: 'refused' },
  ),
);
