import type { CommandArgument } from 'sri-core/cli';

/** The document of a command. */
export const KEY_ARGUMENT: CommandArgument = {
  name: 'access-key',
  description: { es: 'Los 49 dígitos', en: 'The 49 digits' },
};
