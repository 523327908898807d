import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type PostgresCluster, startPostgres } from './postgres-cluster.js';

/** What a test that asks for PostgreSQL is told: where it is, or why there is none. */
export type PostgresAnswer = { readonly url: string } | { readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** Port of this machine at which a `PostgresAnswer` can be read. */
    postgresAnswerPort: number;
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
      cluster ??= startPostgres();
      return { url: (await cluster).url };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`PostgreSQL could not be started, so that its tests are skipped: ${reason}\n`);
      return { reason };
    }
  }

  const asked = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void answer().then((told) => socket.end(JSON.stringify(told)));
  }).listen(0, '127.0.0.1');
  await once(asked, 'listening');
  const address = asked.address();
  if (!address || typeof address === 'string') throw new Error('The tests could not be told of PostgreSQL.');
  project.provide('postgresAnswerPort', address.port);
  return async () => {
    asked.close();
    await (await cluster?.catch(() => null))?.stop();
  };
}
