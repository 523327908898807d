import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { type PostgresCluster, startPostgres } from './postgres-cluster.js';

/** The PostgreSQL of the tests: its address, or the reason for its absence. */
export type PostgresAnswer = { readonly url: string } | { readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** Local port that serves a `PostgresAnswer`. */
    postgresAnswerPort: number;
    /** Local port that lends a test its own PostgreSQL until the connection closes. */
    ownPostgresPort: number;
  }
}

/**
 * Global set-up of the tests. Starts PostgreSQL when the first test asks for it, so that runs without such a test do not
 * pay for it. `TEST_DATABASE_URL` names a server to use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let cluster: Promise<PostgresCluster> | null = null;

  async function answer(): Promise<PostgresAnswer> {
    const url = process.env['TEST_DATABASE_URL'];
    if (url) return { url };
    try {
      cluster ??= startWithoutPublic();
      return { url: (await cluster).url };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`PostgreSQL could not be started, so that its tests are skipped: ${reason}\n`);
      return { reason };
    }
  }

  const asked = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void answer().then((answer) => socket.end(JSON.stringify(answer)));
  });
  project.provide('postgresAnswerPort', await listen(asked));

  const lending = new Set<Promise<void>>();
  const lender = createServer((socket) => {
    const lent = lend(socket).finally(() => lending.delete(lent));
    lending.add(lent);
  });
  project.provide('ownPostgresPort', await listen(lender));
  return async () => {
    asked.close();
    lender.close();
    await Promise.all([(await cluster?.catch(() => null))?.stop(), ...lending]);
  };
}

// --- internal ---

/** No statement may name `public` or rely on it: no database of the tests has this schema. */
async function startWithoutPublic(): Promise<PostgresCluster> {
  const cluster = await startPostgres();
  for (const database of ['template1', 'postgres']) {
    const url = new URL(cluster.url);
    url.pathname = `/${database}`;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.query('drop schema public').finally(() => client.end());
  }
  return cluster;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The tests found no address of PostgreSQL.');
  return address.port;
}

/**
 * Starts a cluster for one test and writes its address on a first line. Then it runs each received command (`crash`,
 * `start`) and echoes it when done. The cluster ends with the connection.
 */
async function lend(socket: Socket): Promise<void> {
  socket.on('error', () => socket.destroy());
  const lines = createInterface(socket);
  let cluster: PostgresCluster;
  try {
    cluster = await startWithoutPublic();
  } catch (error) {
    socket.end(`${JSON.stringify({ reason: error instanceof Error ? error.message : String(error) })}\n`);
    return;
  }
  try {
    socket.write(`${JSON.stringify({ url: cluster.url })}\n`);
    for await (const line of lines) {
      if (line === 'crash') await cluster.crash();
      if (line === 'start') await cluster.start();
      if (!socket.destroyed) socket.write(`${line}\n`);
    }
  } finally {
    await cluster.stop();
  }
}
