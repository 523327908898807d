/**
 * The choice that a header such as `Accept` or `Accept-Language` weighs most; the first of equal ones.
 *
 * @param choiceOf the choice of a name in lower case; undefined for an unknown one.
 * @returns null without a header, or if it names no choice.
 */
export function preferred<Choice>(
  header: string | null,
  choiceOf: (name: string) => Choice | undefined,
): Choice | null {
  let best: { readonly choice: Choice; readonly weight: number } | null = null;
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const choice = choiceOf(name);
    const weight = weightOf(parameters);
    if (choice !== undefined && weight > (best?.weight ?? 0)) best = { choice, weight };
  }
  return best?.choice ?? null;
}

// --- internal ---

/** The weight of `q`, 1 without one; 0 for one that breaks its form. */
function weightOf(parameters: readonly string[]): number {
  const sent = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return sent === undefined ? 1 : Number(/^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(sent)?.[1] ?? 0);
}
