import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** How requests are begun. */
export interface BeginningOptions {
  /** Requests that begin in one turn of the event loop, at most. */
  readonly mostATurn?: number;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn?: (work: () => void) => void;
}

/**
 * Begins a few requests in each turn of the event loop, those of each caller in their order and the callers in turns: so
 * that hundreds which arrive together leave time for the next steps of those that have begun. A few questions a turn after
 * the health of the server begin at once.
 */
export function beginFairly(
  handle: RequestListener,
  { mostATurn = 16, nextTurn = setImmediate }: BeginningOptions = {},
): RequestListener {
  /** Requests that wait, by caller; whose turn is next comes first. */
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
    if (lines.size === 0 && begun < mostATurn) {
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

/** Far more than those who look after a server ask; a flood of them waits like any other. */
const MOST_HEALTH_A_TURN = 4;

/** Who asks, before anything is checked: by the key that is shown, else by the address. */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? '';
}
