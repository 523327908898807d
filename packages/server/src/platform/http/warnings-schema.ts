import { WARNING_CODES } from 'sri-core';
import { listOf, maybe, named, text } from '../schema-words.js';

/** A property of a document that is allowed and may still be a mistake. */
export const warningsSchema = maybe(
  listOf(
    named('Warning', 'Something that is allowed and may still be a mistake.', {
      code: text(`Name of the warning. Those of documents: ${WARNING_CODES.join(', ')}.`, 'PAYMENTS_MISMATCH'),
      field: text('Where.', 'payments'),
      message: text('For people, in the language of the answer.', 'Los pagos no suman el total.'),
    }),
    'What may be a mistake; absent when there is nothing.',
  ),
);
