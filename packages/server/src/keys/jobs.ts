import type { Task } from '../platform/jobs/loop.js';
import type { KeyUsage } from './key-usage.js';

/**
 * Stores what was counted of the keys' use: other processes see it within a second, and a crash loses no more than that.
 * Each process stores what it has counted itself.
 */
export function keyUsageTask(usage: KeyUsage): Task {
  return { name: 'key usage', intervalMs: 500, run: () => usage.flush() };
}
