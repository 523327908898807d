import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../platform/language.js';
import { writeRecoveryMail } from './recovery-mail.js';
import { writeVerificationMail } from './verification-mail.js';

describe('the mails with a link', () => {
  it.each(LANGUAGES)('the text of a mail stays readable in dark mode, and breaks in a long word: %s', (language) => {
    const link = 'https://example.com/?token=ab';
    const mails = [
      writeVerificationMail({ businessName: 'W'.repeat(40), link, token: 'ab', hours: 24 }, language),
      writeRecoveryMail({ at: new Date(0), address: '10.0.0.1', link, days: 7 }, language),
    ];
    for (const { html } of mails) {
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).toContain('overflow-wrap:anywhere');
      // A button has its own background.
      expect(html.replace(/background:#\w+;color:#fff/g, '')).not.toMatch(/[;"]color:/);
    }
  });
});
