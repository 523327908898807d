import type { Task } from '../platform/jobs/loop.js';
import type { KeyUsage } from './key-usage.js';

/**
 * Stores the counted use of keys. Other processes see it within a second, and a crash loses at most that. Each process
 * stores its own counts.
 */
export function keyUsageTask(usage: KeyUsage): Task {
  return { name: 'key usage', intervalMs: 500, run: () => usage.flush() };
}
