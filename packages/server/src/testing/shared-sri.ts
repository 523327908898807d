import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSimulator, type Simulator, toNodeListener } from 'sri-core/simulator';
import { readCall } from './chaos/rough-sri.js';

/** A call that a server made. */
export interface SriCall {
  /** The number of the server. */
  readonly server: number;
  readonly operation: 'reception' | 'authorization';
  readonly accessKey: string;
}

/** One simulated SRI for several servers. Each server has its own address of it, which identifies its calls. */
export interface SharedSri {
  readonly simulator: Simulator;
  /** The settings of the server with that number. */
  settings(server: number): Readonly<Record<string, string>>;
  /** Calls that arrived, oldest first. */
  readonly calls: readonly SriCall[];
  /** The most concurrent calls about one document. */
  readonly mostAtOnce: number;
  /** Holds the next submission, unread, until it is answered with that body. */
  holdSubmission(): Promise<SriCall & { readonly answer: (body: string) => void }>;
  close(): void;
}

/** Opens it for that many servers. */
export async function openSharedSri(servers: number): Promise<SharedSri> {
  const simulator = createSimulator({ capacity: 100_000 });
  const calls: SriCall[] = [];
  const underWay = new Map<string, number>();
  let mostAtOnce = 0;
  let holding: ((held: SriCall & { readonly answer: (body: string) => void }) => void) | null = null;

  async function answer(server: number, request: Request): Promise<Response> {
    const text = await request.clone().text();
    const { operation, accessKey } = readCall(text);
    const call: SriCall = { server, operation, accessKey };
    calls.push(call);
    if (call.operation === 'reception' && holding) {
      const report = holding;
      holding = null;
      return new Promise((resolve) => {
        const give = (body: string) => resolve(new Response(body, { headers: { 'content-type': 'text/xml' } }));
        report({ ...call, answer: give });
      });
    }
    const now = (underWay.get(accessKey) ?? 0) + 1;
    underWay.set(accessKey, now);
    mostAtOnce = Math.max(mostAtOnce, now);
    try {
      return await simulator.handle(request);
    } finally {
      underWay.set(accessKey, (underWay.get(accessKey) ?? 1) - 1);
    }
  }

  const doors = await Promise.all(
    Array.from({ length: servers }, async (_, server) => {
      const door = createServer(toNodeListener((request) => answer(server, request)));
      door.listen(0, '127.0.0.1');
      await once(door, 'listening');
      return door;
    }),
  );
  return {
    simulator,
    settings(server) {
      const door = doors[server];
      if (!door) throw new RangeError('There is no way to it for that server.');
      const { port } = door.address() as AddressInfo;
      return { SRI_MODE: 'live', SRI_SANDBOX_URL: `http://127.0.0.1:${port}/comprobantes-electronicos-ws` };
    },
    calls,
    get mostAtOnce() {
      return mostAtOnce;
    },
    holdSubmission: () =>
      new Promise((resolve) => {
        holding = resolve;
      }),
    close() {
      for (const door of doors) {
        door.close();
        door.closeAllConnections();
      }
    },
  };
}
