import { translate } from '../translate.js';
import type { CliText } from './cli-text.js';

/** The command line is invalid: exit code 2. */
export class UsageError extends Error {
  readonly code = 'USAGE';
  readonly words: CliText;

  constructor(words: CliText) {
    super(translate(words, 'en'));
    this.words = words;
  }

  override get name(): string {
    return 'UsageError';
  }
}

/** A command failed. Carries a code for programs and details: exit code 1. */
export class CommandFailure extends Error {
  readonly code: string;
  readonly words: CliText;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: string, words: CliText, members: Readonly<Record<string, unknown>> = {}) {
    super(translate(words, 'en'));
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
