// A webhook receiver in its own thread, so that it answers as fast as another machine while the server is busy. `/hang`
// is silent for 15 s; `/raw` is counted separately; other requests are recorded by delivery.
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const HANG_MS = 15_000;
const COUNTERS = { arrived: 0, raw: 1, hung: 2 };

if (!isMainThread) receive(workerData);

/** Starts one. `count` returns the number of arrivals; `arrivals` the first arrival of each delivery, epoch ms. */
export async function openSink() {
  const counters = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(new URL(import.meta.url), { workerData: counters });
  const next = () => new Promise((resolve) => worker.once('message', resolve));
  const port = await next();
  return {
    port,
    count: (name) => Atomics.load(counters, COUNTERS[name]),
    arrivals() {
      const answer = next();
      worker.postMessage('arrivals');
      return answer;
    },
    close: () => worker.terminate(),
  };
}

function receive(counters) {
  const arrivals = new Map();
  const server = createServer(async (message, response) => {
    const body = Buffer.concat(await message.toArray());
    if (message.url === '/hang') {
      Atomics.add(counters, COUNTERS.hung, 1);
      setTimeout(() => response.end(), HANG_MS);
      return;
    }
    response.writeHead(204).end();
    if (message.url === '/raw') {
      Atomics.add(counters, COUNTERS.raw, 1);
      return;
    }
    const { deliveryId } = JSON.parse(body);
    if (arrivals.has(deliveryId)) return;
    arrivals.set(deliveryId, Date.now());
    Atomics.add(counters, COUNTERS.arrived, 1);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => parentPort.postMessage(server.address().port));
  parentPort.on('message', () => parentPort.postMessage(arrivals));
}
