import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { TEXTS, type TextName } from '../texts/texts.js';

export type { TextName } from '../texts/texts.js';

/** The languages of the console. */
export type Language = 'es' | 'en';

/** The language that is shown. */
export function language(): Language {
  return chosen;
}

/** The shown language, and the switch to the other one. A switch draws a component again and keeps its state. */
export const LanguageContext = createContext({ shown: 'es' as Language, switchLanguage() {} });

/** The shown language. A switch draws the calling component again. */
export function useLanguage(): Language {
  return useContext(LanguageContext).shown;
}

/** Shows another language from the next drawing on, and remembers it in this browser. */
export function setLanguage(wanted: Language): void {
  chosen = wanted;
  document.documentElement.lang = wanted;
  localStorage.setItem(REMEMBERED, wanted);
}

/** A text in the language that is shown. `{name}` in it is filled in. */
export function t(name: TextName, values: Readonly<Record<string, string | number>> = {}): string {
  return (TEXTS[name]?.[chosen] ?? name).replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/** The text of a code, such as a status; the code itself where a later server knows more codes. */
export function named(prefix: string, code: string): string {
  const name = `${prefix}.${code}`;
  return name in TEXTS ? t(name as TextName) : code;
}

// --- internal ---

const REMEMBERED = 'sri-console.language';

let chosen: Language = first();
document.documentElement.lang = chosen;

function first(): Language {
  const remembered = localStorage.getItem(REMEMBERED);
  if (remembered === 'es' || remembered === 'en') return remembered;
  return navigator.language.startsWith('en') ? 'en' : 'es';
}
