import type { CommandCall, CommandDetails, CommandOptions } from 'sri-core/cli';
import type { ServerPlace } from './operator-access.js';

/** The arguments of a server command. */
export type ServerCall<Options extends CommandOptions = CommandOptions> = CommandCall<Options> & ServerPlace;

/** Defines the arguments and the action of a server command; `run` gets its options by name and type. */
export function defineServerCommand<const Options extends CommandOptions>(
  details: CommandDetails<ServerPlace, Options>,
): CommandDetails<ServerPlace> {
  return details;
}

/** The user at the command line, for the record. */
export function operatorOf({ actor }: ServerPlace) {
  return { actor, channel: 'CLI' } as const;
}
