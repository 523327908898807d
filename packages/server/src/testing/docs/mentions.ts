import { existsSync, readFileSync } from 'node:fs';
import { CORE_COMMANDS } from 'sri-core/cli';
import { COMMANDS } from '../../cli/commands.js';
import { environmentFile } from '../../config/config-reference.js';
import { rewriteFences } from './fences.js';
import { ROOT } from './pages.js';

/**
 * The inline code of a page that names missing things: files of the repository, scripts of `npm run`, variables with a
 * value, commands of `sri-server` and `sri-core`, and their options.
 */
export async function deadMentions(markdown: string): Promise<readonly string[]> {
  const prose = rewriteFences(markdown, () => '');
  const spans = [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));
  const dead: string[] = [];
  for (const code of new Set(spans)) if (!(await isThere(code))) dead.push(code);
  return dead;
}

// --- internal ---

const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts;

/** The variables of the server, and those of commands, compose.yaml, measurements and tests. */
const VARIABLES = [
  ...[...environmentFile().matchAll(/^#([A-Z_]+)=/gm)].map(([, name = '']) => name),
  ...['SRI_API_KEY', 'SRI_ISSUER_ID', 'SRI_P12_PASSWORD', 'SRI_URL', 'SRI_WEBHOOK_SECRET'],
  ...['LANG', 'POSTGRES_PASSWORD', 'BENCH_LIVED', 'SRI_SAMPLES_DIR', 'SRI_XSD_DIR'],
];

/** The options of every command. */
const COMMON_OPTIONS = ['help', 'json', 'lang', 'version'];

async function isThere(code: string): Promise<boolean> {
  if (/^(\.ci|deploy|docs|examples|packages)\/[\w./-]+$/.test(code)) return existsSync(`${ROOT}${code}`);
  const [, variable] = /^([A-Z][A-Z_]+)=/.exec(code) ?? [];
  if (variable !== undefined && !VARIABLES.includes(variable)) return false;
  const [, script] = /^npm run ([\w:-]+)/.exec(code) ?? [];
  if (script !== undefined) return script in SCRIPTS;
  const [, program, words] = /^(?:npx )?(sri-server|sri-core) (.*)$/.exec(code) ?? [];
  return words === undefined || isCommand(words, program === 'sri-core' ? CORE_COMMANDS : COMMANDS);
}

async function isCommand(words: string, commands: readonly (typeof COMMANDS)[number][]): Promise<boolean> {
  const options = [...words.matchAll(/(?<=^| |\[)--([\w-]+)/g)].map(([, name = '']) => name);
  const named = commands.find(({ name }) => `${words} `.startsWith(`${name} `));
  const known = named ? Object.keys((await named.load()).options ?? {}) : [];
  // The first words of several commands stand for all of them.
  const isNamed =
    named !== undefined || words.startsWith('--') || commands.some(({ name }) => name.startsWith(`${words} `));
  return isNamed && options.every((name) => COMMON_OPTIONS.includes(name) || known.includes(name));
}
