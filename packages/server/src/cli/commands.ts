import { BACKUP_COMMANDS } from './backup-commands.js';
import type { Command } from './command.js';
import { PAYMENT_COMMANDS } from './payment-commands.js';
import { SERVER_COMMANDS } from './server-commands.js';
import { TENANT_COMMANDS } from './tenant-commands.js';

/** Everything the command line does besides serving. */
export const COMMANDS: readonly Command[] = [
  ...TENANT_COMMANDS,
  ...PAYMENT_COMMANDS,
  ...SERVER_COMMANDS,
  ...BACKUP_COMMANDS,
];
