import { once } from 'node:events';
import { createServer } from 'node:net';

/** Global set-up of the tests of mutants: says that there is no PostgreSQL, so that its half of a test is skipped. */
export default async function setup(project) {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify({ reason: 'mutants are tested on SQLite' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('postgresAnswerPort', server.address().port);
  project.provide('ownPostgresPort', server.address().port);
  return () => server.close();
}
