/** A failed step, in words for the user of the demo. */
export class DemoError extends Error {
  constructor(step: string, cause: unknown) {
    super(`${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Runs the demo's steps in order and prints a line for each: its duration and its result. */
export class Steps {
  readonly #started = performance.now();

  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** @param describe formats the result for its line. @throws DemoError naming the step */
  async run<T>(step: string, work: () => Promise<T>, describe: (result: T) => string = () => ''): Promise<T> {
    const started = performance.now();
    try {
      const result = await work();
      const detail = describe(result);
      this.#print(`${seconds(performance.now() - started)}  ${step}${detail ? `: ${detail}` : ''}`);
      return result;
    } catch (error) {
      throw new DemoError(step, error);
    }
  }

  /** Time since the first step, formatted for the lines. */
  get total(): string {
    return seconds(performance.now() - this.#started).trim();
  }
}

// --- internal ---

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`.padStart(8);
}
