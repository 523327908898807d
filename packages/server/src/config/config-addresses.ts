import { parseServerAddress, ServerAddressError } from 'sri-storage-adapters';
import { ConfigComplaint, type Parse } from '../platform/config-values.js';

/** A path. In `.env` no shell puts a folder in the place of `~` or `$HOME`: one of that name would be made here. */
export const parsePath: Parse<string> = (text) =>
  /^[~$]/.test(text)
    ? new ConfigComplaint({
        es: 'escriba la ruta completa, como /srv/facturas: aquí nada reemplaza ~ ni $HOME.',
        en: 'give the whole path, such as /srv/invoices: nothing replaces ~ or $HOME here.',
      })
    : text;

/** `file:<path>` or the address of a PostgreSQL server. */
export const parseDatabaseUrl: Parse<string> = (text) => {
  const path = /^file:(.+)/.exec(text)?.[1];
  if (path !== undefined) {
    const parsed = parsePath(path);
    return parsed instanceof ConfigComplaint ? parsed : text;
  }
  if (!/^postgres(ql)?:\/\//.test(text))
    return new ConfigComplaint({
      es: 'escriba file:<ruta> o postgres://usuario:clave@servidor/base.',
      en: 'give file:<path> or postgres://user:password@host/database.',
    });
  try {
    parseServerAddress(text);
    return text;
  } catch (error) {
    if (error instanceof ServerAddressError) return new ConfigComplaint(error.rule);
    throw error;
  }
};

/** The address of an HTTP proxy. */
export const parseProxy: Parse<string> = (text) => {
  try {
    const { protocol, pathname, search, hash, username, password } = new URL(text);
    for (const part of [username, password]) decodeURIComponent(part);
    if (protocol === 'http:' && pathname === '/' && search === '' && hash === '') return text;
  } catch {
    // Neither an address nor a percent-encoded password.
  }
  return new ConfigComplaint({
    es: 'escriba una dirección como http://proxy.example.com:3128. En el usuario o la clave escriba % como %25.',
    en: 'give an address such as http://proxy.example.com:3128. In a user or password, write % as %25.',
  });
};

/** The address of a mail server. */
export const parseSmtpUrl: Parse<string> = (text) => {
  const example = {
    es: 'escriba una dirección como smtp://usuario:clave@mail.example.com:587.',
    en: 'give an address such as smtp://user:password@mail.example.com:587.',
  };
  if (!/^smtps?:\/\/\S+$/.test(text)) return new ConfigComplaint(example);
  // The library that opens the address parses it too, and its error does not name the variable. The cause is nearly
  // always a character of the password.
  const encoded = {
    es: `${example.es} En el usuario o la clave escriba % # / ? : @ como %25 %23 %2F %3F %3A %40.`,
    en: `${example.en} In a user or password, write % # / ? : @ as %25 %23 %2F %3F %3A %40.`,
  };
  if (!URL.canParse(text)) return new ConfigComplaint(encoded);
  const { username, password, hostname, pathname, hash } = new URL(text);
  if (hash !== '') return new ConfigComplaint(encoded);
  if (hostname === '') return new ConfigComplaint(example);
  try {
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return text;
  } catch {
    return new ConfigComplaint(encoded);
  }
};

/** The sender of mails: an address, or `Name <address>`. */
export const parseMailFrom: Parse<{ readonly name: string; readonly address: string }> = (text) => {
  const [, name = '', inBrackets, alone = ''] = /^(?:"?([^"<>\r\n]*?)"?\s*<([^<>]*)>|([^<>]*))$/.exec(text) ?? [];
  const address = inBrackets ?? alone;
  if (/^[^\s@,;:"()[\]\\]+@[^\s@,;:"()[\]\\]+$/.test(address)) return { name, address };
  return new ConfigComplaint({
    es: 'escriba una dirección, o Nombre <dirección>.',
    en: 'give an address, or Name <address>.',
  });
};
