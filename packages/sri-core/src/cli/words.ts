import type { Language, LocalizedText } from '../catalogs/catalog.js';

/** A text for people: in both languages, or one that is the same in each. `{name}` stands for a value that is filled in. */
export type Words = string | LocalizedText;

/** The words in that language, their `{name}` places filled from `params`. */
export function say(words: Words, language: Language, params: Readonly<Record<string, string | number>> = {}): string {
  const text = typeof words === 'string' ? words : words[language];
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place));
}

/** Words with their `{name}` places filled in each language. */
export function fill(words: Words, params: Readonly<Record<string, string | number>>): LocalizedText {
  return { es: say(words, 'es', params), en: say(words, 'en', params) };
}

/** The language of the terminal: what `LC_ALL`, `LC_MESSAGES` or `LANG` says; English where that is neither. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  return (env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en').startsWith('es') ? 'es' : 'en';
}
