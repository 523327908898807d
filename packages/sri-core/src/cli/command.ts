import type { Language } from '../catalogs/catalog.js';
import type { CliText } from './cli-text.js';

/** An option of a command. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** The placeholder of the value in the help. */
  readonly value?: string;
  readonly description: CliText;
}

/** The options of a command by their names. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** An option with a value. @param value its placeholder in the help */
export function textOption(value: string, description: CliText) {
  return { type: 'string', value, description } as const;
}

/** An option without a value. */
export function flagOption(description: CliText) {
  return { type: 'boolean', description } as const;
}

/** A positional argument of a command. */
export interface CommandArgument {
  readonly name: string;
  readonly description: CliText;
  /** Whether it is optional; only the last arguments may be. */
  readonly optional?: boolean;
}

/** The options of a call: false, null or an empty list for an option that is absent. */
export type OptionValues<Options extends CommandOptions> = {
  readonly [Name in keyof Options]: Options[Name]['type'] extends 'boolean'
    ? boolean
    : Options[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string | null;
};

/** Where a command reads and writes, apart from files. */
export interface Terminal {
  /** The results: text, or the bytes of a file. */
  readonly write: (content: string | Uint8Array) => void;
  /** Everything else: progress, warnings, failures. */
  readonly complain: (text: string) => void;
  /** Whether `complain` writes to a terminal, so that a line may be redrawn. */
  readonly isInteractive: boolean;
  /** Whether `write` writes to a terminal. */
  readonly isOutputWatched: boolean;
  /** All of the standard input. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Asks for a value without echoing it; null without an interactive terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | null;
  /** Asks for a line and echoes it; null without an interactive terminal. */
  readonly askLine: ((question: string) => Promise<string>) | null;
  /** Aborted when the user interrupts the command. A command that reads it must stop by itself; otherwise the process exits. */
  readonly stopSignal: () => AbortSignal;
}

/** The input of a command. */
export interface CommandCall<Options extends CommandOptions = CommandOptions> {
  readonly options: OptionValues<Options>;
  /** The positional arguments; optional ones at the end may be missing. */
  readonly args: readonly string[];
  readonly language: Language;
  /** Whether the result is printed as JSON. */
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

/** The result of a command. */
export interface CommandResult {
  /** The result for `--json`; null when the command has already written everything. */
  readonly json: Readonly<Record<string, unknown>> | null;
  /** The result for people. */
  readonly text: string;
  /** Warnings and hints, printed apart from the result. */
  readonly notices?: readonly CliText[];
  /** False for a negative finding: exit code 1. Default true. */
  readonly passed?: boolean;
}

/** The definition of a command. @typeParam Place what the program gives its commands besides the call. */
export interface CommandDetails<Place = object, Options extends CommandOptions = CommandOptions> {
  /** Further text of its help. */
  readonly about?: CliText;
  readonly args?: readonly CommandArgument[];
  readonly options?: Options;
  /** @throws UsageError, CommandFailure and any error that the program can describe. */
  run(call: CommandCall<Options> & Place): Promise<CommandResult>;
}

/** An entry of the command table. Its code loads when the command runs, so that help prints at once. */
export interface Command<Place = object> {
  /** The words that select it. */
  readonly name: string;
  readonly summary: CliText;
  load(): Promise<CommandDetails<Place>>;
}

/**
 * The entries of commands that one file holds.
 *
 * @param load imports the file. @param entries the words and the summary of each, by its name in the file.
 */
export function commandsIn<Place, Name extends string>(
  load: () => Promise<Readonly<Record<NoInfer<Name>, CommandDetails<Place>>>>,
  entries: Readonly<Record<Name, { readonly name: string; readonly es: string; readonly en: string }>>,
): readonly Command<Place>[] {
  return (Object.keys(entries) as Name[]).map((member) => {
    const { name, es, en } = entries[member];
    return { name, summary: { es, en }, load: async () => (await load())[member] };
  });
}

/** Declares a command. `run` knows the options by their names and types. */
export function defineCommand<const Options extends CommandOptions>(
  details: CommandDetails<object, Options>,
): CommandDetails {
  return details;
}
