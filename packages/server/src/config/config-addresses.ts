import { ConfigComplaint, type Parse } from '../platform/config-values.js';

/** `file:<path>` or the address of a PostgreSQL server. */
export const parseDatabaseUrl: Parse<string> = (text) => {
  if (/^file:.+/.test(text)) return text;
  const example = 'give file:<path> or postgres://user:password@host/database.';
  return /^postgres(ql)?:\/\//.test(text) ? readServer(text, example) : new ConfigComplaint(example);
};

/** The address of a mail server. */
export const parseSmtpUrl: Parse<string> = (text) => {
  const example = 'give an address such as smtp://user:password@mail.example.com:587.';
  if (!/^smtps?:\/\/\S+$/.test(text)) return new ConfigComplaint(example);
  const read = readServer(text, example);
  if (read instanceof ConfigComplaint) return read;
  return new URL(text).hostname === '' ? new ConfigComplaint(example) : text;
};

// --- internal ---

/**
 * The library that opens the address parses it too, and its error does not name the variable. The cause is nearly
 * always a character of the password.
 */
function readServer(text: string, example: string): string | ConfigComplaint {
  const encoded = `${example} In a user or password, write % # / ? : @ as %25 %23 %2F %3F %3A %40.`;
  if (!URL.canParse(text)) return new ConfigComplaint(encoded);
  const { username, password, hostname, pathname, hash } = new URL(text);
  if (hash !== '') return new ConfigComplaint(encoded);
  try {
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return text;
  } catch {
    return new ConfigComplaint(encoded);
  }
}
