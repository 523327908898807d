import type { Language, LocalizedText } from 'sri-core';
import { preferred } from './preferred.js';

/** The languages of answers. Codes, rules and reasons are never translated. */
export const LANGUAGES = ['es', 'en'] as const satisfies readonly Language[];

/** The name of each language in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { es: 'Español', en: 'English' };

/** An error with a message in each language; `message` is the English one. */
export class LocalizedError extends Error {
  readonly texts: LocalizedText;

  constructor(texts: LocalizedText, options?: ErrorOptions) {
    super(texts.en, options);
    this.texts = texts;
  }
}

/** The message of an error in a language; its `message` if it has no other text. */
export function sentenceOf(error: unknown, language: Language): string {
  if (!(error instanceof Error)) return String(error);
  const { texts } = error as { readonly texts?: LocalizedText };
  return texts ? texts[language] : error.message;
}

/**
 * The supported language that an `Accept-Language` header weighs most.
 * @returns null without a header, or if it names no supported language.
 */
export function preferredLanguage(header: string | null): Language | null {
  return preferred(header, (name) => LANGUAGES.find((known) => known === name.split('-')[0]));
}
