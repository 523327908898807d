// The thread that opens containers: they come from strangers, and may ask for minutes of work. It is started by URL
// (see p12-thread.ts), so the build keeps this file as an entry of its own.
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type ContainerRequest, openContainer } from './p12-container.js';
import { P12_THREAD } from './p12-thread.js';

if (parentPort && workerData === P12_THREAD) {
  const port = parentPort;
  // On Linux this is the priority of the thread alone; elsewhere it would be that of the process.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  port.on('message', (request: ContainerRequest) => port.postMessage(openContainer(request)));
  port.postMessage(P12_THREAD);
}
