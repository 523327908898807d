import { setImmediate } from 'node:timers/promises';
import { toTable } from 'sri-core/cli';
import type { PromotedKey } from '../../onboarding/promote.js';
import type { ServerCall } from './command.js';

/** Prints new keys before they are valid, so that an interruption loses none. With `--json` the result alone holds them. */
export async function printNewKeys(
  { json, terminal, language }: ServerCall,
  keys: readonly PromotedKey[],
): Promise<void> {
  if (json) return;
  terminal.write(`${keysTable(keys, language)}\n\n`);
  // An output that cannot be written ends the program now, and nothing has changed.
  await setImmediate();
}

/** Keys with their labels. */
export function keysTable(keys: readonly PromotedKey[], language: ServerCall['language']): string {
  return toTable(
    ['key', 'token'],
    keys.map(({ label, apiKey }) => [label, apiKey]),
    language,
  );
}
