import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.js';
import { ConfigError } from '../config-values.js';
import { toProblem, toRefusal } from '../http/problem.js';
import type { Language } from '../language.js';
import { BackupError } from '../store/backup-error.js';
import { type Command, type CommandResult, UsageError } from './command.js';
import { CommandFailure } from './command-failure.js';
import { COMMANDS } from './commands.js';
import { commandHelp, groupHelp, PROGRAM, serveHelp } from './help.js';
import { type OperatorAccess, openOperatorAccess } from './operator-access.js';

/** Where a command is run. */
export interface CommandPlace {
  /** The configuration by its names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The machine's account, for the record. */
  readonly actor: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

/**
 * Runs a command of the command line.
 *
 * @param argv the words behind the program's name.
 * @returns the exit code: 0 done, 1 refused or failed, 2 not understood.
 */
export async function runCommand(argv: readonly string[], place: CommandPlace): Promise<number> {
  const words = argv.filter((word) => !word.startsWith('-'));
  const wantsHelp = argv.some((word) => word === '--help' || word === '-h');
  const wantsJson = argv.includes('--json');
  const command = findCommand(argv);
  if (!command) return helpOrComplain(words, wantsHelp, place);
  if (wantsHelp) {
    place.write(commandHelp(command));
    return 0;
  }
  try {
    const result = await run(command, argv.slice(command.name.split(' ').length), place);
    place.write(wantsJson ? `${JSON.stringify(result.json, null, 2)}\n` : `${result.text}\n`);
    for (const notice of result.notices ?? []) place.complain(`${notice}\n`);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      const text = `${error.message}\n\n${commandHelp(command)}`;
      if (wantsJson)
        place.write(`${JSON.stringify({ ok: false, code: error.code, detail: error.message }, null, 2)}\n`);
      else place.complain(text);
      return 2;
    }
    tellFailure(error, wantsJson, place);
    return 1;
  }
}

// --- internal ---

function findCommand(argv: readonly string[]): Command | null {
  const called = (name: string) => name.split(' ').every((word, index) => argv[index] === word);
  return COMMANDS.find(({ name }) => called(name)) ?? null;
}

function helpOrComplain(words: readonly string[], wantsHelp: boolean, place: CommandPlace): number {
  if (words[0] === 'serve') {
    place.write(serveHelp());
    return wantsHelp ? 0 : 2;
  }
  const asked = words[0] === 'help' ? words.slice(1) : words;
  const isGroup = (prefix: string) => COMMANDS.some(({ name }) => name.startsWith(`${prefix} `));
  const named = COMMANDS.find(({ name }) => name === asked.join(' '));
  if (words[0] === 'help' && named) {
    place.write(commandHelp(named));
    return 0;
  }
  const prefix = asked.join(' ');
  const known = prefix === '' || isGroup(prefix);
  if (known && (wantsHelp || words[0] === 'help' || words.length === 0)) {
    place.write(groupHelp(COMMANDS, prefix));
    return 0;
  }
  if (known) place.complain(groupHelp(COMMANDS, prefix));
  else place.complain(`There is no command «${prefix}». ${PROGRAM} --help lists them.\n`);
  return 2;
}

/** @throws UsageError, and whatever the command does. */
async function run(command: Command, argv: readonly string[], { env, actor }: CommandPlace): Promise<CommandResult> {
  const { values, positionals } = parse(command, argv);
  const needed = command.args?.length ?? 0;
  if (positionals.length < needed) {
    throw new UsageError(`<${command.args?.[positionals.length]?.name}> is missing.`);
  }
  if (positionals.length > needed) throw new UsageError(`«${positionals[needed]}» is too much.`);
  let config: Config | null = null;
  let access: Promise<OperatorAccess> | null = null;
  const readOnce = () => {
    config ??= readConfig(env);
    return config;
  };
  const open = () => {
    access ??= openOperatorAccess(readOnce());
    return access;
  };
  try {
    return await command.run({ options: values, args: positionals, config: readOnce, open, actor });
  } finally {
    // One that could not be opened has told why already.
    const opened: OperatorAccess | null = (await (access as Promise<OperatorAccess> | null)?.catch(() => null)) ?? null;
    await opened?.close();
  }
}

function parse(command: Command, argv: readonly string[]) {
  const own = Object.entries(command.options ?? {}).map(([name, { type, multiple = false }]) => [
    name,
    { type, multiple },
  ]);
  const options = { ...Object.fromEntries(own), json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } };
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const isOurs = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
    if (isOurs) throw new UsageError(error.message);
    throw error;
  }
}

function tellFailure(error: unknown, wantsJson: boolean, place: CommandPlace): void {
  const { code, detail, ...members } = describeFailure(error, languageOf(place.env));
  if (wantsJson) {
    place.write(`${JSON.stringify({ ok: false, code, detail, ...members }, null, 2)}\n`);
    return;
  }
  const { reason, errors = [] } = members as {
    readonly reason?: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
  const lines = errors.map(({ field, message }) => `  ${field}: ${message}`);
  place.complain([`${reason ? `${code} (${reason})` : code}: ${detail}`, ...lines, ''].join('\n'));
}

type Told = Readonly<Record<string, unknown>> & { readonly code: string; readonly detail: string };

/** Failures in the words of the error catalogue; those of the command line itself have codes of their own. */
function describeFailure(error: unknown, language: Language): Told {
  if (error instanceof ConfigError) {
    return { code: error.code, detail: 'The configuration cannot be used.', errors: toErrors(error) };
  }
  if (error instanceof CommandFailure) return { code: error.code, detail: error.message, ...error.members };
  const own =
    error instanceof BackupError || (error instanceof Error && 'code' in error && OWN.has(String(error.code)));
  if (own && error instanceof Error) return { code: String((error as BackupError).code), detail: error.message };
  const refusal = toRefusal(error);
  if (refusal.code === 'INTERNAL_ERROR') {
    // At the machine itself the cause helps, and no caller is there to be kept from it.
    const cause = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : 'unknown';
    return { code: refusal.code, detail: cause };
  }
  const { body } = toProblem(refusal, { language, instance: '', requestId: '', docsUrl: '' });
  const { code, reason, detail, errors } = body;
  return {
    code: String(code),
    detail: String(detail),
    ...(reason ? { reason } : {}),
    ...(errors ? { errors } : {}),
  };
}

const OWN = new Set(['DATABASE_NOT_READY', 'STORAGE_SCHEMA_TOO_NEW', 'ENOENT', 'EACCES', 'EISDIR', 'ECONNREFUSED']);

function toErrors({ problems }: ConfigError) {
  return problems.map(({ variable, message }) => ({ field: variable, message }));
}

function languageOf(env: CommandPlace['env']): Language {
  return (env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en').startsWith('es') ? 'es' : 'en';
}
