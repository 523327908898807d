import type { Language, LocalizedText } from '../catalogs/catalog.js';
import { nearestWord } from '../nearest-word.js';
import { translate } from '../translate.js';
import { type CliText, fillText, languageOf } from './cli-text.js';
import type { Command, CommandCall, CommandDetails, CommandResult, Terminal } from './command.js';
import { CommandFailure, UsageError } from './failure.js';
import { commandHelp, groupHelp, type HelpTexts } from './help.js';
import { COMMON_OPTIONS, parseCall, takeCommonOptions } from './parse-call.js';
import { printable } from './table.js';

/** A program of commands. @typeParam Place what the program gives its commands besides the call. */
export interface Program<Place = object> {
  /** The name that starts it. */
  readonly name: string;
  readonly commands: readonly Command<Place>[];
  /** The release, such as `1.2.0`. */
  version(): Promise<string>;
  /** The last lines of its help. */
  readonly closing: CliText;
  /** Opens what a command works on. `close` runs when the command ends, also after a failure. */
  context(): Promise<Place & { close?(): Promise<void> }>;
  /** Describes a failure for people, with its code for programs. */
  describe(error: unknown, language: Language): DescribedFailure | Promise<DescribedFailure>;
}

/** A described failure. `errors` names fields, `hint` gives advice. */
export interface DescribedFailure {
  readonly code: string;
  readonly detail: string;
  readonly [member: string]: unknown;
}

/** The environment of a program. */
export interface ProgramIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

/**
 * Runs a command of a program.
 *
 * @param argv the words after the program's name.
 * @returns the exit code: 0 success, 1 failure or negative finding, 2 invalid command line.
 */
export async function runProgram<Place>(
  program: Program<Place>,
  argv: readonly string[],
  { env, terminal }: ProgramIo,
): Promise<number> {
  let language = languageOf(env);
  let json = argv.includes('--json');
  let asked: Command<Place> | null = null;
  const texts = (): HelpTexts => ({ program: program.name, language, closing: program.closing });
  try {
    const common = takeCommonOptions(argv);
    language = common.language ?? language;
    json = common.json;
    if (common.rest[0] === '--version') {
      const version = await program.version();
      terminal.write(json ? `${JSON.stringify({ ok: true, version })}\n` : `${program.name} ${version}\n`);
      return 0;
    }
    const command = findCommand(program, common.rest);
    if (!command) return await helpOrComplain(program, common, terminal, texts());
    asked = command;
    const details = await command.load();
    if (common.help) {
      terminal.write(commandHelp(command, details, texts()));
      return 0;
    }
    const parsed = parseCall(details, common.rest.slice(command.name.split(' ').length));
    return printResult(await runIn(program, details, { ...parsed, language, json, env, terminal }), {
      json,
      language,
      terminal,
    });
  } catch (error) {
    if (error instanceof UsageError) {
      const detail = translate(error.words, language);
      if (json) terminal.write(`${JSON.stringify({ ok: false, code: error.code, detail }, null, 2)}\n`);
      else
        terminal.complain(
          `${detail}\n${asked ? `${translate(MORE, language, { call: `${program.name} ${asked.name}` })}\n` : ''}`,
        );
      return 2;
    }
    const failure =
      error instanceof CommandFailure ? ownWords(error, language) : await program.describe(error, language);
    printFailure(withoutCode(failure), { json, terminal });
    return 1;
  }
}

// --- internal ---

const MORE = { es: 'Más: {call} --help', en: 'More: {call} --help' };
const MEANT = { es: ' ¿Quiso decir «{word}»?', en: ' Did you mean «{word}»?' };

function findCommand<Place>({ commands }: Program<Place>, words: readonly string[]): Command<Place> | null {
  const called = (name: string) => name.split(' ').every((word, index) => words[index] === word);
  return commands.find(({ name }) => called(name)) ?? null;
}

