// Loaded into the server with `--import`, so that the server contains no benchmark code. It reports over IPC the processor
// time, memory and event loop delay since the last question, and the memory left after garbage collection.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const profiler = new Session();
let since = now();

delay.enable();
process.on('message', async ({ ask, path }) => {
  if (ask === 'figures') process.send(figures());
  if (ask === 'collected') process.send(collected());
  if (ask === 'profile') {
    profiler.connect();
    await profiler.post('Profiler.enable');
    await profiler.post('Profiler.setSamplingInterval', { interval: 500 });
    await profiler.post('Profiler.start');
    process.send({});
  }
  if (ask === 'profiled') {
    const { profile } = await profiler.post('Profiler.stop');
    writeFileSync(path, JSON.stringify(profile));
    profiler.disconnect();
    process.send({});
  }
});
// The server must not outlive the benchmark.
process.on('disconnect', () => process.exit(1));
// The channel must not keep a stopped server alive.
process.channel?.unref();

function now() {
  return {
    at: performance.now(),
    cpu: process.cpuUsage(),
    thread: process.threadCpuUsage(),
    loop: performance.eventLoopUtilization(),
  };
}

/** Collects the garbage, which blocks the process. */
function collected() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // The second collection frees what finalizers released.
  for (let times = 0; times < 3; times += 1) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapBytes: heapUsed, externalBytes: external, rssBytes: rss };
}

function figures() {
  const before = since;
  since = now();
  const memory = process.memoryUsage();
  const spent = ({ user, system }, from) => user + system - from.user - from.system;
  const taken = {
    ms: since.at - before.at,
    /** Processor time in microseconds: of all threads, and of the JavaScript thread. */
    cpuUs: spent(since.cpu, before.cpu),
    mainUs: spent(since.thread, before.thread),
    loopUse: performance.eventLoopUtilization(since.loop, before.loop).utilization,
    // A punctual timer still counts as one interval.
    delayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS),
    delayMaxMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    rssBytes: memory.rss,
    heapBytes: memory.heapUsed,
    externalBytes: memory.external,
    /** Pages of the young and the old generation, in use or not. */
    heapTotalBytes: memory.heapTotal,
  };
  delay.reset();
  return taken;
}
