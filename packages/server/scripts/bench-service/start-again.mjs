import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Starts a server in the place of an earlier one. Removes the earlier log, which contains the old address. */
export async function startAgain(tools, place, options) {
  await rm(join(place.dataDirectory, 'server.log'), { force: true });
  return tools.startServer(place, options);
}
