import { type Language, type LocalizedText, translate } from 'sri-core';
import { type MailText, mailPage, safeName } from '../mail/index.js';
import { escapeHtml } from '../platform/escape-html.js';

/** The content of the verification mail. */
export interface VerificationMail {
  readonly businessName: string;
  /** The link with its token. */
  readonly link: string;
  /** The token alone, for manual confirmation. */
  readonly token: string;
  /** How long the link is valid, in whole hours, at least 1. */
  readonly hours: number;
}

/** Writes the mail that asks a new account to confirm its address. */
export function writeVerificationMail(mail: VerificationMail, language: Language): MailText {
  const business = safeName(mail.businessName);
  const greeting = business === '' ? BARE_GREETING : GREETING;
  const params = { business, hours: mail.hours };
  const say = (text: LocalizedText) => translate(text, language, params);
  const { link, token } = mail;
  return {
    subject: say(SUBJECT),
    // The token has its own line, which no mail encoding breaks.
    text: [say(greeting), '', say(REQUEST), '', link, '', say(CODE), token, '', say(VALIDITY), say(IGNORE), ''].join(
      '\n',
    ),
    html: mailPage(language, [
      `<p>${escapeHtml(say(greeting))}</p>`,
      `<p>${escapeHtml(say(REQUEST))}</p>`,
      `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:.6em 1.2em;background:#0b5f59;color:#fff;text-decoration:none;border-radius:4px">${escapeHtml(say(BUTTON))}</a></p>`,
      `<p>${escapeHtml(link)}</p>`,
      `<p>${escapeHtml(say(CODE))}<br><code>${escapeHtml(token)}</code></p>`,
      `<p>${escapeHtml(say(VALIDITY))} ${escapeHtml(say(IGNORE))}</p>`,
    ]),
  };
}

/**
 * The link of a verification mail: the application's own address with the token added, or the server's route.
 *
 * @param redirectUrl as accepted at registration; its query is kept.
 */
export function verificationLink(token: string, redirectUrl: string | null, baseUrl: string): string {
  const url = new URL(redirectUrl ?? `${baseUrl}/v1/verify-email`);
  url.searchParams.set('token', token);
  return url.href;
}

// --- internal ---

const SUBJECT: LocalizedText = { es: 'Confirme su correo', en: 'Confirm your e-mail' };
const GREETING: LocalizedText = { es: 'Hola, {business}:', en: 'Hello, {business},' };
const BARE_GREETING: LocalizedText = { es: 'Hola:', en: 'Hello,' };
const REQUEST: LocalizedText = {
  es: 'Para activar su cuenta de facturación electrónica, confirme que este correo es suyo:',
  en: 'To activate your electronic invoicing account, confirm that this address is yours:',
};
const BUTTON: LocalizedText = { es: 'Confirmar correo', en: 'Confirm e-mail' };
const CODE: LocalizedText = { es: 'Código de verificación:', en: 'Verification code:' };
const VALIDITY: LocalizedText = { es: 'El enlace vale {hours} h.', en: 'The link holds for {hours} h.' };
const IGNORE: LocalizedText = {
  es: 'Si usted no creó la cuenta, ignore este mensaje.',
  en: 'If you did not create the account, ignore this message.',
};
