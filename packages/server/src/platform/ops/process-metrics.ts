import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * Adds the process's use to a registry: memory, processor time, and the delay of its event loop.
 * @returns a function that stops measuring.
 */
export function describeProcess(registry: Registry): { close(): void } {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  new Gauge({
    name: 'sri_event_loop_delay_seconds',
    help: 'How long the event loop was held up since the metrics were last read: median, 99th percentile and most.',
    labelNames: ['quantile'],
    registers,
    collect() {
      // The measured value is the pause between two ticks; the tick itself is no delay.
      const late = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / 1e9 - RESOLUTION_MS / 1000);
      this.set({ quantile: '0.5' }, late(delay.percentile(50)));
      this.set({ quantile: '0.99' }, late(delay.percentile(99)));
      this.set({ quantile: '1' }, late(delay.max));
      delay.reset();
    },
  });
  let counted = 0;
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      const seconds = (user + system) / 1e6;
      this.inc(seconds - counted);
      counted = seconds;
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  const startedAt = Math.floor(Date.now() / 1000 - process.uptime());
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process began, in seconds since 1970.',
    registers,
    collect() {
      this.set(startedAt);
    },
  });
  return { close: () => delay.disable() };
}

// --- internal ---

const RESOLUTION_MS = 10;
