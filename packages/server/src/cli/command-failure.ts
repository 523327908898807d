/** Something a command could not do, with a code for programs and what is known of it. */
export class CommandFailure extends Error {
  readonly code: string;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, members: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.members = members;
  }

  override get name(): string {
    return 'CommandFailure';
  }
}
