/**
 * A name in the operator's mails: one line of at most 80 characters, without text that a mail program turns into a link
 * or an address. Accounts choose their names freely, and readers trust the operator's mails.
 *
 * @returns an empty text if nothing is left.
 */
export function safeName(name: string): string {
  const plain = name
    .slice(0, MAX_READ)
    .replace(UNSEEN, ' ')
    .replace(/=\?|\?=/g, ' ')
    .split(/\s+/u)
    .filter((word) => !/:\/\/|[@＠﹫]/u.test(word))
    .join(' ')
    // A dot before letters would make a host name; with a blank after it, it ends an abbreviation. Thai and Hindi write
    // vowels as marks.
    .replace(/(?<=[\p{L}\p{N}\p{M}])[.。．｡](?=\p{L}[\p{L}\p{M}])/gu, '. ');
  return [...plain].slice(0, MAX_SHOWN).join('').trim();
}

// --- internal ---

/** The longest stored name has 300 characters. */
const MAX_READ = 1200;
const MAX_SHOWN = 80;
/** Control characters, line ends, and characters that change the reading of the rest: directions, joiners, fillers. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]+/gu;
