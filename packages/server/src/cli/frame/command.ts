import type { CommandCall, CommandDetails, CommandOptions } from 'sri-core/cli';
import type { ServerContext } from './operator-access.js';

/** The arguments of a server command. */
export type ServerCall<Options extends CommandOptions = CommandOptions> = CommandCall<Options> & ServerContext;

/** Defines the arguments and the action of a server command; `run` gets its options by name and type. */
export function defineServerCommand<const Options extends CommandOptions>(
  details: CommandDetails<ServerContext, Options>,
): CommandDetails<ServerContext> {
  return details;
}

/** The user at the command line, for the record. */
export function operatorOf({ actor }: ServerContext) {
  return { actor, channel: 'CLI' } as const;
}
