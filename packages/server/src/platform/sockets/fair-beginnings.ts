import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The parameters of starting requests. */
export interface BeginningOptions {
  /** The most requests that start in one turn of the event loop. */
  readonly mostATurn?: number;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn?: (work: () => void) => void;
}

/**
 * Starts a few requests in each turn of the event loop, in order for each caller and in turn between callers: hundreds
 * that arrive together leave time for the running ones. A few health checks per turn start at once.
 */
export function beginFairly(
  handle: RequestListener,
  { mostATurn = 16, nextTurn = setImmediate }: BeginningOptions = {},
): RequestListener {
  /** Waiting requests by caller; the next caller comes first. */
  const lines = new Map<string, Arrived[]>();
  let begun = 0;
  let healthBegun = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    nextTurn(() => {
      isPlanned = false;
      begun = 0;
      healthBegun = 0;
      for (let next = takeNext(); next; next = begun < mostATurn ? takeNext() : null) begin(next);
      if (begun > 0) plan();
    });
  }

  function begin({ request, response }: Arrived): void {
    if (response.destroyed) return;
    begun += 1;
    handle(request, response);
  }

  function takeNext(): Arrived | null {
    const [caller, line] = lines.entries().next().value ?? [];
    if (caller === undefined || !line) return null;
    const first = line.shift() ?? null;
    lines.delete(caller);
    if (line.length > 0) lines.set(caller, line);
    return first;
  }

  return (request, response) => {
    plan();
    if (HEALTH.has(request.url ?? '') && healthBegun < MOST_HEALTH_A_TURN) {
      healthBegun += 1;
      handle(request, response);
      return;
    }
    // A turn begins as many requests as its limit; further requests wait in line.
    if (begun < mostATurn) {
      begin({ request, response });
      return;
    }
    const caller = callerOf(request);
    const line = lines.get(caller);
    if (line) line.push({ request, response });
    else lines.set(caller, [{ request, response }]);
  };
}

// --- internal ---

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Far more than monitoring sends. A flood of health checks waits like other requests. */
const MOST_HEALTH_A_TURN = 4;

/** The caller before any check: by the key sent, otherwise by the address. */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? '';
}
