/** The log of the engine. Fields are identifiers and outcomes, never names, keys or XML. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The same log, whose failures do not reach its caller: a change stays, with or without a line in the log. */
export function unfailingLogger(logger: Logger): Logger {
  const level =
    (name: keyof Logger): Logger[keyof Logger] =>
    (fields, message) => {
      try {
        // The type also admits an async function: its rejection would end the process.
        const given: unknown = logger[name](fields, message);
        if (given instanceof Promise) given.catch(() => {});
      } catch {}
    };
  return { info: level('info'), warn: level('warn'), error: level('error') };
}

/** Logs nothing: a library prints only when configured to. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
