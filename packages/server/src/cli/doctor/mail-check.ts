import type { Config } from '../../config/config.js';
import { oneLine } from '../../platform/one-line.js';
import { type DoctorFinding, fail, fine } from './finding.js';

/** Whether the mail server accepts our name and password. Sends nothing. */
export async function findInMail({ smtpUrl }: Config): Promise<DoctorFinding | null> {
  if (smtpUrl === null) return null;
  const { createTransport } = await import('nodemailer');
  const { host } = new URL(smtpUrl);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.verify();
    return fine('mail', { es: `El servidor de correo ${host} responde.`, en: `The mail server ${host} answers.` });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const reason = error instanceof Error ? `${code}: ${oneLine(error.message).slice(0, 300)}` : code;
    const message = {
      es: `El servidor de correo ${host} no admite la conexión (${reason}).`,
      en: `The mail server ${host} does not take the connection (${reason}).`,
    };
    const fix =
      code === 'EAUTH'
        ? {
            es: 'Revise usuario y contraseña en SMTP_URL; los signos especiales van codificados (@ es %40).',
            en: 'Check user and password in SMTP_URL; special signs are encoded (@ is %40).',
          }
        : {
            es: 'Revise SMTP_URL: smtps:// es el puerto 465, smtp:// el 587 o 25.',
            en: 'Check SMTP_URL: smtps:// is port 465, smtp:// is 587 or 25.',
          };
    return fail('mail', { ...message, fix });
  } finally {
    transport.close();
  }
}
