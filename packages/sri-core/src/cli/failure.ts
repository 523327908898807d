import { say, type Words } from './words.js';

/** The command line is invalid: exit code 2. */
export class UsageError extends Error {
  readonly code = 'USAGE';
  readonly words: Words;

  constructor(words: Words) {
    super(say(words, 'en'));
    this.words = words;
  }

  override get name(): string {
    return 'UsageError';
  }
}

/** A command failed. Carries a code for programs and details: exit code 1. */
export class CommandFailure extends Error {
  readonly code: string;
  readonly words: Words;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: string, words: Words, members: Readonly<Record<string, unknown>> = {}) {
    super(say(words, 'en'));
    this.code = code;
    this.words = words;
    this.members = members;
  }

  override get name(): string {
    return 'CommandFailure';
  }
}

/** The code of an error of this library or of the system; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
