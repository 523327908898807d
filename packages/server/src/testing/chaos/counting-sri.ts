import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from 'sri-core';
import { createSimulator, toNodeListener } from 'sri-core/simulator';

/** The simulated SRI in a process that is not killed, behind a socket; it remembers every submission. */
export interface CountingSri {
  /** Settings that lead a server to it. */
  readonly settings: Readonly<Record<string, string>>;
  /** How often a document was submitted, and how many different files came under its key. */
  submissionsOf(accessKey: string): { readonly times: number; readonly files: number };
  /** What it ended with under that key; null when it holds nothing. */
  verdictOf(accessKey: string): Promise<string | null>;
  /** How far its clock is ahead of this machine's, in milliseconds: as far as that of the servers. */
  aheadMs: number;
  /** False refuses every request with 503 from then on, without looking at it. */
  isUp: boolean;
  /** When requests came while it was down, in milliseconds since 1970. */
  readonly refusedAt: readonly number[];
  close(): void;
}

/** Starts it. */
export async function openCountingSri(): Promise<CountingSri> {
  const submissions = new Map<string, string[]>();
  const refusedAt: number[] = [];
  const simulator = createSimulator({
    capacity: 1_000_000,
    clock: { ...systemClock, now: () => new Date(systemClock.now().getTime() + sri.aheadMs) },
    onSettled({ operation, accessKey, sha256 }) {
      if (operation !== 'reception' || accessKey === null) return;
      submissions.set(accessKey, [...(submissions.get(accessKey) ?? []), sha256 ?? '']);
    },
  });
  const handle = toNodeListener(simulator.handle);
  const server = createServer((request, response) => {
    if (sri.isUp) return void handle(request, response);
    refusedAt.push(Date.now());
    response.writeHead(503, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sri: CountingSri = {
    settings: {
      SRI_MODE: 'live',
      SRI_SANDBOX_URL: `http://127.0.0.1:${port}/comprobantes-electronicos-ws`,
      SRI_AUTH_FIRST_DELAY: '10ms',
      SRI_TIMEOUT: '5s',
    },
    submissionsOf(accessKey) {
      const digests = submissions.get(accessKey) ?? [];
      return { times: digests.length, files: new Set(digests).size };
    },
    verdictOf: async (accessKey) => (await simulator.find(accessKey))?.estado ?? null,
    aheadMs: 0,
    isUp: true,
    refusedAt,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return sri;
}
