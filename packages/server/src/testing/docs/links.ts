import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { rewriteFences } from './fences.js';
import { ROOT } from './pages.js';

/**
 * The broken links of a page within the repository: to a missing file, or to a missing heading. Web addresses are not
 * checked.
 *
 * @param page path of the page in the repository.
 */
export function deadLinks(page: string, markdown: string): readonly string[] {
  const prose = rewriteFences(markdown, () => '');
  const targets = [...prose.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const path = normalize(join(dirname(page), file));
    if (file !== '' && !existsSync(`${ROOT}${path}`)) return true;
    return anchor !== undefined && !anchorsOf(file === '' ? markdown : read(path)).includes(anchor);
  });
}

// --- internal ---

function read(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8');
}

/** The names of its headings, as GitHub makes them: lower case, without punctuation, a hyphen for each space. */
function anchorsOf(markdown: string): readonly string[] {
  const headings = [...rewriteFences(markdown, () => '').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  const seen = new Map<string, number>();
  return headings.map((text) => {
    const name = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  });
}
