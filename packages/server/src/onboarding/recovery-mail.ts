import { type Language, type LocalizedText, translate } from 'sri-core';
import { type MailText, mailPage } from '../mail/index.js';
import { escapeHtml } from '../platform/escape-html.js';
import { formatMoment } from '../platform/formats.js';

/** The content of the mail about a recovery. */
export interface RecoveryMail {
  /** The time of the request. */
  readonly at: Date;
  /** The client's address, in the form of the rate limits. */
  readonly address: string;
  /** The link that undoes it. */
  readonly link: string;
  /** How long the link is valid, in days. */
  readonly days: number;
}

/** Writes the mail that reports a recovery to the account, and how to undo it. */
export function writeRecoveryMail({ at, address, link, days }: RecoveryMail, language: Language): MailText {
  const params = { at: formatMoment(at.toISOString(), language), address, days };
  const say = (text: LocalizedText) => translate(text, language, params);
  return {
    subject: say(SUBJECT),
    text: [say(WHAT), '', say(OWN), '', say(OTHER), '', link, '', say(AFTER), ''].join('\n'),
    html: mailPage(language, [
      `<p>${escapeHtml(say(WHAT))}</p>`,
      `<p>${escapeHtml(say(OWN))}</p>`,
      `<p><strong>${escapeHtml(say(OTHER))}</strong></p>`,
      `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:.6em 1.2em;background:#b30;color:#fff;text-decoration:none;border-radius:4px">${escapeHtml(say(BUTTON))}</a></p>`,
      `<p>${escapeHtml(link)}</p>`,
      `<p>${escapeHtml(say(AFTER))}</p>`,
    ]),
  };
}

/** The link that undoes a recovery: a page of the server that asks for confirmation. */
export function recoveryUndoLink(token: string, baseUrl: string): string {
  return `${baseUrl}/v1/recover/undo?token=${token}`;
}

// --- internal ---

const SUBJECT: LocalizedText = { es: 'Se pidió recuperar su cuenta', en: 'Your account is being recovered' };
const WHAT: LocalizedText = {
  es: 'El {at} (hora de Ecuador), desde la dirección {address}, se pidió recuperar su cuenta de facturación electrónica con el certificado de firma. Las claves que había dejaron de funcionar y se entregó una nueva, que no cambia nada en producción hasta que se confirme este correo.',
  en: 'On {at} (time of Ecuador), from the address {address}, your electronic invoicing account was recovered with its signing certificate. The keys from before stopped working and a new one was given, which changes nothing in production until this address is confirmed.',
};
const OWN: LocalizedText = {
  es: 'Si fue usted, confirme su correo con el otro mensaje que le enviamos.',
  en: 'If it was you, confirm your address with the other mail we sent you.',
};
const OTHER: LocalizedText = {
  es: 'Si no fue usted, no abra el enlace del otro mensaje. Anule la recuperación aquí:',
  en: 'If it was not you, do not open the link of the other mail. Undo the recovery here:',
};
const BUTTON: LocalizedText = { es: 'Anular la recuperación', en: 'Undo the recovery' };
const AFTER: LocalizedText = {
  es: 'Las claves de antes vuelven a funcionar y la nueva deja de hacerlo. El enlace vale {days} días. Luego renueve su certificado: otra persona tiene el archivo y su contraseña.',
  en: 'The keys from before work again and the new one stops. The link holds for {days} days. Then renew your certificate: another person has the file and its password.',
};
