// The state of the machine without the server: the duration of a flush to its disk, and the processor share of
// neighbours on the same host.
import { closeSync, fdatasyncSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { percentile } from './tools.mjs';

const FLUSHES = 100;
const PAGES = Buffer.alloc(8_192, 'x');

/** Milliseconds of one write of 8 KiB to the disk of that folder, as a commit makes. @returns `{ p50, p99 }`. */
export function flushTimes(folder) {
  const path = join(folder, 'flushed');
  const file = openSync(path, 'w');
  const times = Array.from({ length: FLUSHES }, () => {
    writeSync(file, PAGES);
    const startedAt = performance.now();
    fdatasyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  unlinkSync(path);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** @returns a function that returns the neighbours' share of processor time since now; null if it is not reported. */
export function watchNeighbours() {
  const before = processorTicks();
  return () => {
    const after = processorTicks();
    return before && after && (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  };
}

// The first line of Linux's report: user, nice, system, idle, iowait, irq, softirq, steal.
function processorTicks() {
  try {
    const [, ...ticks] = readFileSync('/proc/stat', 'latin1')
      .split('\n', 1)[0]
      .trim()
      .split(/\s+/)
      .slice(0, 9)
      .map(Number);
    return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] };
  } catch {
    return null;
  }
}
