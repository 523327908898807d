/** A password in the two forms that containers use. */
export interface PasswordForms {
  /** UTF-16, big-endian, with its final zero: for PKCS#12's own key derivation. */
  readonly wide: Buffer;
  /** For PBKDF2. */
  readonly octets: Buffer;
}

/**
 * The forms in which programs encode a password into a container, most likely first. An ASCII password has one form. An
 * absent password is an empty text in some programs and no octets in others. Accents depend on the program (a Latin-1
 * terminal under PBKDF2, OpenSSL up to 1.0 widening each octet of UTF-8) and on the keyboard's composition.
 *
 * @param password null and the empty text both mean an absent password.
 */
export function toPasswordForms(password: string | null): PasswordForms[] {
  const text = password ?? '';
  const octets = Buffer.from(text, 'utf8');
  const forms: PasswordForms[] = [{ wide: widen(text), octets }];
  if (text === '') return [...forms, { wide: Buffer.alloc(0), octets }];
  if (/^[\0-\x7f]*$/.test(text)) return forms;
  const composed = text.normalize('NFC');
  const other = composed === text ? text.normalize('NFD') : composed;
  if (other !== text) forms.push({ wide: widen(other), octets: Buffer.from(other, 'utf8') });
  if (/^[\0-\xff]*$/.test(text)) forms.push({ wide: widen(text), octets: Buffer.from(text, 'latin1') });
  return [...forms, { wide: widen(octets.toString('latin1')), octets }];
}

// --- internal ---

function widen(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16();
}
