import { bundleForSources } from '../../scripts/build-console.js';

/** Global set-up of the tests: servers that run from their sources have a console. */
export default async function setup(): Promise<void> {
  await bundleForSources();
}
