/** The languages people are answered in. Codes, rules and reasons are never translated. */
export type Language = 'es' | 'en';

export const LANGUAGES = ['es', 'en'] as const satisfies readonly Language[];

/** One text in both languages. `{name}` stands for a value that is filled in. */
export type Text = Readonly<Record<Language, string>>;

/** The text in that language, its `{name}` places filled from `params`. */
export function tell(text: Text, language: Language, params: Readonly<Record<string, string | number>> = {}): string {
  return text[language].replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place));
}

/** An error whose sentence people read in their language; `message` is the English one. */
export class LocalizedError extends Error {
  readonly texts: Text;

  constructor(texts: Text, options?: ErrorOptions) {
    super(texts.en, options);
    this.texts = texts;
  }
}

/** The sentence of an error in that language; its message where it has no other. */
export function sentenceOf(error: unknown, language: Language): string {
  if (!(error instanceof Error)) return String(error);
  const { texts } = error as { readonly texts?: Text };
  return texts ? texts[language] : error.message;
}

/**
 * The language an `Accept-Language` header asks for first, of those we have.
 *
 * @returns null when there is no header, or it names none of ours.
 */
export function preferredLanguage(header: string | null): Language | null {
  if (!header) return null;
  let best: { readonly language: Language; readonly weight: number } | null = null;
  for (const part of header.slice(0, 500).split(',')) {
    const match = /^\s*([a-z]{2})(?:-[a-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(part);
    const language = LANGUAGES.find((known) => known === match?.[1]?.toLowerCase());
    const weight = Number(match?.[2] ?? '1');
    if (language && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? null;
}
