import { existsSync, readFileSync } from 'node:fs';
import { ROOT } from './pages.js';

/** A quotation in a page: a file of the repository, or a part of one. */
export interface Quotation {
  readonly path: string;
  /** A part between the comments `#region <name>` and `#endregion`; null for the whole file. */
  readonly region: string | null;
}

/** Reads `path/in/repo#region`. */
export function toQuotation(source: string): Quotation {
  const [path = '', region = null] = source.split('#');
  return { path, region };
}

/**
 * The text that a page shows of a file. A whole file loses its leading comments, which are about running it; a part
 * loses its common indentation. Parts with one name are joined, so that lines between them can be left out. A byte
 * order mark and the line ends of Windows are removed.
 *
 * @throws Error when there is no such file or part.
 */
export function quotedText({ path, region }: Quotation): string {
  if (!existsSync(`${ROOT}${path}`)) throw new Error(`there is no ${path}`);
  const lines = readFileSync(`${ROOT}${path}`, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const shown = region === null ? withoutHead(lines) : partsOf(lines, region).flatMap(dedent);
  if (shown.length === 0) throw new Error(`${path} has no #region ${region}`);
  return shown.map((line) => `${line}\n`).join('');
}

// --- internal ---

const BEGIN = /^\s*(?:\/\/|#|--|;)? ?#region (\S+)$/;
const END = /^\s*(?:\/\/|#|--|;)? ?#endregion$/;

function partsOf(lines: readonly string[], region: string): readonly (readonly string[])[] {
  const parts: string[][] = [];
  const open: string[] = [];
  for (const line of lines) {
    const begun = BEGIN.exec(line)?.[1];
    if (begun !== undefined) open.push(begun);
    if (begun === region) parts.push([]);
    if (END.test(line)) open.pop();
    else if (begun === undefined && open.includes(region)) parts.at(-1)?.push(line);
  }
  return parts;
}

function withoutHead(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !/^(\/\/|#)/.test(line));
  return lines.slice(Math.max(first, 0)).filter((line) => !BEGIN.test(line) && !END.test(line));
}

function dedent(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const shared = Math.min(...indents);
  return lines.map((line) => line.slice(shared));
}
