import type { Language, LocalizedText } from '../catalogs/catalog.js';
import { translate } from '../translate.js';

/** A text for people: one per language, or the same for all. `{name}` marks a value. */
export type CliText = string | LocalizedText;

/** The text in each language, with its `{name}` values filled in. */
export function fillText(words: CliText, params: Readonly<Record<string, string | number>>): LocalizedText {
  return { es: translate(words, 'es', params), en: translate(words, 'en', params) };
}

/** A number of whole days that are left. */
export function daysLeft(days: number): LocalizedText {
  if (days < 1) return { es: 'menos de un día', en: 'less than a day' };
  return days === 1 ? { es: '1 día', en: '1 day' } : { es: `${days} días`, en: `${days} days` };
}

/** The language of the terminal from `LC_ALL`, `LC_MESSAGES` or `LANG`; English by default. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  return (env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en').startsWith('es') ? 'es' : 'en';
}
