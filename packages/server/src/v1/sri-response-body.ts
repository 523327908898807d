import { describeSriCode, type SriMessage, type SriResponse } from 'sri-core';
import { type Language, type Text, tell } from '../language.js';
import { flag, listOf, maybe, named, oneOf, orNull, type Shown, text, timestamp } from '../schemas.js';

const adviceSchema = named('SriAdvice', 'What is to be made of one message of the SRI, in plain words.', {
  identifier: text("The message's code, as the SRI sent it.", '45'),
  meaning: text('What happened.', 'El secuencial ya está registrado.'),
  action: text('What to do about it.', 'Reconstruya el comprobante con otro número.'),
  who: orNull(
    oneOf(['ISSUER', 'SOFTWARE', 'SRI', 'NOBODY'], 'Who has to act; null for a code that is not known here.'),
  ),
  resend: flag('Whether sending the same bytes again can cure it.', false),
  sameKey: orNull(
    flag('Whether the corrected document keeps its access key and number; null for a code that is not known here.'),
  ),
});

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

/** What is to be made of one message of the SRI. */
export type SriAdvice = Shown<typeof adviceSchema>;

/** A record of an attempt. The messages stay as the SRI sent them; `advice` has an entry for each, in their order. */
export function toSriResponseBody(
  { operationType, status, messages, createdAt }: SriResponse,
  language: Language,
): Shown<typeof sriResponseSchema> {
  return {
    operationType,
    status,
    messages:
      messages?.map(({ identifier, message, additionalInfo, type }) => ({
        identifier,
        message,
        additionalInfo,
        type,
      })) ?? null,
    ...(messages ? { advice: messages.map((message) => toAdvice(message, language)) } : {}),
    createdAt: createdAt.toISOString(),
  };
}

// --- internal ---

function toAdvice({ identifier, additionalInfo }: SriMessage, language: Language): SriAdvice {
  const known = describeSriCode(identifier, additionalInfo);
  if (!known) {
    const [meaning, action] = [tell(UNKNOWN.meaning, language), tell(UNKNOWN.action, language)];
    return { identifier, meaning, action, who: null, resend: false, sameKey: null };
  }
  return {
    identifier,
    meaning: known.meaning[language],
    action: known.advice[language],
    who: WHO[known.who],
    resend: known.retryable,
    sameKey: known.sameKey,
  };
}

const WHO = { issuer: 'ISSUER', software: 'SOFTWARE', sri: 'SRI', nobody: 'NOBODY' } as const;

const UNKNOWN = {
  meaning: {
    es: 'El SRI envió un código que no consta en su ficha técnica.',
    en: 'The SRI sent a code that its technical specification does not list.',
  },
  action: {
    es: 'Lea el mensaje del SRI; si señala un dato, corríjalo y reconstruya el comprobante.',
    en: 'Read the message of the SRI; if it points at some data, correct it and rebuild the document.',
  },
} as const satisfies Record<string, Text>;
