/**
 * Names headings as where the Markdown is read on the web, so that links between pages hold in both: letters, digits and
 * hyphens of the text in lower case, and a number behind the second of a name.
 *
 * @returns what gives each heading of one page its name, called in their order.
 */
export function headingNames(): (text: string) => string {
  const given = new Map<string, number>();
  return (text) => {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const before = given.get(name) ?? 0;
    given.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  };
}
