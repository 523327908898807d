import type { Logger } from 'sri-core';

/** The parts of the process that faults concern. */
export interface FaultyProcess {
  on(event: 'unhandledRejection' | 'uncaughtException', listener: (fault: unknown) => void): unknown;
  exit(code: number): void;
}

/** The parameters of fault handling. */
export interface FaultDeps {
  readonly process: FaultyProcess;
  readonly logger: Logger;
  /** Ends running work and stores it. */
  readonly stop: () => Promise<void>;
}

/**
 * Handles faults outside any request or job. An unhandled promise rejection affects nothing else, so it is logged and
 * the process continues. After an uncaught exception the state of the process is unknown: running requests and jobs
 * end, and the process exits, so that its supervisor restarts it.
 */
export function watchProcessFaults({ process, logger, stop }: FaultDeps): void {
  let isEnding = false;
  process.on('unhandledRejection', (fault) => {
    logger.error(describe(fault), 'unhandled promise rejection');
  });
  process.on('uncaughtException', (fault) => {
    logger.error(describe(fault), 'uncaught exception: the server stops');
    if (isEnding) return;
    isEnding = true;
    const end = () => process.exit(1);
    stop().then(end, end);
  });
}

// --- internal ---

/** The first line of the message, which may quote data, and its location. */
function describe(fault: unknown): Record<string, unknown> {
  if (!(fault instanceof Error)) return { error: 'something that is no Error was thrown' };
  const place = (fault.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return { error: fault.name, message: fault.message.split('\n')[0]?.slice(0, 200), place: place.slice(0, 12) };
}
