import type { Language, LocalizedText } from './catalogs/catalog.js';

/**
 * Returns a text in a language, with its `{name}` placeholders filled from `params`. A placeholder without a value stays.
 *
 * @param text a string is the same in every language.
 */
export function translate(
  text: string | LocalizedText,
  language: Language,
  params: Readonly<Record<string, string | number>> = {},
): string {
  const chosen = typeof text === 'string' ? text : text[language];
  return chosen.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}
