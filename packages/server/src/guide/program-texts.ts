import { readGuide, type SourcePage } from './guide-source.js';

/** The list of the pages for programs. @param baseUrl of the server, without a trailing slash. */
export async function programList(baseUrl: string): Promise<string> {
  const { programList: text } = await readGuide();
  return text
    .replace(/\]\(docs\/(en|es)\/([\w-]+\.md)\)/g, `](${baseUrl}/guide/$1/$2)`)
    .replace(/\[[^\]\n]+\]\((examples\/[^)\s]+)\)/g, '`$1`')
    .replaceAll('`docs/es/`', `${baseUrl}/guide/es/`)
    .replaceAll('`/openapi.json` of a running server', `${baseUrl}/openapi.json`)
    .replaceAll('`/llms-full.txt` of a running server', `${baseUrl}/llms-full.txt`);
}

/**
 * All pages as one text, for programs that read all at once. @param baseUrl of the server, without a trailing slash.
 */
export async function programText(baseUrl: string): Promise<string> {
  const { pages } = await readGuide();
  return [...pages.en.values()].map((page) => joined(page, baseUrl)).join('\n\n');
}

// --- internal ---

function joined({ name, markdown }: SourcePage, baseUrl: string): string {
  const address = `${baseUrl}/guide/en/${name}`;
  return `<!-- ${address} -->\n\n${markdown.replace(/\]\(([\w-]+\.md)(#[^)\s]*)?\)/g, `](${baseUrl}/guide/en/$1$2)`).trim()}`;
}
