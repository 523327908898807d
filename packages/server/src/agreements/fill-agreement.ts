/** What stands in the place of a text's `{{name}}`. */
export type AgreementValues = Readonly<Record<(typeof AGREEMENT_PLACEHOLDERS)[number], string>>;

/** The places a text may hold: the account's business name, RUC and e-mail, the day of its copy, and the version. */
export const AGREEMENT_PLACEHOLDERS = ['businessName', 'ruc', 'email', 'date', 'version'] as const;

/**
 * Fills a text's places. Values are single lines and mean nothing in Markdown, whatever they hold.
 *
 * @param text Markdown.
 */
export function fillAgreement(text: string, values: AgreementValues): string {
  // One pass, so that a value that looks like a place stays what it is.
  return text.replace(PLACE, (place, name: string) => {
    const known = AGREEMENT_PLACEHOLDERS.find((placeholder) => placeholder === name);
    return known ? escapeMarkdown(values[known]) : place;
  });
}

/** Says which place of a text does not exist; null when all do. */
export function readPlaceholders(text: string): {
  readonly unknown: string | null;
  readonly allowed: readonly string[];
} {
  const names = [...text.matchAll(PLACE)].map(([, name = '']) => name);
  const unknown = names.find((name) => !(AGREEMENT_PLACEHOLDERS as readonly string[]).includes(name));
  return { unknown: unknown ?? null, allowed: AGREEMENT_PLACEHOLDERS };
}

// --- internal ---

const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

function escapeMarkdown(value: string): string {
  const line = value.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.replace(/[\\`*_[\]<>#|~{}]/g, '\\$&');
}
