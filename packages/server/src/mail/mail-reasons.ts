import type { Language, LocalizedText } from 'sri-core';

/** Why a mail waits or failed, in our own words. The English text is stored; documents show it in the reader's language. */
export const MAIL_REASONS = {
  UNVERIFIED: {
    en: "The mail waits until the account's e-mail is verified.",
    es: 'El correo espera hasta que se verifique el correo de la cuenta.',
  },
  OVER_LIMIT: {
    en: 'The mail waits: the account has sent as many mails today as it may. It goes out once that is over.',
    es: 'El correo espera: la cuenta ya envió hoy todos los correos que puede. Sale cuando eso termine.',
  },
  LOGIN_REFUSED: {
    en: 'The mail server refused our login.',
    es: 'El servidor de correo rechazó nuestras credenciales.',
  },
  UNREACHABLE: { en: 'The mail server did not answer.', es: 'El servidor de correo no respondió.' },
  NOT_SENT: { en: 'The mail could not be sent.', es: 'No se pudo enviar el correo.' },
  BOUNCED: {
    en: 'The mail came back: the recipient does not take it.',
    es: 'El correo volvió: el destinatario no lo recibe.',
  },
  DEFERRED: {
    en: "The recipient's mail server makes the mail wait.",
    es: 'El servidor de correo del destinatario hace esperar el correo.',
  },
} as const satisfies Readonly<Record<string, LocalizedText>>;

/** A stored reason in a language. The words of a mail server stay as they are. */
export function mailReasonIn(language: Language, stored: string): string {
  return BY_STORED_TEXT.get(stored)?.[language] ?? stored;
}

// --- internal ---

const BY_STORED_TEXT: ReadonlyMap<string, LocalizedText> = new Map(
  Object.values(MAIL_REASONS).map((text) => [text.en, text]),
);
