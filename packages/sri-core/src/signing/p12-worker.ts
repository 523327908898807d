// The thread that opens containers: they are untrusted and may need minutes of work. It starts by URL (see p12-thread.ts),
// so the build keeps this file as a separate entry.
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type ContainerRequest, openContainer } from './p12-container.js';
import { P12_THREAD } from './p12-thread.js';

if (parentPort && workerData?.thread === P12_THREAD) {
  const port = parentPort;
  // On Linux this is the priority of the thread only; elsewhere it would be that of the process.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  port.on('message', (request: ContainerRequest) => port.postMessage(openContainer(request)));
  port.postMessage(P12_THREAD);
}
