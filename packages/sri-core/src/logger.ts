/** Where the engine says what it does. Fields are identifiers and outcomes, never names, keys or XML. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Says nothing: a library prints only where it is told to. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
