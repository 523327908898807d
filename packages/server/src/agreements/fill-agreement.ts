/** The value of each `{{name}}` of a text. */
export type AgreementValues = Readonly<Record<(typeof AGREEMENT_PLACEHOLDERS)[number], string>>;

/** The placeholders of a text: the account's business name, RUC and e-mail, the day of its copy, and the version. */
export const AGREEMENT_PLACEHOLDERS = ['businessName', 'ruc', 'email', 'date', 'version'] as const;

/**
 * Fills the placeholders of a text. Values are single lines, escaped for Markdown.
 *
 * @param text Markdown.
 */
export function fillAgreement(text: string, values: AgreementValues): string {
  // One pass, so that a value that looks like a placeholder is not replaced.
  return text.replace(PLACE, (place, name: string) => {
    const known = AGREEMENT_PLACEHOLDERS.find((placeholder) => placeholder === name);
    return known ? escapeMarkdown(values[known]) : place;
  });
}

/** Returns the first unknown placeholder of a text (or null), and the allowed ones. */
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
