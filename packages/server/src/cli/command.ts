import type { Config } from '../config.js';
import type { OperatorAccess } from './operator-access.js';

/** An option of a command. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** What its value is, as the help shows it. */
  readonly value?: string;
  readonly description: string;
}

/** What a command takes by its place. */
export interface CommandArgument {
  readonly name: string;
  readonly description: string;
}

/** What a command came to. */
export interface CommandResult {
  /** With `--json`. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Without. */
  readonly text: string;
  /** What somebody has to know besides; told apart from the result. */
  readonly notices?: readonly string[];
}

/** What a command is called with. */
export interface CommandCall {
  /** Options by their names; what was not given is not there. */
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  /** As many as the command has arguments. */
  readonly args: readonly string[];
  readonly config: () => Config;
  /** Opens the configured database and what works on it. Closed when the command has ended. */
  readonly open: () => Promise<OperatorAccess>;
  /** The machine's account. */
  readonly actor: string;
}

/** Something the command line does. */
export interface Command {
  /** The words that call it. */
  readonly name: string;
  readonly summary: string;
  /** What else its help says. */
  readonly about?: string;
  readonly args?: readonly CommandArgument[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** @throws UsageError, Refusal and whatever else is told with its code. */
  run(call: CommandCall): Promise<CommandResult>;
}

/** The command line was not understood. */
export class UsageError extends Error {
  readonly code = 'USAGE';

  override get name(): string {
    return 'UsageError';
  }
}
