import { textOfForm } from '../schema-words.js';
import type { QueryField } from './query-fields.js';

/** The token of a mail's link. */
export const tokenSchema = textOfForm('^[0-9A-Fa-f]{64}$', 'The token of the mail.', '5a'.repeat(32));

/** The token in the query of a link. */
export const tokenParameter: QueryField<string> = {
  schema: tokenSchema,
  required: true,
  read(query, name) {
    const token = query.text(name);
    if (token === null) {
      if (query.failures.length === 0) query.fail(name, 'required');
    } else if (!isToken(token)) query.fail(name, 'hexToken');
    return token ?? '';
  },
};

/** Whether the text has the form of a token. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
}