async function helpOrComplain<Place>(
  { name: program, commands }: Program<Place>,
  { rest, help, json }: { readonly rest: readonly string[]; readonly help: boolean; readonly json: boolean },
  terminal: Terminal,
  texts: HelpTexts,
): Promise<number> {
  const words = rest.filter((word) => !word.startsWith('-'));
  const asksHelp = words[0] === 'help';
  const prefix = (asksHelp ? words.slice(1) : words).join(' ');
  const named = commands.find(({ name }) => name === prefix);
  if (asksHelp && named) {
    terminal.write(commandHelp(named, await named.load(), texts));
    return 0;
  }
  const [first] = rest;
  if (first?.startsWith('-')) {
    const meant = meantBy(first, COMMON_OPTIONS);
    throw new UsageError({
      es: `No hay una opción ${first}.${meant.es}`,
      en: `There is no option ${first}.${meant.en}`,
    });
  }
  if (
    first === undefined ||
    (asksHelp && prefix === '') ||
    commands.some(({ name }) => name.startsWith(`${prefix} `))
  ) {
    const wanted = help || asksHelp || first === undefined;
    if (!wanted && json) {
      throw new UsageError({
        es: `«${prefix}» necesita otra palabra: ${program} ${prefix} --help las muestra.`,
        en: `«${prefix}» needs another word: ${program} ${prefix} --help lists them.`,
      });
    }
    (wanted ? terminal.write : terminal.complain)(groupHelp(commands, prefix, texts));
    return wanted ? 0 : 2;
  }
  const meant = meantBy(
    prefix,
    commands.map(({ name }) => name),
  );
  throw new UsageError({
    es: `No hay un comando «${prefix}».${meant.es} ${program} --help los lista.`,
    en: `There is no command «${prefix}».${meant.en} ${program} --help lists them.`,
  });
}

/** Suggests the closest command; empty when none is close. The words may include arguments. */
function meantBy(typed: string, allowed: readonly string[]): LocalizedText {
  const words = typed.split(' ');
  const starts = words.map((_, index) => words.slice(0, words.length - index).join(' '));
  const word = starts.map((start) => nearestWord(start, allowed)).find((found) => found !== null);
  return word === undefined || word === null ? { es: '', en: '' } : fillText(MEANT, { word });
}

/** A system error message starts with its code, which is already printed before it. */
function withoutCode(failure: DescribedFailure): DescribedFailure {
  const prefix = `${failure.code}: `;
  return failure.detail.startsWith(prefix) ? { ...failure, detail: failure.detail.slice(prefix.length) } : failure;
}

async function runIn<Place>(
  program: Program<Place>,
  details: CommandDetails<Place>,
  call: CommandCall,
): Promise<CommandResult> {
  const context = await program.context();
  try {
    return await details.run({ ...call, ...context });
  } finally {
    await context.close?.();
  }
}

interface Answering {
  readonly json: boolean;
  readonly terminal: Terminal;
}

function printResult(result: CommandResult, { json, language, terminal }: Answering & { readonly language: Language }) {
  if (json && result.json !== null) terminal.write(`${JSON.stringify(result.json, null, 2)}\n`);
  else if (!json && result.text !== '') terminal.write(`${printableLines(result.text)}\n`);
  for (const notice of result.notices ?? []) terminal.complain(`${printableLines(translate(notice, language))}\n`);
  return result.passed === false ? 1 : 0;
}

function ownWords({ code, words, members }: CommandFailure, language: Language): DescribedFailure {
  return { ...members, code, detail: translate(words, language) };
}

function printFailure({ code, detail, ...members }: DescribedFailure, { json, terminal }: Answering): void {
  if (json) {
    terminal.write(`${JSON.stringify({ ok: false, code, detail, ...members }, null, 2)}\n`);
    return;
  }
  const {
    reason,
    errors = [],
    hint,
  } = members as {
    readonly reason?: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
    readonly hint?: string;
  };
  const lines = errors.map(({ field, message }) => `  ${field}: ${message}`);
  const texts = [`${reason ? `${code} (${reason})` : code}: ${detail}`, ...lines, ...(hint ? [hint] : []), ''];
  terminal.complain(printableLines(texts.join('\n')));
}

/** A result may quote a file or an answer of others. */
function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
