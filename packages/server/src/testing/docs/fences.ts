/** A block of code in a Markdown page. */
export interface Fence {
  /** The number of the line that opens it, from 1. */
  readonly line: number;
  /** The text after the opening marks; may be empty. */
  readonly language: string;
  /** The HTML comment on the line before, if any. */
  readonly comment: string | null;
  /** Its lines, each with its end. */
  readonly text: string;
}

/**
 * The blocks between fences (three or more backticks or tildes).
 *
 * @throws Error when one is never closed.
 */
export function fencesOf(markdown: string): readonly Fence[] {
  const found: Fence[] = [];
  rewriteFences(markdown, (fence) => {
    found.push(fence);
    return fence.text;
  });
  return found;
}

/**
 * The page with other texts in its blocks.
 *
 * @param textOf the text for a block, each of its lines with its end.
 * @throws Error when a block is never closed.
 */
export function rewriteFences(markdown: string, textOf: (fence: Fence) => string): string {
  const lines = markdown.split('\n');
  const written: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = lines[at] ?? '';
    written.push(opening);
    const [, indent = '', marks = '', language = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(opening) ?? [];
    if (marks === '') continue;
    const isClosing = (line: string) => new RegExp(`^ *${marks[0]}{${marks.length},} *$`).test(line);
    const length = lines.slice(at + 1).findIndex(isClosing);
    if (length < 0) throw new Error(`The block that line ${at + 1} opens is never closed.`);
    const inside = lines.slice(at + 1, at + 1 + length).map((line) => line.replace(indent, ''));
    const comment = /^ *<!-- (.*) -->$/.exec(lines[at - 1] ?? '')?.[1] ?? null;
    const text = textOf({ line: at + 1, language: language.trim(), comment, text: asText(inside) });
    if (text !== '')
      written.push(
        ...text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => (line === '' ? '' : indent + line)),
      );
    at += length + 1;
    written.push(lines[at] ?? '');
  }
  return written.join('\n');
}

// --- internal ---

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
