import { parseArgs } from 'node:util';
import type { Language } from '../catalogs/catalog.js';
import { nearestWord } from '../nearest-word.js';
import type { CliText } from './cli-text.js';
import type { CommandDetails, CommandOptions, OptionValues } from './command.js';
import { codeOf, UsageError } from './failure.js';
import { placeholder } from './placeholder.js';

/** The options of every command, at any position. */
export interface CommonOptions {
  /** The remaining words. */
  readonly rest: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
  /** The value of `--lang`; null without it. */
  readonly language: Language | null;
}

/** The options of every command and of the program. */
export const COMMON_OPTIONS = ['--json', '--lang', '--help', '--version'] as const;

/** Separates the common options from the words. @throws UsageError */
export function takeCommonOptions(argv: readonly string[]): CommonOptions {
  const rest: string[] = [];
  const found = { json: false, help: false, language: null as Language | null };
  const left = [...argv];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      rest.push(word, ...left);
      break;
    }
    if (word === '--json') found.json = true;
    else if (word === '--help' || word === '-h') found.help = true;
    else if (word === '--lang' || word.startsWith('--lang=')) {
      const text = word === '--lang' ? left.shift() : word.slice('--lang='.length);
      if (text !== 'es' && text !== 'en')
        throw new UsageError({ es: '--lang es «es» o «en».', en: '--lang is es or en.' });
      found.language = text;
    } else rest.push(word);
  }
  return { rest, ...found };
}

/** Reads the options and arguments of a command. @throws UsageError */
export function parseCall(
  { args = [], options = {} }: Pick<CommandDetails, 'args' | 'options'>,
  argv: readonly string[],
): { readonly options: OptionValues<CommandOptions>; readonly args: readonly string[] } {
  const { values, positionals } = parse(options, argv);
  const givenValues: Readonly<Record<string, unknown>> = values;
  const needed = args.filter(({ optional }) => !optional).length;
  const empty = positionals.indexOf('');
  const missing = args[empty === -1 ? positionals.length : empty];
  if (missing && (empty !== -1 || positionals.length < needed)) {
    throw new UsageError({
      es: `Falta ${placeholder(missing.name, 'es')}.`,
      en: `${placeholder(missing.name, 'en')} is missing.`,
    });
  }
  if (positionals.length > args.length) {
    const extra = positionals[args.length];
    throw new UsageError({ es: `«${extra}» está de más.`, en: `«${extra}» is too much.` });
  }
  // Such as an unset variable of a script: without its option the command would do more than was asked.
  const unset = Object.keys(options).find((name) => [givenValues[name]].flat().includes(''));
  if (unset) throw new UsageError(needsValue(`--${unset}`));
  const complete = Object.entries(options).map(([name, { type, multiple }]) => {
    const given = givenValues[name];
    if (type === 'boolean') return [name, given === true];
    return [name, multiple ? [given ?? []].flat().map(String) : typeof given === 'string' ? given : null];
  });
  return { options: Object.fromEntries(complete), args: positionals };
}

// --- internal ---

function parse(options: CommandOptions, argv: readonly string[]) {
  const own = Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]);
  try {
    return parseArgs({ args: [...argv], options: Object.fromEntries(own), allowPositionals: true, strict: true });
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof Error && code.startsWith('ERR_PARSE_ARGS_'))
      throw new UsageError(explain(code, error.message, options));
    throw error;
  }
}

function explain(code: string, message: string, options: CommandOptions): CliText {
  const option = /'(?:-\w, )?(--?[^'\s]+)/.exec(message)?.[1] ?? '';
  const isCommon = COMMON_OPTIONS.some((name) => name === option && name !== '--version');
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && !isCommon) {
    const own = Object.keys(options).map((name) => `--${name}`);
    const meant = nearestWord(option, [...own, ...COMMON_OPTIONS.filter((name) => name !== '--version')]);
    return {
      es: `No hay una opción ${option}.${meant === null ? '' : ` ¿Quiso decir ${meant}?`}`,
      en: `There is no option ${option}.${meant === null ? '' : ` Did you mean ${meant}?`}`,
    };
  }
  return isCommon || message.includes('does not take')
    ? { es: `${option} no lleva valor.`, en: `${option} takes no value.` }
    : needsValue(option);
}

function needsValue(option: string): CliText {
  return { es: `${option} necesita un valor.`, en: `${option} needs a value.` };
}
