import type { Language, SriResponse } from 'sri-core';
import { listOf, maybe, named, oneOf, orNull, type Shown, text, timestamp } from '../platform/schema-words.js';
import { adviceSchema, toAdvice, toSriMessageBody } from './sri-advice.js';

/** A record of an attempt. */
export const sriResponseSchema = named('SriResponse', 'What the SRI answered to one attempt.', {
  operationType: oneOf(['RECEPTION', 'AUTHORIZATION'], 'What was asked of it.'),
  status: text("The SRI's own status, or HTTP_<code> when no usable answer came.", 'RECIBIDA'),
  messages: orNull(
    listOf(
      named('SriMessage', 'A message of the SRI, as it came.', {
        identifier: text('Its code.', '45'),
        message: text('Its text.', 'ERROR SECUENCIAL REGISTRADO'),
        additionalInfo: orNull(text('What it adds.', '')),
        type: text('ERROR, ADVERTENCIA or INFORMATIVO.', 'ERROR'),
      }),
      'The messages; null when no answer came.',
    ),
  ),
  advice: maybe(listOf(adviceSchema, 'An entry for each message, in their order.')),
  createdAt: timestamp('When it was answered.'),
});

/**
 * A record of an attempt. The messages are shown as the SRI sent them; `advice` has an entry for each, in the same
 * order.
 */
export function toSriResponseBody(
  { operationType, status, messages, createdAt }: SriResponse,
  language: Language,
): Shown<typeof sriResponseSchema> {
  return {
    operationType,
    status,
    messages: messages?.map(toSriMessageBody) ?? null,
    ...(messages ? { advice: messages.map((message) => toAdvice(message, language)) } : {}),
    createdAt: createdAt.toISOString(),
  };
}
