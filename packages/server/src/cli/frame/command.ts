import type { CommandCall, CommandDetails, CommandOptions } from 'sri-core/cli';
import type { Config } from '../../config/config.js';
import type { OperatorAccess } from './operator-access.js';

/** What the server's program gives its commands besides the call. */
export interface ServerPlace {
  /** @throws ConfigError */
  readonly config: () => Config;
  /** Opens the configured database and what works on it. Closed when the command has ended. */
  readonly open: () => Promise<OperatorAccess>;
  /** The machine's account. */
  readonly actor: string;
}

/** What a command of the server is called with. */
export type ServerCall<Options extends CommandOptions = CommandOptions> = CommandCall<Options> & ServerPlace;

/** Says what a command of the server takes and does; its options are known to `run` by their names and types. */
export function defineServerCommand<const Options extends CommandOptions>(
  details: CommandDetails<ServerPlace, Options>,
): CommandDetails<ServerPlace> {
  return details;
}

/** What a command changes something with: on which services, and who does it. */
export interface OperatorAct {
  readonly services: OperatorAccess['services'];
  readonly operator: ReturnType<typeof operatorOf>;
}

/** Who works at the command line, for the record. */
export function operatorOf({ actor }: ServerPlace) {
  return { actor, channel: 'CLI' } as const;
}
