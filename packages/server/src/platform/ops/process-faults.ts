import type { Logger } from 'sri-core';

/** The process as far as its faults go. */
export interface FaultyProcess {
  on(event: 'unhandledRejection' | 'uncaughtException', listener: (fault: unknown) => void): unknown;
  exit(code: number): void;
}

/** What watching for faults needs. */
export interface FaultParts {
  readonly process: FaultyProcess;
  readonly logger: Logger;
  /** Ends what is running and stores it. */
  readonly stop: () => Promise<void>;
}

/**
 * Sees to faults that no request and no job caught. A promise that nobody waited for harms nobody else, so it is logged
 * and the process lives. After an exception out of nowhere nobody knows what else is wrong: requests and jobs that are
 * running end, and the process with them, for whoever watches over it to start it anew.
 */
export function watchProcessFaults({ process, logger, stop }: FaultParts): void {
  let isEnding = false;
  process.on('unhandledRejection', (fault) => {
    logger.error(describe(fault), 'a promise was rejected and nobody waited for it');
  });
  process.on('uncaughtException', (fault) => {
    logger.error(describe(fault), 'an exception nobody caught: the server ends');
    if (isEnding) return;
    isEnding = true;
    const end = () => process.exit(1);
    stop().then(end, end);
  });
}

// --- internal ---

/** The first line of the message, which may quote data, and where it was. */
function describe(fault: unknown): Record<string, unknown> {
  if (!(fault instanceof Error)) return { error: 'something that is no Error was thrown' };
  const place = (fault.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return { error: fault.name, message: fault.message.split('\n')[0]?.slice(0, 200), place: place.slice(0, 12) };
}
