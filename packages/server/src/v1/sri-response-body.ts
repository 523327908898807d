import { describeSriCode, type SriMessage, type SriResponse } from 'sri-core';
import { type Language, type Text, tell } from '../language.js';

/** What is to be made of one message of the SRI, in plain words. */
export interface SriAdvice {
  /** The message's code, as the SRI sent it. */
  readonly identifier: string;
  /** What happened. */
  readonly meaning: string;
  /** What to do about it. */
  readonly action: string;
  /** Who has to act; null for a code that is not known here. */
  readonly who: 'ISSUER' | 'SOFTWARE' | 'SRI' | 'NOBODY' | null;
  /** Whether sending the same bytes again can cure it. */
  readonly resend: boolean;
  /** Whether the corrected document keeps its access key and number; null for a code that is not known here. */
  readonly sameKey: boolean | null;
}

/** A record of an attempt. The messages stay as the SRI sent them; `advice` has an entry for each, in their order. */
export function toSriResponseBody({ operationType, status, messages, createdAt }: SriResponse, language: Language) {
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

function toAdvice({ identifier }: SriMessage, language: Language): SriAdvice {
  const known = describeSriCode(identifier);
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
