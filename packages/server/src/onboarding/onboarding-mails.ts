import type { MailWriters, OutboxMail } from '../mail/index.js';
import { mailTokenLabel } from '../platform/secrets/secret-label.js';
import type { Vault } from '../platform/secrets/vault.js';
import { recoveryUndoLink, writeRecoveryMail } from './recovery-mail.js';
import { verificationLink, writeVerificationMail } from './verification-mail.js';

/** The writers of mails that carry a link with a token. @param baseUrl the server's own address, for links. */
export function onboardingMails({
  vault,
  baseUrl,
}: {
  readonly vault: Vault;
  readonly baseUrl: string;
}): Pick<MailWriters, 'VERIFICATION' | 'RECOVERY'> {
  const tokenOf = (mail: OutboxMail): string => {
    if (!mail.token) throw new Error('The mail has no token any more.');
    return vault.open(mail.token, mailTokenLabel(mail)).toString('utf8');
  };
  return {
    VERIFICATION(mail) {
      const token = tokenOf(mail);
      const { businessName, hours, redirectUrl } = mail.data;
      const link = verificationLink(token, redirectUrl ?? null, baseUrl);
      const content = { businessName: businessName ?? '', link, token, hours: Number(hours ?? '24') };
      return writeVerificationMail(content, mail.language);
    },
    RECOVERY(mail) {
      const { at, address, days } = mail.data;
      const link = recoveryUndoLink(tokenOf(mail), baseUrl);
      const content = { at: new Date(at ?? ''), address: address ?? '', link, days: Number(days ?? '') };
      return writeRecoveryMail(content, mail.language);
    },
  };
}
