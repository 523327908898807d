import { WARNING_CODES } from 'sri-core';
import { listOf, maybe, named, text } from '../schema-words.js';

const warningSchema = named('Warning', 'Something that is allowed and may still be a mistake.', {
  code: text(`Name of the warning. Those of documents: ${WARNING_CODES.join(', ')}.`, 'PAYMENTS_MISMATCH'),
  field: text('Where.', 'payments'),
  message: text('For people, in the language of the answer.', 'Los pagos no suman el total.'),
});

/** Properties of a document that are allowed and may still be mistakes. */
export const warningList = listOf(warningSchema, 'What may be a mistake.');

/** The same, in an answer that has them only where there are some. */
export const warningsSchema = maybe(listOf(warningSchema, 'What may be a mistake; absent when there is nothing.'));
