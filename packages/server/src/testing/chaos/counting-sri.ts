import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from 'sri-core';
import { createSimulator, toNodeListener } from 'sri-core/simulator';

/** The simulated SRI in a process that survives, behind a socket. It records every submission. */
export interface CountingSri {
  /** The settings of a server that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The submissions of a document: their number, and the number of different files under its key. */
  submissionsOf(accessKey: string): { readonly times: number; readonly files: number };
  /** Its verdict on that key; null without a document. */
  verdictOf(accessKey: string): Promise<string | null>;
  /** The milliseconds by which its clock is ahead of this machine's, like the clock of the servers. */
  aheadMs: number;
  /** False refuses every request with 503 without reading it. */
  isUp: boolean;
  /** The times of the refused requests, in milliseconds since 1970. */
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
