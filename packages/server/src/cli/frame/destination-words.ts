import type { Language } from '../../platform/language.js';

/** A destination of the server, in words of a language. */
export function tellPlace(place: string, language: Language): string {
  if (language === 'en') return place;
  return place
    .replace(/^the built-in simulator/, 'el simulador incorporado')
    .replace(/^the SRI\b/, 'el SRI')
    .replace(/^files in /, 'archivos en ');
}
