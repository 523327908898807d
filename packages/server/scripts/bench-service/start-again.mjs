import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Starts a server where one has been, without the log in which the earlier one says where it listened. */
export async function startAgain(tools, place, options) {
  await rm(join(place.dataDirectory, 'server.log'), { force: true });
  return tools.startServer(place, options);
}
