import { textOfForm } from '../schema-words.js';
import { type Field, optional, required } from './field.js';

/** The token of a mail's link. */
const tokenSchema = textOfForm('^[0-9A-Fa-f]{64}$', 'The token of the mail.', '5a'.repeat(32));

/** The token of a link, in a query or a body. */
export const tokenField: Field<string> = required(
  optional(
    tokenSchema,
    (sent, fail) => {
      if (isToken(sent)) return sent;
      fail('hexToken');
      return null;
    },
    { nulls: 'refused' },
  ),
);

// --- internal ---

/** Whether the text has the form of a token. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
}
