import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestTarget, TestTenant } from '../test-tenant.js';

/** A client that moves a counter forward repeatedly, as often as the route's limit allows. */
export interface CounterMover {
  /** Number of moves that the server confirmed. */
  readonly done: number;
  stop(): Promise<void>;
}

/** Starts it. @param lastGiven the last number given to a document. */
export function startMover(tenant: TestTenant, pick: () => RequestTarget, lastGiven: () => number): CounterMover {
  let done = 0;
  const stopping = new AbortController();
  async function move(): Promise<void> {
    while (!stopping.signal.aborted) {
      const nextSequential = lastGiven() + 60 + Math.floor(Math.random() * 100);
      try {
        const response = await pick().request(`/v1/issuers/${tenant.issuerId}/sequentials/01`, {
          method: 'PATCH',
          headers: { ...tenant.auth, 'content-type': 'application/json' },
          body: JSON.stringify({ environment: 'sandbox', nextSequential }),
        });
        await response.body?.cancel();
        if (response.status === 200) done += 1;
      } catch {
        // The server was killed: a later request shows whether the counter moved.
      }
      await sleep(done < 20 ? 200 : 1_200, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const moving = move();
  return {
    get done() {
      return done;
    },
    stop() {
      stopping.abort();
      return moving;
    },
  };
}
