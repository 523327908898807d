import type { Language } from '../../catalogs/catalog.js';
import type { Command, CommandDetails } from '../command.js';
import { say, type Words } from '../words.js';

/** An option as a shell offers it. */
export interface CompletedOption {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
}

/** A command, or the beginning of some (`invoice`), as a shell offers it. */
export interface CompletedPlace {
  /** The words typed so far, with single spaces; empty before the first. */
  readonly words: string;
  /** The words that may follow. */
  readonly next: readonly { readonly word: string; readonly about: string }[];
  /** The options that may follow; of beginnings those that every command has. */
  readonly options: readonly CompletedOption[];
}

/** Whether the value of an option that every command has is one of a few words. */
export const LANGUAGES: readonly Language[] = ['es', 'en'];

/** What may follow where, read from the table of commands itself. */
export async function listCompletions(
  commands: readonly Command<never>[],
  language: Language,
): Promise<readonly CompletedPlace[]> {
  const beginnings = new Set(commands.flatMap(({ name }) => beginningsOf(name)));
  const groups = [...beginnings].map((words) => ({
    words,
    next: nextWords(commands, words, language),
    options: commonOptions(language),
  }));
  const whole = await Promise.all(
    commands.map(async (command) => ({
      words: command.name,
      next: nextWords(commands, command.name, language),
      options: [...ownOptions(await command.load(), language), ...commonOptions(language)],
    })),
  );
  return [...groups.filter(({ words }) => !commands.some(({ name }) => name === words)), ...whole];
}

// --- internal ---

const COMMON: readonly { readonly name: string; readonly about: Words; readonly takesValue: boolean }[] = [
  { name: 'json', about: { es: 'El resultado como JSON', en: 'The result as JSON' }, takesValue: false },
  { name: 'lang', about: { es: 'El idioma', en: 'The language' }, takesValue: true },
  { name: 'help', about: { es: 'La ayuda', en: 'The help' }, takesValue: false },
];

function commonOptions(language: Language): readonly CompletedOption[] {
  return COMMON.map(({ about, ...option }) => ({ ...option, about: say(about, language) }));
}

function ownOptions({ options = {} }: CommandDetails<never>, language: Language): readonly CompletedOption[] {
  return Object.entries(options).map(([name, { type, description }]) => ({
    name,
    about: say(description, language),
    takesValue: type === 'string',
  }));
}

/** `admin payments list` begins with nothing, `admin`, and `admin payments`. */
function beginningsOf(name: string): readonly string[] {
  const words = name.split(' ');
  return words.map((_word, count) => words.slice(0, count).join(' '));
}

function nextWords(commands: readonly Command<never>[], words: string, language: Language) {
  const prefix = words === '' ? '' : `${words} `;
  const next = new Map<string, string>();
  for (const { name, summary } of commands) {
    if (!name.startsWith(prefix)) continue;
    const [word = '', ...rest] = name.slice(prefix.length).split(' ');
    // A beginning is told by the words that may follow it.
    const about =
      rest.length === 0 ? say(summary, language) : `${next.has(word) ? `${next.get(word)}, ` : ''}${rest[0]}`;
    const isNew = !(next.get(word) ?? '').split(', ').includes(rest[0] ?? '');
    if (rest.length === 0 || isNew) next.set(word, about);
  }
  return [...next].map(([word, about]) => ({ word, about }));
}
