import { quoteWord } from '../frame/shell-word.js';
import { BATCH_OPTIONS, type BatchCall } from './batch-options.js';
import type { BatchHead } from './journal.js';

/** The differences from the current call. */
interface TypedParts {
  readonly path?: string;
  readonly resume?: boolean;
  readonly begun?: Partial<Pick<BatchHead, 'ride' | 'xml'>>;
}

/**
 * The current command, as a user would type it again.
 * @param path another file; default: the file of the call.
 * @param resume whether to resume; default true.
 * @param begun the options of the first call, for those that this call omits.
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
