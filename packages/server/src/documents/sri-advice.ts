import { describeSriCode, type Language, type LocalizedText, type SriMessage, translate } from 'sri-core';
import { flag, named, oneOf, orNull, type Shown, text } from '../platform/schema-words.js';

/** Advice on one message of the SRI. */
export const adviceSchema = named('SriAdvice', 'What is to be made of one message of the SRI, in plain words.', {
  identifier: text("The message's code, as the SRI sent it.", '45'),
  meaning: text('What happened.', 'El secuencial ya está registrado.'),
  action: text('What to do about it.', 'Corrija el comprobante con otro número.'),
  who: orNull(
    oneOf(['ISSUER', 'SOFTWARE', 'SRI', 'NOBODY'], 'Who has to act; null for a code that is not known here.'),
  ),
  resend: flag('Whether sending the same bytes again can cure it.', false),
  sameKey: orNull(
    flag('Whether the corrected document keeps its access key and number; null for a code that is not known here.'),
  ),
});

/** Advice on one message of the SRI. */
export type SriAdvice = Shown<typeof adviceSchema>;

/** A message of the SRI as received. */
export function toSriMessageBody({ identifier, message, additionalInfo, type }: SriMessage) {
  return { identifier, message, additionalInfo, type };
}

/** Advice on a message of the SRI in the account's language. */
export function toAdvice({ identifier, additionalInfo }: SriMessage, language: Language): SriAdvice {
  const known = describeSriCode(identifier, additionalInfo);
  if (!known) {
    const [meaning, action] = [translate(UNKNOWN.meaning, language), translate(UNKNOWN.action, language)];
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

// --- internal ---

const WHO = { issuer: 'ISSUER', software: 'SOFTWARE', sri: 'SRI', nobody: 'NOBODY' } as const;

const UNKNOWN = {
  meaning: {
    es: 'El SRI envió un código que no consta en su ficha técnica.',
    en: 'The SRI sent a code that its technical specification does not list.',
  },
  action: {
    es: 'Lea el mensaje del SRI; si señala un dato, corríjalo en el comprobante.',
    en: 'Read the message of the SRI; if it points at some data, correct it and rebuild the document.',
  },
} as const satisfies Record<string, LocalizedText>;
