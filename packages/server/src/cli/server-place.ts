import { type Config, readConfig } from '../config/config.js';
import type { ServerPlace } from './frame/command.js';
import { type OperatorAccess, openOperatorAccess } from './frame/operator-access.js';

/** The inputs of commands: the configuration, read once, and its database, opened once and closed at the end. */
export function createServerPlace(
  env: Readonly<Record<string, string | undefined>>,
  actor: string,
): ServerPlace & { close(): Promise<void> } {
  let config: Config | null = null;
  let access: Promise<OperatorAccess> | null = null;
  const readOnce = () => {
    config ??= readConfig(env);
    return config;
  };
  return {
    actor,
    config: readOnce,
    open() {
      access ??= openOperatorAccess(readOnce());
      return access;
    },
    async close() {
      // A database that could not be opened has already reported why.
      const opened = await access?.catch(() => null);
      await opened?.close();
    },
  };
}
