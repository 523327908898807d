import type { Language } from '../catalogs/catalog.js';
import type { Words } from './words.js';

/** An option of a command. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** What its value is, as the help shows it. */
  readonly value?: string;
  readonly description: Words;
}

/** The options of a command by their names. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** What a command takes by its place. */
export interface CommandArgument {
  readonly name: string;
  readonly description: Words;
  /** May be left out; only the last ones may. */
  readonly optional?: boolean;
}

/** What the options of a command hold: false, null or an empty list where one was not given. */
export type OptionValues<Options extends CommandOptions> = {
  readonly [Name in keyof Options]: Options[Name]['type'] extends 'boolean'
    ? boolean
    : Options[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string | null;
};

/** Where a command reads and writes besides files. */
export interface Terminal {
  /** The results. */
  readonly write: (text: string) => void;
  /** Everything else: progress, warnings, failures. */
  readonly complain: (text: string) => void;
  /** Whether a person looks at what `complain` writes, so that a line may be drawn over. */
  readonly isInteractive: boolean;
  /** Whether a person looks at what `write` writes. */
  readonly isOutputWatched: boolean;
  /** All of the standard input. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Asks a person without showing what is typed; null where nobody can be asked. */
  readonly askSecret: ((question: string) => Promise<string>) | null;
  /** Asks a person for a line, which is shown as it is typed; null where nobody can be asked. */
  readonly askLine: ((question: string) => Promise<string>) | null;
  /** Aborted when the person ends the command. Whoever asks for it has to end then; otherwise the process does. */
  readonly stopSignal: () => AbortSignal;
}

/** What a command is called with. */
export interface CommandCall<Options extends CommandOptions = CommandOptions> {
  readonly options: OptionValues<Options>;
  /** As many as the command has arguments, or fewer where some are optional. */
  readonly args: readonly string[];
  readonly language: Language;
  /** The result is for a program. */
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

/** What a command came to. */
export interface CommandResult {
  /** With `--json`; null when the command has written all there was itself. */
  readonly json: Readonly<Record<string, unknown>> | null;
  /** Without. */
  readonly text: string;
  /** What somebody has to know besides; told apart from the result. */
  readonly notices?: readonly Words[];
  /** False when what was looked at is not as it should be: exit code 1. Default true. */
  readonly passed?: boolean;
}

/** What a command takes and does. @typeParam Place what the program gives its commands besides the call. */
export interface CommandDetails<Place = object, Options extends CommandOptions = CommandOptions> {
  /** What else its help says. */
  readonly about?: Words;
  readonly args?: readonly CommandArgument[];
  readonly options?: Options;
  /** @throws UsageError, CommandFailure and whatever else the program can tell of. */
  run(call: CommandCall<Options> & Place): Promise<CommandResult>;
}

/** A line of the table of commands. What it does is loaded when it is called, so that help is there at once. */
export interface Command<Place = object> {
  /** The words that call it. */
  readonly name: string;
  readonly summary: Words;
  load(): Promise<CommandDetails<Place>>;
}

/** Says what a command takes and does; its options are known to `run` by their names and types. */
export function defineCommand<const Options extends CommandOptions>(
  details: CommandDetails<object, Options>,
): CommandDetails {
  return details;
}
