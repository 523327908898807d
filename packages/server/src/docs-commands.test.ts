import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CURL, runScript } from './testing/docs/command-place.js';
import { ROOT } from './testing/docs/pages.js';

const SCRIPTS = readdirSync(`${ROOT}examples/commands`).toSorted();
const TWINS = SCRIPTS.filter((name) => name.endsWith('.es.sh'));
const read = (name: string) => readFileSync(`${ROOT}examples/commands/${name}`, 'utf8');
const needsCurl = (name: string) => /^\s*curl /m.test(read(name));
/** A machine without curl skips the commands that use it. CI has curl. */
const isLeftOut = (name: string) => TWINS.includes(name) || (CURL === null && needsCurl(name));

describe.concurrent('the commands of the documentation', () => {
  it.each(SCRIPTS.filter((name) => !isLeftOut(name)))('the script %s runs', { timeout: 180_000 }, async (name) => {
    const { code, said } = await runScript(read(name));
    expect(code, said).toBe(0);
  });

  it.each([
    ['an unknown command', 'sri-server none', 'none'],
    ['an unknown option', 'sri-core key parse 123 --none', '--none'],
    ['an argument that a command rejects, also after a pipe', 'sri-core verify firma.p12 | cat', 'firma.p12'],
    ['a server that cannot start', 'PAST_DUE_MODE=never npm start', 'PAST_DUE_MODE'],
    ['a script of npm that CI does not run', 'npm run coverage', 'npm run coverage'],
    ['an unknown package', 'npm install left-pad', 'npm install left-pad'],
    ['a fault that chaos does not know', 'npm run chaos -- --only none', 'npm run chaos'],
    ['a word that chaos does not know', 'npm run chaos -- --none', '--none'],
    ['a unit that was not installed', 'systemctl enable --now sri-server', 'sri-server.service'],
    ['containers without their file', 'docker compose up -d', 'compose.yaml'],
  ])('a script fails at %s', { timeout: 180_000 }, async (_, line, complaint) => {
    const { code, said } = await runScript(`${line}\necho went on`);
    expect(code, said).not.toBe(0);
    expect(said).toContain(complaint);
    expect(said).not.toMatch(/^went on$/m);
  });

  it.each(TWINS)('the script %s equals its twin except for its comments', (name) => {
    const commands = (script: string) => script.replaceAll(/(^| +)#.*$/gm, '').trim();
    expect(commands(read(name))).toBe(commands(read(name.replace('.es.sh', '.sh'))));
  });
});
