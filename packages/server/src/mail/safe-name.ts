/**
 * A name as mails of the operator show it: one line of at most 80 characters, with nothing that a reader's program makes
 * a link or an address of. What an account calls itself may be anything, and its mail is opened as the operator's.
 *
 * @returns an empty text when nothing else is left.
 */
export function safeName(name: string): string {
  const plain = name
    .slice(0, MAX_READ)
    .replace(UNSEEN, ' ')
    .replace(/=\?|\?=/g, ' ')
    .split(/\s+/u)
    .filter((word) => !/:\/\/|[@＠﹫]/u.test(word))
    .join(' ')
    // A dot before letters makes a host of a word; with a blank after it, it ends an abbreviation.
    .replace(/(?<=[\p{L}\p{N}])[.。．｡](?=\p{L}{2})/gu, '. ');
  return [...plain].slice(0, MAX_SHOWN).join('').trim();
}

// --- internal ---

/** The longest name that is stored has 300 characters. */
const MAX_READ = 1200;
const MAX_SHOWN = 80;
/** Control characters, line ends, and characters that change how the rest reads: directions, joiners, fillers. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]+/gu;
