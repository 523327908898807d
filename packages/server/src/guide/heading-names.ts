/**
 * Names headings as GitHub does, so that links between pages work in both places: letters, digits and hyphens of the
 * text in lower case, and a number from the second occurrence of a name.
 * @returns a function that returns the name of each heading of one page, called in order.
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
