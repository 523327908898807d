import type { Language } from '../catalogs/catalog.js';
import { translate } from '../translate.js';
import type { CliText } from './cli-text.js';
import type { Command, CommandArgument, CommandDetails } from './command.js';
import { placeholder } from './placeholder.js';

/** The parts of a program's help other than its commands. */
export interface HelpTexts {
  /** The name that starts the program. */
  readonly program: string;
  readonly language: Language;
  /** Text that applies to all commands. */
  readonly closing: CliText;
}

/** Lists the commands of the program or of a group. @param prefix the words of the group; empty for all. */
export function groupHelp(commands: readonly Command<never>[], prefix: string, texts: HelpTexts): string {
  const { program, language } = texts;
  const listed = commands.filter(({ name }) => prefix === '' || name.startsWith(`${prefix} `));
  const width = Math.max(...listed.map(({ name }) => name.length));
  const line = (words: CliText) => translate(words, language);
  return [
    `${line(USAGE)}: ${program} ${prefix ? `${prefix} ` : ''}${line(ANY_COMMAND)}`,
    '',
    ...listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${line(summary)}`),
    '',
    line(COMMON),
    '',
    line(texts.closing),
    translate(MORE, language, { program }),
    '',
  ].join('\n');
}

/** Describes one command: its arguments, options and result. */
export function commandHelp(
  { name, summary }: Command<never>,
  details: CommandDetails<never>,
  texts: HelpTexts,
): string {
  const { program, language } = texts;
  const { args = [], options = {}, about } = details;
  const line = (words: CliText) => translate(words, language);
  const argumentRows = args.map(({ name: argument, description }) => [
    placeholder(argument, language),
    line(description),
  ]);
  const optionRows = Object.entries(options).map(([option, { value, description }]) => [
    `--${option}${value ? ` ${placeholder(value, language)}` : ''}`,
    line(description),
  ]);
  const width = Math.max(0, ...[...argumentRows, ...optionRows].map(([word = '']) => word.length));
  const show = (rows: readonly (readonly string[])[]) =>
    rows.map(([word = '', description = '']) => `  ${word.padEnd(width)}  ${description}`);
  return [
    `${line(USAGE)}: ${program} ${[name, ...args.map((argument) => shown(argument, language))].join(' ')} ${line(ANY_OPTION)}`,
    '',
    `${line(summary)}.`,
    ...(about ? ['', line(about)] : []),
    ...(argumentRows.length > 0 ? ['', line(ARGUMENTS), ...show(argumentRows)] : []),
    ...(optionRows.length > 0 ? ['', line(OPTIONS), ...show(optionRows)] : []),
    '',
    line(COMMON),
    '',
    line(texts.closing),
    '',
  ].join('\n');
}

// --- internal ---

const USAGE = { es: 'Uso', en: 'Usage' };
const ANY_COMMAND = { es: '<comando> [opciones]', en: '<command> [options]' };
const ANY_OPTION = { es: '[opciones]', en: '[options]' };
const ARGUMENTS = { es: 'Argumentos:', en: 'Arguments:' };
const OPTIONS = { es: 'Opciones:', en: 'Options:' };
const MORE = {
  es: '{program} <comando> --help explica un comando.',
  en: '{program} <command> --help explains a command.',
};
const COMMON = {
  es: [
    'Con cualquier comando:',
    '  --json          El resultado como JSON en la salida estándar',
    '  --lang <es|en>  El idioma; si no, el de LC_ALL o LANG',
    '  -h, --help      Este texto',
    '  --version       La versión, sin comando',
  ].join('\n'),
  en: [
    'With every command:',
    '  --json          The result as JSON on the standard output',
    '  --lang <es|en>  The language; otherwise that of LC_ALL or LANG',
    '  -h, --help      This text',
    '  --version       The version, without a command',
  ].join('\n'),
};

function shown({ name, optional }: CommandArgument, language: Language): string {
  const place = placeholder(name, language);
  return optional ? `[${place}]` : place;
}
