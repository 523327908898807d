import { quoteWord } from '../frame/shell-word.js';
import { BATCH_OPTIONS, type BatchCall } from './batch-options.js';
import type { BatchHead } from './journal.js';

/** What may differ from the call. */
interface TypedParts {
  readonly path?: string;
  readonly resume?: boolean;
  readonly begun?: Pick<BatchHead, 'ride' | 'xml'>;
}

/**
 * The command that was called, as a person would type it again.
 *
 * @param path another file; by default the one it was called with.
 * @param resume whether it is to go on; by default it does.
 * @param begun what a batch was begun with, for what this call leaves out.
 */
export function typedCommand(
  call: BatchCall,
  { path = call.args[0] ?? '', resume = true, begun = {} }: TypedParts = {},
): string {
  const options = Object.keys(BATCH_OPTIONS).flatMap((name) => {
    const value: unknown =
      call.options[name as keyof typeof BATCH_OPTIONS] ?? begun[name as keyof typeof begun] ?? null;
    if (name === 'resume' || name === 'check' || value === null || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, quoteWord(String(value))];
  });
  return ['sri-server batch issue', quoteWord(path), ...options, ...(resume ? ['--resume'] : [])].join(' ');
}
