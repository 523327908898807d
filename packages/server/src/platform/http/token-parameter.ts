import { textOfForm } from '../schema-words.js';
import { type Field, required, textAs } from './field.js';

/** The token of a link, in a query or a body. */
export const tokenField: Field<string> = required(
  textAs(
    textOfForm('^[0-9A-Fa-f]{64}$', 'The token of the mail.', '5a'.repeat(32)),
    (sent) => (/^[0-9a-f]{64}$/i.test(sent) ? sent : null),
    ['hexToken'],
    { nulls: 'refused' },
  ),
);
