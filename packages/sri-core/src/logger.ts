/** The log of the engine. Fields are identifiers and outcomes, never names, keys or XML. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Logs nothing: a library prints only when configured to. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
